"""A draft's file: written to be read and edited, and believed only as far as it fits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tdgen.errors import InputError
from tdgen.outputs.drafts import DraftFile, DraftTarget, draft_content, read_draft
from tdgen.types import (
    After,
    Case,
    Check,
    ExpectedException,
    FunctionSpec,
    Parameter,
    Pattern,
    Plan,
    Returns,
    Suite,
    Tolerance,
    Value,
    World,
)

PLAN = Plan(
    module="doubling",
    functions=(
        FunctionSpec(
            name="double", purpose="2n", parameters=(Parameter(name="n", type="int"),), returns=Returns(type="int")
        ),
    ),
)


def case(name: str, **more: Any) -> Case:
    return Case(**{"name": name, "function": "double", "arguments": ("1",), "expectation": Value(source="2")} | more)


CASES = (
    case("plain"),
    case("quoted", provenance="instruction", arguments=("4",), expectation=Value(source="8"), why="double(4) is 8"),
    case("near", expectation=Value(source="2.0", tolerance=Tolerance(rel=1e-3))),
    case("wrong", kind="error", arguments=("'x'",), expectation=ExpectedException(type="TypeError", match="int")),
    case("checked", arguments=("3",), expectation=Check(source="result % 2 == 0")),
    case(
        "worldly",
        setup="n = [1]",
        arguments=(),
        call="double(n[0])",
        world=World(files={"a": "b"}, clock="2026-01-01"),
        after=(After(expression="n", source="[1]"),),
        stdout="",
        stderr=Pattern(match="twice"),
        expectation=Value(source="2"),
    ),
)
DRAFT = DraftFile("double(n)", PLAN, (Suite(function="double", cases=CASES, held_out=frozenset({"plain"})),))


@pytest.fixture
def edited():
    """Read the draft back after an edit of its content."""

    def read(edit=lambda content: None) -> DraftFile:
        content = json.loads(json.dumps(draft_content(DRAFT)))
        edit(content)
        return read_draft(json.dumps(content), "draft.json")

    return read


class TestRoundTrip:
    """What was written and not touched is what is read."""

    def test_nothing_is_lost(self, edited):
        """Instruction, plan and every kind of case; what is held out is chosen anew."""
        read = edited()
        assert (read.instruction, read.plan) == (DRAFT.instruction, DRAFT.plan)
        assert read.suites == (Suite(function="double", cases=CASES),)

    def test_cases_are_short_to_read(self):
        """Without what is as it always is."""
        (suite,) = draft_content(DRAFT)["suites"]
        assert set(suite["cases"][0]) == {"name", "arguments", "expectation", "written"}

    def test_a_suite_without_a_case_is_left_out(self):
        """Its cases are to be written anew."""
        assert "suites" not in draft_content(DraftFile("x", PLAN, (Suite(function="double", cases=()),)))


class TestEdits:
    """A case that a person touched is the user's own."""

    @pytest.mark.parametrize("place", range(len(CASES)))
    def test_a_changed_case(self, edited, place: int):
        """Whatever was changed of it, and whoever wrote it."""

        def edit(content):
            content["suites"][0]["cases"][place]["why"] = "I say so"

        cases = edited(edit).suites[0].cases
        assert cases[place].provenance == "user"
        assert [c.provenance for c in cases[:place]] == [c.provenance for c in CASES[:place]]

    def test_an_added_case(self, edited):
        """It needs no digest, and can hardly have one."""
        added = {"name": "mine", "arguments": ["7"], "expectation": {"form": "value", "source": "14"}}
        cases = edited(lambda content: content["suites"][0]["cases"].append(added)).suites[0].cases
        assert (cases[-1].name, cases[-1].provenance, cases[-1].function) == ("mine", "user", "double")

    def test_a_case_taken_out(self, edited):
        """The others are as they were."""
        cases = edited(lambda content: content["suites"][0]["cases"].pop(0)).suites[0].cases
        assert cases == CASES[1:]

    def test_an_order_changed(self, edited):
        """Nor are they by their place or by the order of their fields."""

        def edit(content):
            found = content["suites"][0]["cases"]
            content["suites"][0]["cases"] = [dict(reversed(entry.items())) for entry in reversed(found)]

        assert edited(edit).suites[0].cases == CASES[::-1]


class TestRefusals:
    """What can't be used is said in one line that names the file."""

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "draft.json is no JSON: "),
            ("{" * 100_000, "draft.json is no JSON: "),
            ("[1]", "draft.json is no plan of tdgen's: make one with `tdgen plan TEXT -o draft.json`"),
            ('{"plan": {}}', 'draft.json says no format that is known: it must have `"format": 1`'),
            ('{"format": true, "plan": {}}', "draft.json says no format that is known"),
            ('{"format": 2, "plan": {}}', "draft.json is of format 2, this tdgen reads 1: upgrade tdgen"),
            ('{"format": 1, "plan": {}}', "draft.json is no plan that can be used: instruction: Field required"),
        ],
    )
    def test_another_file(self, text: str, reason: str):
        """Not JSON, not a draft, not of this format."""
        with pytest.raises(InputError) as caught:
            read_draft(text, "draft.json")
        assert str(caught.value).startswith(reason)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("path", "value", "reason"),
        [
            (("plan", "functions", 0, "name"), 3, "plan.functions.0.name: Input should be a valid string"),
            (("plan", "colour"), "red", "plan.colour: Extra inputs are not permitted"),
            (("suites", 0, "function"), "triple", "cases of triple, which is not among the plan's functions"),
            (("suites", 0, "cases", 0, "expectation"), {"form": "wish"}, "expectation"),
            (("suites", 0, "cases", 0, "arguments"), ["("], "the case 'plain' of double can't be tried: the argument"),
            (("suites", 0, "cases", 0, "call"), "print(1)", "can't be tried: it never calls 'double'"),
            (("suites", 0, "cases", 0, "name"), "near", "the case 'near' is there 2 times"),
        ],
    )
    def test_an_edit_that_went_wrong(self, edited, path: tuple[Any, ...], value: Any, reason: str):
        """Where it is, and what is wrong with it."""

        def edit(content):
            for part in path[:-1]:
                content = content[part]
            content[path[-1]] = value

        with pytest.raises(InputError) as caught:
            edited(edit)
        assert str(caught.value).startswith("draft.json")
        assert reason in str(caught.value)

    def test_two_suites_of_one_function(self, edited):
        """Which of them would count?"""
        with pytest.raises(InputError, match=r"the suite of 'double' is there 2 times"):
            edited(lambda content: content["suites"].append(content["suites"][0]))


class TestTarget:
    """Where a draft is written."""

    @pytest.fixture
    def target(self, tmp_path):
        """The target of a path in the test's folder."""
        return lambda name, **how: DraftTarget(str(tmp_path / name), tmp_path / "cache", **how)

    def test_a_file(self, target, tmp_path):
        """Read back, it is the draft."""
        path = tmp_path / "draft.json"
        said = target("draft.json").write(DRAFT)
        assert said == f"wrote {path}: edit it, and go on with tdgen solve --plan {path}"
        assert read_draft(path.read_text(), "x").plan == PLAN

    def test_a_folder(self, target, tmp_path):
        """The pytest files beside it only show the cases."""
        said = target("out").write(DRAFT)
        names = sorted(path.name for path in (tmp_path / "out").iterdir())
        assert names == [".tdgen", "draft.json", "test_double.py"]
        assert said.endswith("draft.json (test_double.py beside it only show its cases)")

    @pytest.mark.parametrize(("out", "file"), [("draft.json", "draft.json"), ("out", "out/draft.json")])
    def test_an_edited_draft_is_not_replaced(self, target, tmp_path, out, file):
        """Unless there is the word for it: it is the user's work."""
        for _ in range(2):
            target(out).check()
            target(out).write(DRAFT)
        (tmp_path / file).write_text("mine")
        for act in (target(out).check, lambda: target(out, force=True).write(DRAFT)):
            with pytest.raises(InputError, match=r"was changed since tdgen wrote it: .* --overwrite"):
                act()
        target(out, overwrite=True).write(DRAFT)
        assert (tmp_path / file).read_text() != "mine"

    def test_what_is_there_is_found_out_first(self, target, tmp_path):
        """In a file and in a folder, and no word replaces it."""
        (tmp_path / "draft.json").write_text("mine")
        with pytest.raises(InputError, match="add --force to write beside them"):
            target(".").check()
        for out in ("draft.json", "."):
            with pytest.raises(InputError, match=r"draft\.json is there, and not as tdgen wrote it"):
                target(out, force=True, overwrite=True).check()
        with pytest.raises(InputError, match="is a folder, where a file is to be written"):
            target(".", as_file=True).check()
