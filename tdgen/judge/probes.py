"""A case as probes: one for the candidate, which never holds anything expected, and those that evaluate what is.

What is expected is evaluated with the case's own setup and world, in a module that has the shared types alone.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence

from tdgen.source.syntax import (
    expression_or_none,
    is_literal,
    known_expression,
    literal,
    parse,
    parses,
    statements_of,
)
from tdgen.source.trees import bound_names, changed_names, names_in, read_names, stored_names
from tdgen.types import Call, Case, Check, ExpectedException, FunctionSpec, Observation, Probe, PublicState, Value
from tdgen.values.encode import Unencodable, encode

RESULT = "result"
_HOLDS = "_holds"
_SEARCH = "[re.search(pattern, text) is not None for pattern, text in searched]"
_HARD_TEXTS = ("", *(f"{character * 50}\0" for character in "a0 "))
"""In the empty text only a pattern that asks for nothing is found; in the others the search for one that repeats what
is repeated (`(a+)+$`) does not end."""
_FUNCTIONS = """
abs all any bool bytes dict enumerate float frozenset int isinstance issubclass len list max min range re.compile
reversed round set sorted str sum tuple zip
Counter Decimal Fraction OrderedDict Path PurePath date datetime datetime.date datetime.datetime datetime.timedelta
deque timedelta
math.ceil math.copysign math.floor math.fsum math.gcd math.hypot math.isclose math.isfinite math.isinf math.isnan
math.prod math.sqrt math.trunc
"""
_PURE = frozenset(_FUNCTIONS.split())
_CALLED = frozenset(name.split(".")[0] for name in _PURE)
_HARMLESS = frozenset({"collections", "datetime", "decimal", "fractions", "math", "pathlib", "re"})
_PLAIN = (
    *(ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.unaryop, ast.IfExp, ast.BoolOp),
    *(ast.BinOp, ast.operator, ast.boolop, ast.Compare, ast.cmpop, ast.Subscript, ast.Slice, ast.Name, ast.Attribute),
    *(ast.Call, ast.keyword, ast.expr_context),
)
Code = tuple[str, ...]
"""What probes have in common that may share a process; empty for all that evaluate plain values."""


def candidate_probe(case: Case) -> Probe:
    """What is done with the candidate. Nothing of the expectation is in it."""
    after = tuple(after.expression for after in case.after)
    return call_probe(case.name, case.done, after=after, logs=case.logs is not None)


def call_probe(name: str, call: Call, *, after: tuple[str, ...] = (), logs: bool = False) -> Probe:
    """A call as a probe of that name."""
    return Probe(
        name=name,
        function=call.function,
        setup=call.setup,
        arguments=call.arguments,
        call=call.call,
        world=call.world,
        after=after,
        logs=logs,
    )


def expected_probe(case: Case) -> Probe:
    """What evaluates the expected value, or the exception's class, and the values expected afterwards."""
    asked = case.expectation
    source = "None"
    if isinstance(asked, Value):
        source = asked.source
    elif isinstance(asked, ExpectedException):
        source = _OF_CLASS.format(asked.type)
    after = tuple(after.source for after in case.after)
    world = case.world if case.world.script is None else case.world.model_copy(update={"script": None})
    return Probe(name=case.name, setup=case.setup, call=source, world=world, after=after)


_OF_CLASS = "{0} if issubclass({0}, BaseException) else None"


def read_observation(probe: Probe, module: str) -> Observation | None:
    """What a probe of the oracle's would be seen to give, where that can be read: literals, and builtin exceptions.

    None where there is more to it, such as a setup, or a `module` that may have another class of that name.
    """
    if probe.setup or probe.given:
        return None
    name = probe.call.partition(" ")[0]
    kind = vars(builtins).get(name)
    try:
        if probe.call == _OF_CLASS.format(name) and isinstance(kind, type) and name not in module:
            value = encode(kind) if issubclass(kind, BaseException) else None
        else:
            value = encode(literal(probe.call))
        return Observation(
            name=probe.name,
            status="returned",
            value=value,
            after=tuple(encode(literal(source)) for source in probe.after),
        )
    except (ValueError, Unencodable):
        return None


def is_call_on_literals(call: Call) -> bool:
    """Whether a call does nothing but call its function on literals: that is reached, whatever it does."""
    tree = known_expression(call.expression)
    if call.setup or call.world.script is not None or not isinstance(tree, ast.Call):
        return False
    given = [*tree.args, *(keyword.value for keyword in tree.keywords if keyword.arg)]
    names_it = isinstance(tree.func, ast.Name) and tree.func.id == call.function
    return names_it and len(given) == len(tree.args) + len(tree.keywords) and all(map(is_literal, given))


def code_of(probe: Probe) -> Code:
    """The code that a probe of the oracle runs; empty where it can do nothing to the process that it runs in.

    That is a literal, a name, or the call of what makes a plain value of such and calls nothing of theirs, and a setup
    that does no more than give such values names of its own.
    """
    sources = (probe.call, *probe.after)
    trees = map(expression_or_none, sources)
    gives_names = parses(probe.setup) and all(map(_gives_a_name, statements_of(probe.setup)))
    if gives_names and (probe.call == _SEARCH or all(tree is not None and _runs_nothing(tree) for tree in trees)):
        return ()
    return (probe.setup, *sources, repr(probe.world))


def _gives_a_name(statement: ast.stmt) -> bool:
    """Whether it only names plain values, or imports what is harmless, and takes no name that may be called."""
    if isinstance(statement, ast.Import):
        return all(alias.name in _HARMLESS and not alias.asname for alias in statement.names)
    if isinstance(statement, ast.ImportFrom):
        return statement.module in _HARMLESS and all(
            not alias.asname and not alias.name.startswith(("_", "*")) for alias in statement.names
        )
    if not isinstance(statement, ast.Assign):
        return False
    targets = [target.id if isinstance(target, ast.Name) else "" for target in statement.targets]
    return all(name and name not in _CALLED for name in targets) and _runs_nothing(statement.value)


def _runs_nothing(tree: ast.expr) -> bool:
    """Whether evaluating an expression runs nothing but well-known functions that are given nothing to call."""
    nodes = list(ast.walk(tree))
    return (
        all(isinstance(node, _PLAIN) for node in nodes)
        and all(not node.attr.startswith("_") for node in nodes if isinstance(node, ast.Attribute))
        and all(
            ast.unparse(node.func) in _PURE and all(keyword.arg not in ("key", None) for keyword in node.keywords)
            for node in nodes
            if isinstance(node, ast.Call)
        )
    )


def names_read(check: str) -> frozenset[str]:
    """The names that a check reads."""
    return frozenset[str]().union(*map(read_names, statements_of(check)))


def patterns_probe(case: Case, observation: Observation | None = None) -> Probe:
    """What searches each of the case's patterns in what was observed.

    Without an observation it is tried on texts that show it to be none, to say nothing, or never to end.
    """
    texts = {} if observation is None else texts_of(observation)
    searched = [
        [pattern, text]
        for where, pattern in case.patterns.items()
        for text in (_HARD_TEXTS if observation is None else (texts[where],))
    ]
    return Probe(name=case.name, call=_SEARCH, given={"searched": searched})


def texts_of(observation: Observation) -> dict[str, str]:
    """The texts in which a case's patterns are searched, by where."""
    message = observation.raised.message if observation.raised is not None else ""
    return {"stdout": observation.stdout, "stderr": observation.stderr, "message": message}


def holds_probe(case: Case, spec: FunctionSpec, observation: Observation) -> Probe | None:
    """What evaluates a check on what the candidate returned.

    None where the expectation is no check, or the observation is one that can't satisfy it anyway.
    SyntaxError where the check is no Python, or Python can't write it down again.
    """
    asked = case.expectation
    if isinstance(asked, Check) and observation.status == "returned":
        try:
            bindings = "\n".join([case.setup, *_bindings(case, spec)])
            setup, call = _check(asked.source, _stored(statements_of(bindings)) | {RESULT})
        except RecursionError:
            raise SyntaxError("an expression of too many terms") from None
        return Probe(
            name=case.name,
            setup=f"{bindings}\n{setup}",
            call=call,
            world=case.world,
            given={RESULT: observation.value},
        )
    return None


def misplaced_instance(case: Case, public: PublicState) -> str:
    """Why what a case expects can't hold an instance where it does; empty where it holds none, or in a right place.

    One stands for itself, or is an item of a list, a tuple or a dict that is written out.
    """
    sources = [case.expectation.source] if isinstance(case.expectation, Value) and public else []
    for tree in (expression_or_none(source) for source in (*sources, *(after.source for after in case.after))):
        if tree is not None and names_in(tree) & public.keys() and not _is_written_out(tree, public):
            return (
                "an instance that is expected stands for itself, or is written out in a list, a tuple or a dict: "
                "`Till(balance=3)`, by what is public of it; else let `call` give what is public of the result"
            )
    return ""


def _is_written_out(tree: ast.expr, public: PublicState) -> bool:
    if not names_in(tree) & public.keys():
        return True
    match tree:
        case ast.Name() | ast.Attribute(value=ast.Name()):
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(_is_written_out(part, public) for part in parts)
        case ast.Dict(keys=keys, values=parts):
            return all(isinstance(key, ast.Constant) for key in keys) and all(_is_written_out(p, public) for p in parts)
        case ast.Call(func=ast.Name(id=name), args=given, keywords=named) if name in public:
            by_name = all(keyword.arg is not None and _is_written_out(keyword.value, public) for keyword in named)
            return by_name and all(_is_written_out(one, public) for one in given)
    return False


def without_code_of(case: Case, names: Collection[str]) -> Case:
    """The same case with what its setup binds without the planned `names`, for places where there is no code of them.

    A value that a statement left out may have changed (`items.append(till.balance)`) is not bound either.
    """
    statements = {statement: read_names(statement) | bound_names(statement) for statement in statements_of(case.setup)}
    bound = {name for statement in statements for name in bound_names(statement)}
    missing, dropped = set[str](), set(names)
    while dropped - missing:
        missing |= dropped
        left_out = [statement for statement, its_names in statements.items() if its_names & missing]
        dropped = {name for one in left_out for name in bound_names(one) | changed_names(one) & bound}
    kept = [statement for statement, its_names in statements.items() if not its_names & missing]
    return case.model_copy(update={"setup": "\n".join(map(ast.unparse, kept))})


def _bindings(case: Case, spec: FunctionSpec) -> list[str]:
    """Assignments that bind the parameters to the case's arguments, evaluated afresh, and to their defaults."""
    sources = {parameter.name: parameter.default for parameter in spec.parameters}
    call = None if case.call else expression_or_none(f"_({', '.join(case.arguments)}\n)")
    if isinstance(call, ast.Call):
        for name, argument in zip(list(sources), call.args, strict=False):
            if isinstance(argument, ast.Starred) or name.startswith("*"):  # what a `*` spreads has no name of its own
                break
            sources[name] = ast.unparse(argument)
        sources.update({keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg in sources})
    bound = [(name, source) for name, source in sources.items() if source is not None and name != RESULT]
    return [f"{name.lstrip('*')} = ({source}\n)" for name, source in bound]


def _check(source: str, known: frozenset[str]) -> tuple[str, str]:
    """A check as a setup and a call that is True where it holds: one expression, or statements with asserts.

    Statements are a function that returns True at its end, or whether its last expression is true. Known names that
    they rebind (`result = sorted(result)`) come in as parameters, so that they can be read before.
    """
    if expression_or_none(source) is not None:
        return "", f"bool(({source.strip()}\n))"
    body = parse(source).body
    rebound = ", ".join(sorted(known & _stored(body)))
    if body and isinstance(last := body[-1], ast.Expr):
        body[-1] = ast.Return(ast.Call(ast.Name("bool", ast.Load()), [last.value], []))
    else:
        body.append(ast.Return(ast.Constant(value=True)))
    function = parse(f"def {_HOLDS}({rebound}): pass").body[0]
    if isinstance(function, ast.FunctionDef):
        function.body = body
    return ast.unparse(ast.fix_missing_locations(function)), f"{_HOLDS}({rebound})"


def _stored(body: Sequence[ast.AST]) -> frozenset[str]:
    """The names that statements bind by assignment, at any depth."""
    return frozenset[str]().union(*map(stored_names, body))
