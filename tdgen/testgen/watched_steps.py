"""What an example of a property does with objects of planned classes: recorded in the sandbox, step by step.

What an invariant asks is a look: of looks only those after the last other step count. What a method does with other
methods is no step. Like all that is watched it could be forged by the candidate: it is text, and nothing of it is run.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

MOST_STEPS = 40
"""What is told of one example: twice as many as a state machine's run may have rules (`rendering/headers.py`)."""

RECORDING = '''
objects, steps, state = [], [], {"looking": False, "deaf": False}
inside = contextvars.ContextVar("inside", default=False)


def number_of(value):
    if isinstance(value, enum.Enum) and not any(one is value for one in objects):
        objects.append(value)
    return next((number for number, one in enumerate(objects, start=1) if one is value), 0)


def spelled(value):
    number = number_of(value)
    return f"@{number}" if number else told(value)


def entered(cls, owner, name, args, kwargs):
    """The step, entered unless it is another one's part."""
    number = 0 if inspect.isclass(owner) else number_of(owner) or -1
    step = {"kind": cls.__name__, "object": number, "name": name, "gave": 0, "raised": ""}
    step.update(looked=state["looking"], args=[], kwargs={})
    if state["deaf"] or inside.get() or name == "__setattr__" and args[0].startswith("_"):
        return step
    outer = inside.set(True)
    try:
        step.update(args=[spelled(one) for one in args], kwargs={key: spelled(one) for key, one in kwargs.items()})
    finally:
        inside.reset(outer)
    while steps and steps[-1]["looked"] and not state["looking"]:
        steps.pop()
    steps.append(step)
    del steps[$steps + 1 :]
    return step


def gave(classes, step, result):
    if any(type(result) is cls for cls in classes) and not number_of(result) and len(objects) < $steps:
        objects.append(result)
        step["gave"] = len(objects)
    return result


@contextlib.contextmanager
def done(step):
    is_outermost, outer = not inside.get(), inside.set(True)
    if is_outermost:
        signal.setitimer(signal.ITIMER_VIRTUAL, $seconds)
    try:
        yield
    except BaseException as error:
        step["raised"] = type(error).__name__
        raise
    finally:
        inside.reset(outer)
        if is_outermost:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def quiet(function):
    """The function, whose own calls are no steps."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        with done({}):
            return function(*args, **kwargs)

    return call


def recorded(classes, cls, name, function):
    def begun(self, args, kwargs):
        if name == "__init__" and type(self) is cls and not inside.get() and len(objects) < $steps:
            objects.append(self)
        return entered(cls, self, name, args, kwargs)

    @functools.wraps(function)
    def call(self, *args, **kwargs):
        step = begun(self, args, kwargs)
        with done(step):
            return gave(classes, step, function(self, *args, **kwargs))

    @functools.wraps(function)
    async def awaited(self, *args, **kwargs):
        step = begun(self, args, kwargs)
        with done(step):
            return gave(classes, step, await function(self, *args, **kwargs))

    return awaited if inspect.iscoroutinefunction(function) else call


def made_empty(cls):
    """What stands for the constructor that a class does not have: it takes what `object` would."""
    takes_all = cls.__new__ is not object.__new__

    def __init__(self, *args, **kwargs):
        if (args or kwargs) and not takes_all:
            raise TypeError(f"{cls.__name__}() takes no arguments")

    return __init__


def without_class(plain):
    """A static method as a class method."""

    @functools.wraps(plain)
    def call(cls, *args, **kwargs):
        return plain(*args, **kwargs)

    return call


def record(classes, cls, special):
    """Have the public methods of a class recorded, those of its bases among them; what can't be changed is not."""
    found = {}
    for base in reversed([base for base in cls.__mro__ if base.__module__ == cls.__module__]):
        found.update(vars(base))
    found.setdefault("__init__", made_empty(cls))
    found.setdefault("__setattr__", cls.__setattr__)
    for name, plain in found.items():
        is_step = name in special or not name.startswith("_")
        wrap = functools.partial(recorded, classes, cls, name) if is_step else quiet
        new = None
        if isinstance(plain, classmethod):
            new = classmethod(wrap(plain.__func__))
        elif isinstance(plain, staticmethod):
            new = classmethod(wrap(without_class(plain.__func__))) if is_step else None
        elif isinstance(plain, property):
            new = property(*(one and quiet(one) for one in (plain.fget, plain.fset, plain.fdel)), plain.__doc__)
        elif isinstance(plain, functools.cached_property):
            plain.func = quiet(plain.func)
        elif inspect.isfunction(plain) or name == "__setattr__":
            new = wrap(plain)
        if new is not None:
            with contextlib.suppress(AttributeError, TypeError):
                setattr(cls, name, new)


def listen(names):
    """Have all steps with objects recorded, and of a state machine what its invariants ask told apart."""
    classes = [names[name] for name in $classes if inspect.isclass(names.get(name))]
    for cls in classes:
        record(classes, cls, $special)
    for machine in machines_in(names):
        machine.check_invariants = looking(machine.check_invariants)
        machine.teardown = deaf(machine.teardown)


def looking(check):
    @functools.wraps(check)
    def call(*args, **kwargs):
        state["looking"] = True
        check(*args, **kwargs)
        state["looking"] = False

    return call


def deaf(teardown):
    @functools.wraps(teardown)
    def call(self):
        state["deaf"] = True
        teardown(self)

    return call
'''


class WatchedStep(BaseModel):
    """A call of a method by who uses an object: `object` is its number, 0 for the class itself, -1 for one unknown.

    `args` are as `repr` tells them, `@2` for the second object, empty where they can't be told. `gave` is the number of
    an object that the call gave first, `raised` the class of what it raised. A member of an enum is an object, too.
    """

    model_config = ConfigDict(extra="ignore", strict=True)

    kind: str
    object: int
    name: str
    args: list[str]
    kwargs: dict[str, str]
    gave: int
    raised: str
    looked: bool
