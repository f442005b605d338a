"""`tdgen sync`, from a record to a project's files: the real pipeline and sandbox, answered by a script."""

import json
import subprocess
from pathlib import Path

import pytest

from tdgen.client import Generator
from tdgen.project.applying import apply_changes
from tdgen.project.recorded import NAME, changed_record, recorded_units

MODULE = '''"""Prices in cents."""


def gross(net: int) -> int:
    """The price with 20 percent of tax, rounded down."""
    return net * 120 // 100


def half(net: int) -> int:
    """Half of a price, rounded down."""
    return net // 2
'''
TEST = "from shop import {0}\n\n\ndef test_{0}() -> None:\n    assert {0}(10) == {1}\n"
NEW_DOCS = MODULE.replace("20 percent", "50 percent")
OUTSIDE = '{{"format": 1, "units": {{"{}::f": {{"signature": "", "docs": "", "code": "", "tests": {{{}}}}}}}}}'
ANSWER = "def gross(net: int) -> int:\n    return net * 150 // 100\n"


@pytest.fixture
def shop(bare_environment, warm):
    """A project with two units that were made, in the working directory; the module's path."""
    tests = {name: {f"tests/test_{name}.py": TEST.format(name, value)} for name, value in [("gross", 12), ("half", 5)]}
    files = {"pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n', "shop.py": MODULE}
    for path, text in {**files, **tests["gross"], **tests["half"]}.items():
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(text)
    bare_environment(Path())
    apply_changes(changed_record(Path.cwd(), recorded_units("shop.py", MODULE, {"gross", "half"}, tests)))
    return Path("shop.py")


@pytest.fixture
def answers(said):
    """What leads to a green `gross` of 50 percent; the script's path."""
    contract = {
        "name": "gross",
        "purpose": "The price with 50 percent of tax.",
        "parameters": [{"name": "net", "type": "int"}],
        "returns": "int",
        "dependencies": [],
    }
    said.say("plan", {"module": "shop", "summary": "Prices.", "functions": [contract], "questions": []})
    values = {"ten": (10, 15), "one": (1, 1), "none": (0, 0), "three": (3, 4)}
    cases = [
        {"name": name, "call": f"gross({given})", "expect": "value", "value": str(value)}
        for name, (given, value) in values.items()
    ]
    said.say("cases", {"cases": cases}, "gross").say("implement", f"```python\n{ANSWER}```", "gross")
    return said.path


def recorded(name: str) -> dict[str, object]:
    """A unit's entry."""
    entry: dict[str, object] = json.loads(Path(NAME).read_text())["units"][f"shop.py::{name}"]
    return entry


class TestTelling:
    """To look costs no call and writes nothing."""

    def test_all_is_as_recorded(self, tdgen, shop):
        """Exit code 0."""
        ran = tdgen("sync")
        assert (ran.code, ran.out, ran.err) == (0, "", "2 units: all as tdgen left them\n")

    def test_what_it_would_cost_is_estimated(self, tdgen, shop):
        """Of what is to be written anew; no model is asked."""
        assert "--apply would ask no model" in tdgen("sync", "--apply", "--dry-run").err
        shop.write_text(NEW_DOCS)
        ran = tdgen("sync", "--apply", "--dry-run")
        assert (ran.code, shop.read_text()) == (1, NEW_DOCS)
        assert "to write anew in shop.py: gross" in ran.err
        assert ran.out.startswith("functions  model calls")

    def test_a_project_without_a_record(self, tdgen, shop):
        """Nothing was made there, and nothing is wrong."""
        Path(NAME).unlink()
        ran = tdgen("sync")
        assert (ran.code, ran.err) == (0, f"tdgen has made nothing in {Path.cwd()} yet: tdgen.json is not there\n")

    def test_changed_docs_are_shown_as_a_diff(self, tdgen, shop):
        """Beside what did not change; the record keeps what the docs were."""
        shop.write_text(NEW_DOCS)
        ran = tdgen("sync")
        assert ran.code == 1
        assert "shop.py:4: gross: its docs changed\n" in ran.err
        assert "    -The price with 20 percent of tax, rounded down.\n" in ran.err
        assert "    +The price with 50 percent of tax, rounded down.\n" in ran.err
        assert "\n1 of 2 units not as tdgen left them\n" in ran.err
        assert ran.last == "`tdgen sync --apply` writes anew, tests first, what has other docs"

    def test_where_both_changed_both_are_shown(self, tdgen, shop):
        """The code as it was comes from git."""
        for words in (
            ["init", "-q"],
            ["add", "."],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
        ):
            subprocess.run(["git", *words], check=True, timeout=20)
        shop.write_text(NEW_DOCS.replace("120", "130"))
        ran = tdgen("sync")
        assert ran.code == 1
        assert "shop.py:4: gross: its docs changed, its code changed\n" in ran.err
        assert "    -    return net * 120 // 100\n" in ran.err
        assert "    +    return net * 130 // 100\n" in ran.err
        assert ran.last.startswith("`tdgen sync --apply --ask` asks which side holds")

    def test_without_git_the_code_as_it_was_is_nowhere(self, tdgen, shop):
        """Which is said."""
        shop.write_text(NEW_DOCS.replace("120", "130"))
        assert "the code as it was is in none of the last commits" in tdgen("sync").err

    def test_a_unit_that_moved_is_found(self, tdgen, shop):
        """By its docs and code, under another name, too."""
        Path("prices.py").write_text(MODULE.replace("def gross", "def with_tax"))
        shop.write_text(MODULE.replace("def gross", "def other").replace("120", "1"))
        assert ": with_tax: was shop.py::gross when tdgen wrote it\n" in tdgen("sync").err

    def test_what_somebody_has_to_mend_first_is_told_alone(self, tdgen, shop):
        """What --apply would leave as it is gets no advice to apply."""
        shop.write_text(f"{MODULE}def (")
        assert tdgen("sync").last == "2 of 2 units not as tdgen left them"
        shop.unlink()
        assert tdgen("sync").last == "`tdgen sync --apply` records what moved or is gone"

    def test_a_record_that_an_editor_gave_a_mark_is_read(self, tdgen, shop):
        """The bytes that some put before UTF-8."""
        Path(NAME).write_text(Path(NAME).read_text(), encoding="utf-8-sig")
        assert tdgen("sync").code == 0

    def test_paths_choose(self, tdgen, shop):
        """A module, a folder, or a unit; what is not recorded is refused."""
        shop.write_text(NEW_DOCS)
        assert tdgen("sync", "shop.py::half").code == 0
        assert tdgen("sync", ".").code == 1
        ran = tdgen("sync", "shop.py::grss")
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert "tdgen made nothing of shop.py::grss" in ran.err

    def test_as_json(self, tdgen, shop):
        """All that differs."""
        shop.write_text(NEW_DOCS)
        document = tdgen("sync", "--json").document
        assert (document["units"], document["applied"], document["gone"]) == (2, False, [])
        assert [(one["unit"], one["told"]) for one in document["drifted"]] == [("shop.py::gross", "its docs changed")]

    @pytest.mark.parametrize("has_changed", [True, False])
    def test_reports_for_a_code_host(self, tdgen, shop, has_changed):
        """They are written also where all is as it was: so the host closes what it had before."""
        if has_changed:
            shop.write_text(NEW_DOCS)
        ran = tdgen("sync", "--sarif", "out.sarif", "--markdown", "out.md")
        found = json.loads(Path("out.sarif").read_text())["runs"][0]["results"]
        assert (ran.code, [one["message"]["text"] for one in found]) == (
            (1, ["gross: its docs changed"]) if has_changed else (0, [])
        )
        row = "| shop.py::gross | its docs changed |\n\n1 of 2 units not as tdgen left them\n"
        assert (row in Path("out.md").read_text()) == has_changed

    @pytest.mark.parametrize(
        "text",
        [
            "{",
            '{"format": 9}',
            OUTSIDE.format("/etc/x.py", ""),
            OUTSIDE.format("../x.py", ""),
            OUTSIDE.format("x.py", '"../test_x.py": ""'),
        ],
    )
    def test_a_record_that_can_not_be_read(self, tdgen, shop, text):
        """One line, exit code 2, and it stays; so does one that leads out of the project."""
        Path(NAME).write_text(text)
        ran = tdgen("sync", "--apply")
        assert (ran.code, ran.err.count("\n"), Path(NAME).read_text()) == (2, 1, text)

    def test_to_be_asked_needs_a_terminal(self, tdgen, shop):
        """Else what is in conflict is left."""
        ran = tdgen("sync", "--ask")
        assert (ran.code, ran.last.partition(":")[0]) == (
            2,
            "tdgen: --ask needs a terminal to ask at".partition(":")[0],
        )


@pytest.mark.slow
class TestApplying:
    """What brings docs, code and tests together."""

    def test_changed_docs_are_written_anew(self, tdgen, shop, answers):
        """The body, and the unit's own tests; all else stays byte for byte."""
        shop.write_text(NEW_DOCS)
        other = recorded("half")
        ran = tdgen("sync", "--apply", "--script", answers, "--trust", "quick")
        assert ran.code == 0, ran.err
        assert shop.read_text() == NEW_DOCS.replace("net * 120 // 100", "net * 150 // 100")
        assert "gross(10) == 15" in Path("tests/test_gross.py").read_text()
        assert Path("tests/test_half.py").read_text() == TEST.format("half", 5)
        assert recorded("half") == other
        assert tdgen("sync").code == 0

    def test_a_module_that_changed_meanwhile_is_left_as_it_is(self, tdgen, said, shop, answers, monkeypatch):
        """With its tests and the record, also where its new code is that which stands there."""
        docs = MODULE.replace("20 percent", "a fifth")
        values = {"ten": (10, 12), "one": (1, 1), "none": (0, 0), "three": (3, 3)}
        cases = [
            {"name": name, "call": f"gross({given})", "expect": "value", "value": str(value)}
            for name, (given, value) in values.items()
        ]
        said.say("cases", {"cases": cases}, "gross")
        said.say("implement", f"```python\n{ANSWER.replace('150', '120')}```", "gross")
        solve, before = Generator.solve, Path(NAME).read_text()

        def meanwhile(generator, *given):
            solution = solve(generator, *given)
            shop.write_text(f"{docs}# mine\n")
            return solution

        monkeypatch.setattr(Generator, "solve", meanwhile)
        shop.write_text(docs)
        ran = tdgen("sync", "--apply", "--script", said.path, "--trust", "quick")
        assert ran.code == 2, ran.err
        assert "shop.py was changed since it was read: nothing is written" in ran.last
        assert (shop.read_text(), Path(NAME).read_text()) == (f"{docs}# mine\n", before)

    @pytest.mark.parametrize("text", ["# mine\n", None])
    def test_its_tests_that_changed_meanwhile_are_left_as_they_are(self, tdgen, shop, answers, monkeypatch, text):
        """Edited or removed while the model was asked: nothing is written, the module and the record neither."""
        solve, before, tests = Generator.solve, Path(NAME).read_text(), Path("tests/test_gross.py")

        def meanwhile(generator, *given):
            solution = solve(generator, *given)
            tests.unlink()
            if text is not None:
                tests.write_text(text)
            return solution

        monkeypatch.setattr(Generator, "solve", meanwhile)
        shop.write_text(NEW_DOCS)
        ran = tdgen("sync", "--apply", "--script", answers, "--trust", "quick")
        assert ran.code == 2, ran.err
        assert ran.last.startswith("tdgen: tests/test_gross.py ")
        assert "nothing is written" in ran.last
        assert (tests.read_text() if tests.exists() else None, Path(NAME).read_text()) == (text, before)
        assert shop.read_text() == NEW_DOCS

    def test_a_record_that_can_not_be_written_is_told_before_a_model_is_asked(self, tdgen, said, shop):
        """A link is none of the project's files."""
        shop.write_text(NEW_DOCS)
        Path("record").write_text(Path(NAME).read_text())
        Path(NAME).unlink()
        Path(NAME).symlink_to("record")
        ran = tdgen("sync", "--apply", "--script", said.path)
        assert (ran.code, ran.last) == (2, "tdgen: tdgen.json is a link: nothing is written")

    def test_edited_code_whose_tests_pass_is_recorded(self, tdgen, shop):
        """No model is asked."""
        shop.write_text(MODULE.replace("net // 2", "net >> 1"))
        ran = tdgen("sync", "--apply")
        assert ran.code == 0, ran.err
        assert "wrote tdgen.json" in ran.err
        assert tdgen("sync").code == 0

    def test_edited_code_whose_tests_fail_is_told(self, tdgen, shop):
        """With the command that looks for the fault; the record stays."""
        shop.write_text(MODULE.replace("net // 2", "net // 3"))
        before = Path(NAME).read_text()
        ran = tdgen("sync", "--apply")
        assert ran.code == 1
        assert "not recorded, as its tests do not pass: `tdgen fix tests/test_half.py` looks for why" in ran.err
        assert Path(NAME).read_text() == before

    def test_what_is_gone_is_taken_off(self, tdgen, shop):
        """With the module's other units as they are."""
        shop.write_text(MODULE.partition("\n\n\ndef half")[0] + "\n")
        assert tdgen("sync", "--apply").code == 0
        assert list(json.loads(Path(NAME).read_text())["units"]) == ["shop.py::gross"]

    def test_a_conflict_is_left_as_it_is(self, tdgen, shop):
        """No winner is picked."""
        text = NEW_DOCS.replace("120", "130")
        shop.write_text(text)
        ran = tdgen("sync", "--apply")
        assert ran.code == 1
        assert "shop.py::gross is left as it is: its docs changed, its code changed" in ran.err
        assert shop.read_text() == text

    def test_a_module_that_does_not_parse_keeps_its_units(self, tdgen, shop):
        """It may do so again."""
        shop.write_text("def (")
        before = Path(NAME).read_text()
        ran = tdgen("sync", "--apply")
        assert (ran.code, Path(NAME).read_text()) == (1, before)
