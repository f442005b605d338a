"""What of a class who plans some of its methods sees."""

from tdgen.project.siblings import code_of_class, standing_in
from tdgen.types import Target

TEXT = '''
class Till:
    def far(self):
        return 1

    def wanted(self, cents):
        """Take cents, as `far` does."""

    def take_all(self):
        """All."""
        return self._cents

    def _checked(self, cents):
        return int(cents)

    def wanted_by(self, name):
        return name == self._name

    @property
    def name(self):
        return self._name

    @classmethod
    def of(cls, cents):
        return cls(str(cents))

    def documented(self):
        """Nothing else."""

    def __init__(self, name):
        """Open it."""
        self._name, self._cents = name, 0
'''


def test_a_planner_sees_what_a_class_keeps_and_how_other_methods_handle_it():
    """Without docstrings, which stand elsewhere in the prompt, and without what a property's name says."""
    code = code_of_class(TEXT, "Till", ["wanted"])
    assert code.startswith("# of the class Till:\n\ndef far(self):\n    return 1\n\ndef take_all(self):\n")
    assert "@classmethod\ndef of(cls, cents):\n    return cls(str(cents))\n" in code
    assert code.endswith("def __init__(self, name):\n    self._name, self._cents = (name, 0)")
    assert "documented" not in code
    assert "property" not in code
    assert "cents, as" not in code


def test_of_a_large_class_the_nearest_methods_are_shown():
    """The constructor, what the docs name, what is called alike, private helpers, then those that stand near."""
    many = "".join(f"\n    def at_{n}(self):\n        return '{'x' * 200}'\n" for n in range(40))
    many += (
        f"\n    def put(self, cents):\n        if cents is None:\n            return 0\n        return '{'x' * 3000}'\n"
    )
    code = code_of_class(TEXT + many, "Till", ["wanted"])
    assert all(f"def {name}(" in code for name in ("__init__", "far", "wanted_by", "_checked", "take_all"))
    assert "def at_0(" in code
    assert "def at_39(" not in code
    assert code.endswith("\n\n# Till.put begins:\nif cents is None:\n    return 0")
    assert code_of_class(TEXT, "Nowhere", ["wanted"]) == ""


def standing(source: str, name: str, methods: tuple[str, ...], **more: bool) -> str:
    target = Target(module="a", path="a.py", source=source, units={name: methods})
    return standing_in(target, **more).get(name, "as it is")


def test_what_stands_there_is_shown_without_docs_that_the_instruction_has():
    """Those of what is to be written, and a class's where the instruction of its methods begins with it."""
    first = 'def f(self):\n        """One.\n\n        Two.\n        """\n'
    source = f'class A:\n    """A\n    class."""\n    {first}\n    def g(self):\n        """A\n        b"""\n'
    told = standing(source, "A", ("f",))
    assert told == source.replace('"""One.\n\n        Two.\n        """', '"""…"""')
    assert standing(source, "A", ("f",), are_told=True) == told.replace('"""A\n    class."""', '"""…"""')
    assert standing('def f():\n    """A\n    b"""\n', "f", ()) == 'def f():\n    """…"""\n'
    assert standing('def f():\n    """A."""\n', "f", ()) == "as it is"


def test_of_a_long_class_the_code_of_far_methods_is_left_out():
    """Their heads and docstrings stay, and so does the code of what the docs name, however far it stands."""
    many = "".join(f"\n    def at_{n}(self):\n        a = '{'x' * 300}'\n        return a\n" for n in range(40))
    told = standing(TEXT.replace("`far`", "`at_39`") + many, "Till", ("wanted",))
    assert "    def at_38(self):\n        ...  # as it is\n\n    def at_39(self):\n        a = 'xxx" in told
    assert "    def at_0(self):\n        a = 'xxx" in told
    assert "self._name, self._cents = name, 0" in told
    assert standing(TEXT + many, "Till", ()) == "as it is"
