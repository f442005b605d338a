"""`tdgen plan` and `tdgen tests`: a solve that stops on its way, and a file to edit."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def draft(tdgen, said, instruction):
    """Run one of the two commands on the instruction."""

    def call(command: str, *arguments: object):
        return tdgen(command, instruction, "--script", said.green().path, *arguments)

    return call


class TestPlan:
    """What is to be built, before anything is."""

    def test_is_shown(self, draft):
        """Contracts in the order of work, the pinned, and what is unclear."""
        ran = draft("plan")
        assert ran.code == 0
        lines = ran.out.splitlines()
        assert lines[0] == "doubling: Doubles and quadruples."
        assert lines.index("def double(n: int) -> int") < lines.index("def quadruple(n: int) -> int")
        assert "    calls double" in lines
        assert lines[lines.index("examples that are pinned:") + 1] == "    double(4) is 8"
        assert lines[-1] == "    Are floats allowed? No, only ints."

    def test_asks_the_model_once(self, draft):
        """The plan and no more."""
        assert draft("plan", "--verbose").err.count("asked for") == 1

    def test_is_written_to_a_file(self, draft, instruction):
        """With the instruction inside, and a line that says how to go on."""
        ran = draft("plan", "-o", "plan.txt")
        assert ran.last == "wrote plan.txt: edit it, and go on with tdgen solve --plan plan.txt"
        assert json.loads(Path("plan.txt").read_text())["instruction"] == instruction

    def test_json_is_the_files_content(self, draft):
        """On stdout, alone."""
        ran = draft("plan", "--json")
        assert set(ran.document) == {"format", "instruction", "plan", "written"}

    def test_a_file_that_is_there_is_not_replaced(self, draft):
        """And nothing is asked before that is found out."""
        Path("plan.json").write_text("mine")
        ran = draft("plan", "-o", "plan.json")
        assert (ran.code, ran.err) == (
            2,
            "tdgen: plan.json is there, and not as tdgen wrote it: move it away, or name another place\n",
        )
        assert draft("plan", "-o", "plan.json", "--overwrite").code == 2
        assert Path("plan.json").read_text() == "mine"

    def test_a_later_solve_does_not_ask_for_it_again(self, draft, tdgen, said, instruction):
        """It goes on from the plan."""
        draft("plan", "--trust", "quick")
        ran = tdgen("solve", instruction, "--script", said.path, "--trust", "quick", "--verbose")
        assert "answered plan, attempt 1: from the unfinished run" in ran.err


class TestCases:
    """What is expected, before anything is written."""

    def test_are_shown(self, draft):
        """By function, those that are pinned marked."""
        ran = draft("tests")
        assert ran.code == 0
        assert ran.out.splitlines()[:3] == [
            "double: 6 cases, 1 of them pinned",
            "  pinned example_1: `double(4)` returns `8`",
            "  normal one: `double(1)` returns `2`",
        ]

    def test_are_seen_to_fail(self, draft):
        """While nothing is written."""
        assert "red       quadruple: 5 of 5 cases fail while nothing is written" in draft("tests").err

    def test_a_file_to_hand_back(self, draft):
        """One document, plan and cases."""
        draft("tests", "-o", "cases.json")
        content = json.loads(Path("cases.json").read_text())
        assert [suite["function"] for suite in content["suites"]] == ["double", "quadruple"]

    def test_a_folder_has_pytest_files_to_read(self, draft):
        """Beside the file to hand back."""
        ran = draft("tests", "-o", "cases")
        assert ran.code == 0
        names = sorted(path.name for path in Path("cases").iterdir())
        assert names == [".tdgen", "draft.json", "test_double.py", "test_quadruple.py"]
        assert "def test_" in Path("cases/test_double.py").read_text()

    def test_a_folder_with_other_files(self, draft):
        """Is somebody's."""
        Path("cases").mkdir()
        Path("cases/mine.txt").write_text("mine")
        assert draft("tests", "-o", "cases").code == 2

    def test_of_an_edited_plan(self, draft, tdgen, said):
        """The plan is taken as it is."""
        draft("plan", "-o", "plan.json")
        ran = tdgen("tests", "--plan", "plan.json", "--script", said.forget("plan", "", 1).path)
        assert ran.code == 0
        assert "quadruple: 5 cases" in ran.out


class TestAnotherInstruction:
    """A plan is built for the instruction that it was made from: whether it covers another, nobody could say."""

    @pytest.fixture(autouse=True)
    def planned(self, draft):
        draft("plan", "-o", "plan.json")

    def test_is_refused(self, tdgen, said):
        """In one line, before any work."""
        ran = tdgen("solve", "--plan", "plan.json", "double, triple and quadruple", "--script", said.path)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == (
            "tdgen: the plan was made from another instruction ('double(n) and quadruple(n); double(4) is 8'): leave "
            "the text out to build what is planned, or plan the new text with `tdgen plan`\n"
        )

    def test_the_same_in_other_lines_is_no_other(self, tdgen, said, instruction):
        """White space says nothing."""
        text = instruction.replace(" ", "\n")
        assert tdgen("solve", "--plan", "plan.json", text, "--script", said.path).code == 0

    def test_edited_in_the_file_is_refused_where_the_plan_was_not(self, tdgen):
        """Who edits both has thought of it."""
        content = json.loads(Path("plan.json").read_text())
        content["instruction"] += ". And triple."
        Path("plan.json").write_text(json.dumps(content))
        ran = tdgen("solve", "--plan", "plan.json")
        assert ran.code == 2
        assert ran.err.startswith("tdgen: plan.json: the instruction was edited and its plan was not: edit the plan")
        content["plan"]["summary"] = "Doubling, and tripling."
        Path("plan.json").write_text(json.dumps(content))
        assert "the instruction was edited" not in tdgen("solve", "--plan", "plan.json").err


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("not json", "tdgen: plan.json is no JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[]", "tdgen: plan.json is no plan of tdgen's: make one with `tdgen plan TEXT -o plan.json`"),
        ('{"format": 2, "plan": {}}', "tdgen: plan.json is of format 2, this tdgen reads 1: upgrade tdgen"),
    ],
)
def test_a_plan_file_that_can_not_be_used(tdgen, content: str, line: str):
    """One line, before any work."""
    Path("plan.json").write_text(content)
    ran = tdgen("solve", "--plan", "plan.json")
    assert (ran.code, ran.err) == (2, line + "\n")
