"""`tdgen solve`, from arguments to files: the real pipeline and sandbox, answered by a script."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def solve(tdgen, said, instruction):
    """Solve the instruction at trust level quick with what was said."""

    def call(*arguments: object, text: str = instruction):
        return tdgen("solve", text, "--script", said.path, "--trust", "quick", *arguments)

    return call


class TestGreen:
    """All that is asked for is right."""

    def test_the_module_is_the_result(self, solve, said):
        """On stdout, as source; all else on stderr, in plain lines."""
        said.green()
        ran = solve()
        assert ran.code == 0
        assert [node.name for node in ast.parse(ran.out).body if isinstance(node, ast.FunctionDef)] == [
            "double",
            "quadruple",
        ]
        assert "developer double: attempt 1: 1 of 6 cases pass" in ran.err
        assert "developer double: attempt 2: all 6 cases pass" in ran.err
        assert "green     quadruple  5 cases, 1 attempt" in ran.err
        assert "all green: 2 functions\n" in ran.err
        assert "\x1b" not in ran.err

    def test_json_is_the_whole_solution(self, solve, said, instruction):
        """One document, and nothing else on stdout."""
        said.green()
        ran = solve("--json")
        assert ran.code == 0
        assert ran.document["instruction"] == instruction
        assert ran.document["all_tests_passed"] is True
        assert set(ran.document["implementations"]) == {"double", "quadruple"}

    def test_a_folder_gets_everything(self, solve, said):
        """The module, its tests, the record; stdout stays empty."""
        said.green()
        ran = solve("--out", "out")
        assert (ran.code, ran.out) == (0, "")
        names = ["__init__.py", "doubling.py", "test_double.py", "test_quadruple.py"]
        assert sorted(path.name for path in Path("out").iterdir()) == [".tdgen", *names]
        assert ran.last == f"wrote out/: {', '.join(names)}"

    def test_a_file_gets_the_module_alone(self, solve, said):
        """And a line says so."""
        said.green()
        ran = solve("-o", "mine.py")
        assert (ran.code, ran.out) == (0, "")
        assert "def quadruple" in Path("mine.py").read_text()
        assert ran.last == "wrote mine.py: the module alone (name a folder to get its tests too)"

    def test_quiet_is_quiet(self, solve, said):
        """The result and nothing else."""
        said.green()
        ran = solve("--quiet")
        assert ran.err == ""
        assert "def double" in ran.out

    def test_verbose_tells_each_call(self, solve, said):
        """With what it was for and what it took."""
        said.green()
        err = solve("--verbose").err
        assert "model     asked for cases of double, attempt 1" in err
        assert "model     answered repair of double, attempt 2: " in err

    def test_the_same_again_comes_from_the_cache(self, solve, said):
        """Without a model: the script has no answer left."""
        said.green()
        first = solve()
        path = said.path
        path.write_text(path.read_text())
        again = solve()
        assert again.out == first.out
        assert "all green: 2 functions (from the cache)" in again.err
        assert "planner" not in again.err

    def test_fresh_asks_anew(self, solve, said):
        """Whatever is kept."""
        said.green()
        solve()
        assert "planner   asked for the plan" in solve("--fresh").err

    def test_a_transcript_is_kept(self, solve, said):
        """Every prompt and answer as files."""
        said.green()
        solve("--transcript", "talk")
        assert len(list(Path("talk").glob("*.md"))) == 6


class TestNotGreen:
    """What is not right is given all the same, and called what it is."""

    def test_the_failing_cases_are_shown(self, solve, said):
        """The smallest first, a few of them, with what was expected and what came."""
        said.red()
        ran = solve()
        assert ran.code == 1
        assert "red       double     6 cases, 4 attempts: not right after 4 attempts\n" in ran.err
        assert "          double(0): 1, expected 0\n" in ran.err
        assert "          and 2 failing cases more\n" in ran.err
        assert "not all green: 0 of 2 functions" in ran.err
        assert ran.last == (
            "its best attempts and their tests: tdgen show (tdgen cache list has its key), or --out FOLDER"
        )

    def test_the_best_attempt_is_marked(self, solve, said):
        """In the module's first line, wherever it goes."""
        said.red()
        mark = "# Not all of this is right: double is red, quadruple is blocked.\n"
        assert solve().out.startswith(mark)
        assert solve("-o", "mine.py").code == 1
        assert Path("mine.py").read_text().startswith(mark)
        assert solve("-o", "out").code == 1
        assert Path("out/doubling.py").read_text().startswith(mark)

    def test_json_says_so(self, solve, said):
        """By its contract and by the exit code."""
        said.red()
        ran = solve("--json")
        assert (ran.code, ran.document["all_tests_passed"]) == (1, False)

    def test_a_budget_that_ends_before_the_work(self, solve, said):
        """Is said as soon as the plan is there: what it would take, and how to allow it."""
        said.green()
        ran = solve("--budget", "calls=3")
        assert ran.code == 3
        assert ran.last == (
            "tdgen: the plan has 2 functions and needs 4 more model calls, 2 are left: raise --budget calls=5, or ask "
            "for less"
        )

    def test_a_budget_that_ends_on_the_way(self, solve, said):
        """What there is by then is given, and the exit code says why it is not more."""
        said.red().say("plan", said.plan | {"functions": [said.function("double")]})
        ran = solve("--budget", "calls=4", "-o", "out")
        assert ran.code == 3
        assert "stopped: the budget of 4 model calls is spent: raise --budget calls=N" in ran.err
        assert "red       double  6 cases, 2 attempts: the budget of 4 model calls is spent" in ran.err
        assert "def double" in Path("out/doubling.py").read_text()

    def test_a_budget_of_which_the_rest_is_owed(self, solve, said):
        """No repair of one function takes the call without which nothing is written for another."""
        said.red()
        ran = solve("--budget", "calls=6", "-o", "out")
        assert ran.code == 3
        owed = "what is left of the budget of 6 model calls is owed to functions that have nothing yet"
        assert f"stopped: {owed}: raise --budget calls=N" in ran.err
        assert "def quadruple" in Path("out/doubling.py").read_text()


class TestOut:
    """What can't be written is found out before any work is paid for."""

    @pytest.fixture(autouse=True)
    def nothing_said(self, said) -> None:
        """A script without an answer: whoever asks the model fails otherwise."""
        said.path.write_text('{"answers": []}')

    def test_a_folder_with_other_files(self, solve):
        """Is not written to unasked."""
        Path("out").mkdir()
        Path("out/mine.txt").write_text("mine")
        ran = solve("-o", "out")
        assert (ran.code, ran.err) == (
            2,
            "tdgen: out holds other files: name another folder, or add --force to write beside them\n",
        )

    def test_a_file_in_the_way_of_a_folder(self, solve):
        """Names both ways out."""
        Path("out").write_text("mine")
        ran = solve("-o", "out")
        assert (ran.code, ran.err) == (
            2,
            "tdgen: out is a file: name a folder, or end the name in .py for the module alone\n",
        )

    def test_a_file_that_is_there(self, solve):
        """Is somebody's."""
        Path("mine.py").write_text("mine = 1\n")
        ran = solve("-o", "mine.py")
        assert (ran.code, ran.err) == (
            2,
            "tdgen: mine.py is there, and not as tdgen wrote it: move it away, or name another place\n",
        )

    @pytest.mark.parametrize("out", ["/proc/self/out", "/proc/self/mine.py"])
    def test_a_place_that_can_not_be_written(self, solve, out: str):
        """Whoever one is."""
        ran = solve("-o", out)
        assert ran.code == 2
        assert ran.err.startswith("tdgen: can't write to /proc/self")
        assert ran.err.count("\n") == 1


class TestOutAgain:
    """Writing to where something was written before."""

    def test_what_nobody_touched_is_replaced(self, solve, said):
        """By the same, or by what a changed instruction makes; what is no part of it any more goes."""
        said.green()
        solve("-o", "out")
        assert solve("-o", "out").code == 0
        Path("mine").write_text("")
        assert "tdgen: mine is a file: name a folder" in solve("-o", "mine").err  # what is cached knows its layout
        said.say("plan", said.plan | {"functions": [said.function("double")]})
        ran = solve("-o", "out", text="double(n); double(4) is 8")
        assert ran.code == 0
        assert not Path("out/test_quadruple.py").exists()

    def test_what_somebody_changed_is_not(self, solve, said):
        """Unless forced, and that is found out before any work."""
        said.green()
        solve("-o", "out")
        Path("out/doubling.py").write_text("mine = 1\n")
        said.path.write_text('{"answers": []}')
        ran = solve("-o", "out", text="double(n); double(4) is 8")
        assert ran.code == 2
        assert ran.err.startswith("tdgen: out/doubling.py was changed since tdgen wrote it: ")
        assert ran.err.endswith(", or add --overwrite to replace it\n")

    def test_overwriting_replaces_it(self, solve, said):
        """And leaves what is beside it alone; to write beside others' files is no such word."""
        said.green()
        solve("-o", "out")
        Path("out/doubling.py").write_text("mine = 1\n")
        Path("out/mine.txt").write_text("mine")
        assert solve("-o", "out", "--force").code == 2
        assert Path("out/doubling.py").read_text() == "mine = 1\n"
        assert solve("-o", "out", "--overwrite").code == 0
        assert "def double" in Path("out/doubling.py").read_text()
        assert Path("out/mine.txt").read_text() == "mine"

    def test_beside_a_project_nothing_of_it_changes(self, solve, said):
        """Its README, its tests' settings, and a module of the very name."""
        said.green()
        mine = {"README.md": "mine", "conftest.py": "", "setup.py": "mine = 1\n"}
        for name, text in mine.items():
            Path(name).write_text(text)
        assert solve("-o", ".").code == 2
        assert solve("-o", ".", "--force").code == 0
        assert {name: Path(name).read_text() for name in mine} == mine
        assert "from doubling import double" in Path("test_double.py").read_text()
        assert not Path("__init__.py").exists()
        assert solve("-o", ".", "--force", "--readme").code == 2
        assert Path("README.md").read_text() == "mine"

    def test_what_is_wanted_else(self, solve, said):
        """Another layout, a README, no record beside it."""
        said.green()
        assert solve("-o", "out", "--layout", "src", "--readme", "--no-record").code == 0
        assert sorted(path.name for path in Path("out").iterdir()) == ["README.md", "src", "tests"]
        assert solve("-o", "out", "--layout", "deep").err == (
            "tdgen: there is no layout deep: it is package, flat, src or single\n"
        )


class TestBadAnswers:
    """What a model may say instead of an answer: one line, or an honest red."""

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            ("", "the answer is empty"),
            ("Sure! Here is your plan.", "the answer holds no JSON"),
            ('{"module": "doubling", "functions": [', "JSON"),
            ('{"plan": "double it"}', "the plan has no function"),
            ('["double"]', "a JSON object is wanted here"),
        ],
    )
    def test_no_plan_twice(self, solve, said, answer: str, reason: str):
        """The model is told why, once; then it is an error that says so."""
        said.say("plan", answer).say("plan", answer, attempt=2)
        ran = solve()
        assert (ran.code, ran.out) == (2, "")
        assert ran.last.startswith("tdgen: no usable plan came of the instruction: ")
        assert reason in ran.last

    def test_a_plan_that_was_cut_off(self, solve, said):
        """Is told apart from a bad one."""
        for attempt in (1, 2):
            said.say("plan", json.dumps(said.plan)[:50], attempt=attempt, finish_reason="length")
        ran = solve()
        assert ran.code == 2
        assert "the answer was cut off at " in ran.last

    def test_an_instruction_that_is_out_of_scope(self, solve, said):
        """One line with the planner's reason; nothing is written, and nothing but the plan was asked for."""
        said.say("plan", {"declined": "A class with methods is out of scope: ask for functions.", "functions": []})
        ran = solve("--out", "made", text="A class Stack with push and pop.")
        assert (ran.code, ran.out) == (2, "")
        assert ran.last == ("tdgen: declined: A class with methods is out of scope: ask for functions.")
        assert not Path("made").exists()

    def test_a_refusal(self, solve, said):
        """Is not asked for twice."""
        said.say("plan", "I can't help with that.", finish_reason="refusal")
        ran = solve()
        assert ran.code == 2
        assert "the model refused to answer: I can't help with that." in ran.last

    def test_a_cycle_of_dependencies_on_unknown_names(self, solve, said):
        """Is refused with the names."""
        functions = [said.function("a_one", "b_two"), said.function("c_three", "a_one", "d_four")]
        plan = said.plan | {"functions": functions, "examples": []}
        said.say("plan", plan).say("plan", plan, attempt=2)
        ran = solve()
        assert ran.code == 2
        assert "function 'a_one': depends on 'b_two', which is not among the functions" in ran.last
        assert "'d_four'" in ran.last

    def test_a_thousand_functions(self, solve, said):
        """Are more than anybody asked for."""
        plan = said.plan | {"functions": [said.function(f"f_{n}") for n in range(1000)], "examples": []}
        said.say("plan", plan).say("plan", plan, attempt=2)
        ran = solve()
        assert ran.code == 2
        assert "the plan has 1000 functions, at most 200 are allowed: plan coarser ones" in ran.last

    @pytest.mark.parametrize("answer", ["", "nothing", '{"cases": []}', '{"tests": []}'])
    def test_no_cases_twice(self, solve, said, answer: str):
        """A function without pinned and without cases can't be judged, and is not called right."""
        said.green().say("cases", answer, "quadruple").say("cases", answer, "quadruple", 2)
        ran = solve()
        assert ran.code == 1
        assert "undecided quadruple  0 cases" in ran.err
        assert "green     double     6 cases" in ran.err

    def test_cases_that_contradict_each_other(self, solve, said):
        """Neither counts; the others decide."""
        contradicting = said.cases(4)
        contradicting["cases"].append({"name": "odd", "arguments": ["3"], "expect": "value", "value": "13"})
        said.green().say("cases", contradicting, "quadruple").say("cases", contradicting, "quadruple", 2)
        ran = solve()
        assert ran.code == 0
        assert (
            "quadruple: the case odd was quarantined: `quadruple(3)` returns `13`: it contradicts the case 'three'"
            in ran.err
        )

    @pytest.mark.parametrize(
        ("answer", "finding"),
        [
            ("", "no"),
            ("```python\ndef double(n: int) -> int:\n    return n +\n```", "does not parse"),
            ("```python\ndef triple(n: int, times: int) -> int:\n    return n\n```", "double"),
            ("I would multiply.", "no"),
        ],
    )
    def test_code_that_can_not_be_used(self, solve, said, answer: str, finding: str):
        """Is an attempt that is not run; the next one is told why."""
        said.green().say("implement", answer, "double")
        ran = solve()
        assert ran.code == 0
        told = next(line for line in ran.err.splitlines() if "double: attempt 1" in line)
        assert "not run: " in told
        assert finding in told

    @pytest.mark.parametrize(
        "answer",
        [
            "```python\ndef double(n: int) -> int:\n    return math.floor(2 * n)\n```",
            "def double(n: int) -> int:\n    return 2 * n",
        ],
    )
    def test_code_that_needs_no_thought(self, solve, said, answer: str):
        """Is mended without asking again: an import or a fence that is missing."""
        said.green().forget("repair", "double", 2)
        said.say("implement", answer, "double")
        ran = solve()
        assert ran.code == 0
        assert "developer double: attempt 1: all 6 cases pass" in ran.err

    def test_a_script_without_the_answer(self, solve, said):
        """Names what it would have been asked."""
        said.green().forget("implement", "quadruple", 1)
        ran = solve()
        assert ran.code == 4
        assert "has no answer for implement of quadruple, attempt 1" in ran.last

    def test_what_a_model_says_commands_no_terminal(self, solve, said):
        """Escapes are shown as what they are."""
        question = {"question": "\x1b]0;owned\x07?", "assumption": "\x1b[2J[bold]no[/bold]"}
        said.green().say("plan", said.plan | {"questions": [question]})
        ran = solve()
        assert "\x1b" not in ran.err
        assert "unclear: \\x1b]0;owned\\x07? Assumed: \\x1b[2J[bold]no[/bold]" in ran.err


class TestHandedIn:
    """What comes with the instruction."""

    def test_an_edited_plan_needs_no_instruction(self, tdgen, said, instruction):
        """It holds its own; the planner is not asked."""
        said.green()
        tdgen("plan", instruction, "--script", said.path, "-o", "plan.json")
        plan = json.loads(Path("plan.json").read_text())
        plan["plan"]["summary"] = "Doubles, as I say."
        Path("plan.json").write_text(json.dumps(plan))
        said.forget("plan", "", 1)
        ran = tdgen("solve", "--plan", "plan.json", "--script", said.path, "--trust", "quick")
        assert ran.code == 0
        assert ran.out.startswith('"""Doubles, as I say."""')

    def test_a_case_of_the_users_is_law(self, tdgen, said, instruction):
        """Changed in the file, it decides, and no model may say otherwise."""
        said.green()
        tdgen("tests", instruction, "--script", said.path, "-o", "cases.json")
        draft = json.loads(Path("cases.json").read_text())
        case = draft["suites"][0]["cases"][1]
        case["expectation"]["source"] = "1000"
        Path("cases.json").write_text(json.dumps(draft))
        ran = tdgen("solve", "--plan", "cases.json", "--script", said.red().path, "--trust", "quick", "--json")
        assert ran.code == 1
        found = [kept for kept in ran.document["tests"]["double"] if kept["name"] == case["name"]]
        assert [kept["provenance"] for kept in found] == ["user"]

    def test_the_users_own_tests_are_law(self, solve, said):
        """What they assert becomes cases."""
        Path("test_mine.py").write_text(
            "from doubling import double\n\n\ndef test_double_of_seven():\n    assert double(7) == 14\n"
        )
        said.green()
        ran = solve("--tests", "test_mine.py", "--json")
        assert ran.code == 0
        assert [case["provenance"] for case in ran.document["tests"]["double"][:1]] == ["user"]

    def test_several_files_of_own_tests_are_law(self, solve, said):
        """Each of them."""
        for name, function, value in (("one", "double", 14), ("two", "quadruple", 28)):
            source = f"from doubling import {function}\n\n\ndef test_seven():\n    assert {function}(7) == {value}\n"
            Path(f"test_{name}.py").write_text(source)
        said.green()
        ran = solve("--tests", "test_one.py", "--tests", "test_two.py", "--json")
        assert ran.code == 0
        for function in ("double", "quadruple"):
            assert [case["name"] for case in ran.document["tests"][function] if case["provenance"] == "user"] == [
                "seven"
            ]

    def test_following_a_kept_solution(self, solve, tdgen, said):
        """Its instruction goes before the new one."""
        said.green()
        key = solve("--json").document["key"]
        ran = tdgen("solve", "and halves", "--follow", key[7:19], "--script", said.path, "--trust", "quick", "--json")
        assert ran.code == 0
        assert ran.document["follows"] == key
        assert ran.document["instruction"].endswith("and halves")

    def test_following_a_folder(self, solve, tdgen, said):
        """What `show` and `verify` take, --follow takes as well; nothing need be kept of it."""
        said.green()
        solve("-o", "doubles")
        tdgen("cache", "clear", "--all")
        ran = tdgen("solve", "and halves", "--follow", "doubles", "--script", said.path, "--trust", "quick", "--json")
        assert ran.code == 0
        assert ran.document["follows"] == tdgen("show", "doubles", "--json").document["key"]

    def test_following_nothing(self, tdgen):
        """Says where to look."""
        ran = tdgen("solve", "and halves", "--follow", "abcd")
        line = "tdgen: no kept solution's key starts with abcd: `tdgen cache list` shows them all\n"
        assert (ran.code, ran.err) == (2, line)


class TestDryRun:
    """What it would cost, without asking anybody."""

    def test_a_table_for_some_sizes(self, tdgen):
        """One call for the plan and two a function."""
        ran = tdgen("solve", "double(n)", "--dry-run")
        rows = [line.split() for line in ran.out.splitlines()[1:4]]
        assert [row[:2] for row in rows] == [["1", "3"], ["3", "7"], ["5", "11"]]
        assert (ran.code, ran.err) == (0, "")

    def test_a_plan_is_counted_exactly(self, tdgen, said, instruction):
        """No call for the plan, none for cases that are there."""
        said.green()
        tdgen("tests", instruction, "--script", said.path, "-o", "cases.json")
        document: Any = tdgen("solve", "--plan", "cases.json", "--dry-run", "--json").document
        assert [(e["functions"], e["calls"]) for e in document["estimates"]] == [(2, 2)]
        assert document["cached"] is False

    def test_what_is_kept_costs_nothing(self, solve, said):
        """And that is said."""
        said.green()
        solve()
        assert "in the cache: it would cost nothing" in solve("--dry-run").out
