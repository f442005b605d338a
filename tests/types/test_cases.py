"""A case as it is kept: what was written once is read, and means the same."""

from __future__ import annotations

import json

from tdgen.types import Case, Pattern, Suite, Value

KEPT = {
    "expectation": {"form": "exits", "code": 1},
    "stdout": "",
    "stderr": "line 3\n",
    "files": {},
    "logs": None,
    "after": [],
    "name": "third",
    "function": "main",
    "kind": "error",
    "provenance": "model",
    "setup": "",
    "arguments": [],
    "call": "main()",
    "world": {"files": {}, "stdin": None, "environment": {}, "clock": None, "seed": None, "script": ["a.txt"]},
    "why": "",
    "confirmed": [],
    "passages": [],
    "doubts": [],
}


def test_an_exact_text_is_kept_as_it_ever_was():
    """A digest of the case is the same as before there were patterns."""
    case = Case.model_validate(KEPT)
    assert case.patterns == {}
    assert json.loads(case.model_dump_json()) == KEPT


def test_a_pattern_is_kept_beside_it():
    """And read again as one."""
    case = Case.model_validate(KEPT | {"stderr": {"match": "3"}})
    assert (case.stdout, case.stderr) == ("", Pattern(match="3"))
    assert Case.model_validate_json(case.model_dump_json()) == case
    assert case.call_key == Case.model_validate(KEPT).call_key


def test_a_passage_of_examples_over_several_lines_is_shown_by_them():
    """However their lines are broken: who quotes them copies words, not line ends."""
    case = Case(
        name="example_1",
        function="sign",
        provenance="instruction",
        arguments=("3",),
        expectation=Value(source="1"),
        why=">>> sign(3) 1",
    )
    other = case.model_copy(update={"name": "other", "provenance": "model", "passages": ("Be quick.",)})
    suite = Suite(function="sign", cases=(case, other))
    assert suite.showing("```\n>>> sign(3)\n1\n>>> sign(0)\n0\n```") == [case]


def test_a_suite_with_cases_changed_keeps_what_is_held_out():
    """Also under a new name; what is dropped is nowhere."""
    one, two, three = (Case(name=name, function="f", expectation=Value(source="1")) for name in ("one", "two", "three"))
    suite = Suite(function="f", cases=(one, two, three), held_out=frozenset({"two", "three"}))
    changed = suite.changed({"two": two.model_copy(update={"name": "second"}), "three": None})
    assert [case.name for case in changed.cases] == ["one", "second"]
    assert changed.held_out == {"second"}
