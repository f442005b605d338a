"""New definitions in an existing module: where they stand, and that all else stays."""

import ast

import pytest

from tdgen.source.adding import has_computed_all, members, with_added, with_methods, with_type_imports
from tdgen.source.fragment import Fragment

NEW = "def new():\n    return 1\n"


def added(text: str, *sources: str, imports: tuple[str, ...] = ()) -> str:
    """`text` with functions that are called as they are."""
    names = {source.partition("(")[0].rpartition(" ")[2]: Fragment(imports, source) for source in sources or (NEW,)}
    return with_added(text, names)


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ('"""Doc."""\n\nimport os\n\n\ndef f():\n    return os\n', "\n\nf()\n"),
        ("def f():\n    return 2\n    # of f\n", "\n\n# of what follows\nX = f()\n"),
        ("class A:\n    x = 1\n", "\n\nif __name__ == '__main__':\n    A()\n"),
        ('"""Doc."""\n\nimport os\n\nX = os.sep\n', "\n\nif __name__ == '__main__':\n    print(X)\n"),
        ('"""Doc."""\n', ""),
        ("# a licence\n", ""),
    ],
)
def test_the_place_is_behind_the_last_definition_and_before_what_runs(before, behind):
    """In a module without any, at the end."""
    assert added(before + behind) == f"{before}\n\n{NEW}{behind}"


def test_a_module_may_be_empty():
    """Then it is all there is."""
    assert added("") == NEW


def test_two_blank_lines_stand_around_it():
    """Where nothing kept statements apart, too."""
    assert added("def f(): ...\nX = 1\n") == f"def f(): ...\n\n\n{NEW}\n\nX = 1\n"


def test_what_it_needs_when_it_is_made_stands_above():
    """Defaults, decorators and bases; what the body names may come later."""
    text = "def f(): ...\n\n\nRATE = 1\nLATER = 2\n"
    new = "def new(rate=RATE):\n    return LATER\n"
    assert added(text, new) == f"def f(): ...\n\n\nRATE = 1\n\n\n{new}\n\nLATER = 2\n"


def test_several_stand_in_their_order_with_one_import():
    """Among the module's own imports."""
    other = "def other():\n    return sqrt(2)\n"
    result = added("import os\n\n\ndef f(): ...\n", NEW, other, imports=("from math import sqrt",))
    assert result == f"import os\nfrom math import sqrt\n\n\ndef f(): ...\n\n\n{NEW}\n\n{other}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__all__ = ['f', 'z']", "__all__ = ['f', 'new', 'z']"),
        ('__all__ = ["z", "f"]', '__all__ = ["z", "f", "new"]'),
        ('__all__ = (\n    "f",\n)', '__all__ = (\n    "f",\n    "new",\n)'),
        ('__all__ = [\n    "a",\n    "z",\n]', '__all__ = [\n    "a",\n    "new",\n    "z",\n]'),
        ('__all__: list[str] = ["f"]', '__all__: list[str] = ["f", "new"]'),
        ("__all__ = []", '__all__ = ["new"]'),
        ("__all__ = ()", '__all__ = ("new",)'),
        ('__all__ = ["new"]', '__all__ = ["new"]'),
        ('__all__ = ["f"] + more', '__all__ = ["f"] + more'),
        ('__all__ = ["f"]\n__all__ += more', '__all__ = ["f"]\n__all__ += more'),
    ],
)
def test_a_literal_list_of_public_names_gets_the_new_ones(before, after):
    """As it is sorted and written; one that is put together stays."""
    definition = "\n\n\ndef f(): ...\n"
    assert added(before + definition) == f"{after}{definition}\n\n{NEW}"
    assert has_computed_all(ast.parse(before)) == ("more" in before)


def test_a_private_name_is_not_public():
    """`__all__` stays."""
    private = "def _new():\n    return 1\n"
    assert added('__all__ = ["f"]\n', private) == f'__all__ = ["f"]\n\n\n{private}'


@pytest.mark.parametrize("eol", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_are_the_files(eol):
    """Every byte that was there stays."""
    text = "\ufeff__all__ = ['f']\n\n\ndef f():\n    return 1\n".replace("\n", eol)
    expected = f"\ufeff__all__ = ['f', 'new']\n\n\ndef f():\n    return 1\n\n\n{NEW}".replace("\n", eol)
    assert added(text) == expected


def test_a_last_line_without_an_end_has_none_then_either():
    """As wherever code is laid."""
    assert added("X = 1") == f"X = 1\n\n\n{NEW}".removesuffix("\n")


METHODS = 'class Any:\n    def new(self):\n        """Do it."""\n        return 1\n'


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("class A(B):\n    x = 1\n\n    def f(self): ...\n", "\nX = 1\n"),
        ("class A:\n    def f(self):\n        return 2\n", ""),
    ],
)
def test_a_method_stands_behind_all_that_its_class_has(before, behind):
    """The module's other lines stay."""
    method = METHODS.partition("\n")[2]
    assert with_methods(before + behind, "A", Fragment((), METHODS)) == f"{before}\n{method}{behind}"


@pytest.mark.parametrize("hollow", ["class A(B): ...\n", "class A(B):\n    pass\n", "class A(B):\n    ...\n"])
def test_a_class_that_holds_nothing_gets_its_first_method(hollow):
    """In place of what stood for that."""
    assert with_methods(hollow, "A", Fragment((), METHODS)) == METHODS.replace("Any", "A(B)")


def test_a_documented_class_keeps_its_docstring_apart():
    """By a blank line."""
    expected = METHODS.replace("Any:\n", 'A:\n    """Doc."""\n\n')
    assert with_methods('class A:\n    """Doc."""\n', "A", Fragment((), METHODS)) == expected


def test_a_class_that_is_not_there_is_an_error():
    """Nothing is laid beside."""
    with pytest.raises(ValueError, match="does not define A"):
        with_methods("X = 1\n", "A", Fragment((), METHODS))


def test_a_class_has_what_its_body_binds_and_what_methods_set():
    """Of itself; not what they set of others."""
    text = (
        "class A:\n    x: int\n    y = z = 1\n\n    def f(self, o):\n        self.n = o.m = 1\n        o.k = self.i\n"
    )
    (node,) = ast.parse(text).body
    assert members(node) == {"x", "y", "z", "f", "n"}


BLOCK = "if TYPE_CHECKING:\n    from b import B\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import os\n\nX = 1\n", f"import os\nfrom typing import TYPE_CHECKING\n\n{BLOCK}\nX = 1\n"),
        ("X = 1\n", f"from typing import TYPE_CHECKING\n\n{BLOCK}\n\nX = 1\n"),
        (f"from typing import TYPE_CHECKING\n\n{BLOCK}", f"from typing import TYPE_CHECKING\n\n{BLOCK}"),
        ("from b import B\n", "from b import B\n"),
        (
            "import typing\n\nif typing.TYPE_CHECKING:\n\timport a\n\nX = 1\n",
            "import typing\n\nif typing.TYPE_CHECKING:\n\timport a\n\tfrom b import B\n\nX = 1\n",
        ),
    ],
)
def test_what_only_type_checkers_see_is_imported_for_them(before, after):
    """In the block that there is, or in a new one behind the imports."""
    assert with_type_imports(before, ["from b import B"]) == after
    assert with_type_imports(before.replace("\n", "\r\n"), ["from b import B"]) == after.replace("\n", "\r\n")
