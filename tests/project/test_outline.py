"""What a module offers, without its code."""

import json

import pytest

from tdgen.project.outline import from_json, outline

TEXT = '''"""Doc."""
import os.path as where
from . import near as n
from .far import *

LIMIT: int = 3
TABLE = {
    1: 2,
    3: 4,
    5: 6,
    7: 8,
}
try:
    import fast
except ImportError:
    fast = None


def f(a: int,
      b=2) -> int:
    """First line
    goes on.

    Second paragraph.
    """
    from late import thing


class A(Base[int], metaclass=M):
    """An A."""

    __slots__ = ("one", "_two")
    kind: str = "a"

    def __init__(self, x: int) -> None:
        self.x = x
        self._y = self.z = x
        if self.x == 3: pass
        self.w: int = 3

    @property
    def size(self) -> int:
        """How large."""
        return 1

    @classmethod
    def make(cls): return cls(1)

    def _hidden(self): ...
'''


def test_functions_classes_and_short_constants_are_told():
    """By header, documentation, and value; of a table by its first items."""
    told = outline(TEXT)
    assert told.get("f").text == "def f(a: int,\n      b=2) -> int:"
    assert told.get("f").doc == "First line\ngoes on.\n\nSecond paragraph."
    assert [told.get(name).text for name in ("LIMIT", "TABLE", "fast")] == [
        "LIMIT: int = 3",
        "TABLE = {1: 2, 3: 4, 5: 6, 7: 8, ...}",
        "fast = None",
    ]


def test_a_classs_public_attributes_and_methods_are_told():
    """Declared ones, slots, properties, those that methods set."""
    a = outline(TEXT).get("A")
    assert (a.text, a.bases) == ("class A(Base[int], metaclass=M):", ("Base",))
    attributes = [member.text for member in a.members if not member.is_method]
    assert attributes == ["one", "kind: str = 'a'", "size: int", "x", "w: int"]
    assert [member.text for member in a.members if member.is_method] == [
        "def __init__(self, x: int) -> None:",
        "@classmethod\ndef make(cls):",
    ]


def test_a_method_of_two_names_is_two_methods():
    """What is told of an object are its values: a bound method is none."""
    text = "class A:\n    def __or__(self, other):\n        return self\n\n    union = __or__\n    size = 3\n"
    told = [(member.text, member.is_method) for member in outline(text).get("A").members]
    assert told == [("size = 3", False), ("def __or__(self, other):", True), ("def union(self, other):", True)]


def test_a_constant_that_conditions_define_in_two_ways_is_told_without_a_value():
    """Which of them holds is known where it runs."""
    text = "try:\n    KINDS = (int, long)\nexcept NameError:\n    KINDS = (int,)\nONE = 1\n"
    assert [entry.text for entry in outline(text).entries] == ["KINDS = ...", "ONE = 1"]


def test_imports_are_told_wherever_they_stand():
    """Also under conditions and in bodies."""
    imports = [(one.name, one.module, one.attribute, one.level) for one in outline(TEXT).imports]
    assert imports == [
        ("where", "os.path", "", 0), ("n", "", "near", 1), ("*", "far", "*", 1), ("fast", "fast", "", 0),
        ("fast", "fast", "", 0), ("thing", "late", "thing", 0),
    ]  # fmt: skip


@pytest.mark.parametrize("text", [TEXT, "", "def f(:"])
def test_an_outline_can_be_kept(text):
    """As JSON and back."""
    assert from_json(json.loads(json.dumps(outline(text)))) == outline(text)


def test_what_does_not_parse_has_an_outline_that_says_so():
    """Elsewhere in a project, that is no reason to give up."""
    assert outline("x = 1\ndef f(:").error == "invalid syntax (line 2)"


def test_long_documentation_ends_with_a_paragraph():
    """What a page of it says further down is left out."""
    pages = "\n\n    ".join(["First.", "x" * 1_000, "y" * 1_000])
    told = outline(f'def f():\n    """{pages}"""\n')
    assert told.get("f").doc == f"First.\n\n{'x' * 1_000}"


def test_a_single_slot_may_be_a_text():
    """It is one name, and not its letters."""
    (entry,) = outline('class Tree:\n    __slots__ = "tokens"\n').entries
    assert [member.name for member in entry.members] == ["tokens"]


def test_what_the_module_fills_is_told_to_be_filled():
    """An empty table that stays empty is told as it is."""
    filled, empty = outline("FILLED = {}\nEMPTY = {}\nfor n in range(3):\n    FILLED[n] = n\n").entries
    assert (filled.text, empty.text) == ("FILLED = {}  # the module fills it", "EMPTY = {}")


def test_a_data_type_is_told_whole_and_of_a_table_of_calls_the_first():
    """The fields of the one stand nowhere else; the first of the other shows what all are."""
    fields = ", ".join(f"'a_field_of_a_row_{number}'" for number in range(9))
    made = f"namedtuple('Row', [{fields}])"
    table = "{" + ", ".join(f"'format {number}': Row(None, '{'-' * 90}')" for number in range(9)) + "}"
    row, rows = outline(f"Row = {made}\nROWS = {table}\n").entries
    assert row.text == f"Row = {made}"
    assert rows.text == f"ROWS = {{'format 0': Row(None, '{'-' * 90}'), ...}}"


def test_a_sum_over_a_thousand_lines_is_told_by_its_name():
    """It is too deep to be written out, and no reason not to read the module."""
    total = "(\n" + "    one +\n" * 1000 + "    one)"
    assert [entry.text for entry in outline(f"TOTAL = {total}\n").entries] == ["TOTAL = ..."]


def test_of_a_table_with_long_values_all_keys_are_shown():
    """Who writes code by it has to know which there are."""
    rows = ", ".join(f"'{name}': ({', '.join(['1'] * 40)})" for name in ("decimal", "binary", "gnu"))
    (entry,) = outline(f"SUFFIXES = {{{rows}}}\n").entries
    assert entry.text == "SUFFIXES = {'decimal': ..., 'binary': ..., 'gnu': ...}"
