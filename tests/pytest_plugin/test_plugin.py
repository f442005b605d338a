"""The pytest plugin, in runs of pytest in projects of their own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tdgen.project.applying import apply_changes
from tdgen.project.recorded import NAME, changed_record, recorded_units

MODULE = '''def gross(net: int) -> int:
    """The price with 20 percent of tax, rounded down."""
    return net * 120 // 100


class Till:
    """A till."""

    def add(self, cents: int) -> int:
        """The cents; ValueError where these are negative."""
        if cents < 0:
            raise ValueError("negative")
        return cents
'''
TESTS = """
import pytest
import shop

@pytest.mark.parametrize("net", [10, 20])
def test_gross(net):
    assert shop.gross(net) == 12

def test_raises():
    getattr(shop.Till(), "a" "dd")(-1)

def test_other():
    assert shop.__name__ == "till"
"""
DEEP = "[" * 100_000
LATER = json.dumps({"format": 9})


@pytest.fixture
def shop(pytester):
    """A project with two units of a record, and tests of which three fail."""
    pytester.makefile(".toml", pyproject="[tool.pytest.ini_options]\npythonpath = ['.']\n")
    pytester.path.joinpath("shop.py").write_text(MODULE)
    pytester.path.joinpath("test_shop.py").write_text(TESTS)
    apply_changes(changed_record(pytester.path, recorded_units("shop.py", MODULE, {"gross", "Till.add"}, {})))
    return pytester


@pytest.fixture
def run(pytester):
    """Run pytest in the project; its result."""

    def run(*words):
        # Of the plugins around, these leave warnings of their own in a run within a run, or take long to be loaded.
        return pytester.runpytest_inprocess("-p", "no:schemathesis", "-p", "no:cacheprovider", *words)

    return run


class TestFailing:
    """A failing test of what tdgen made ends with the command."""

    def test_a_test_that_names_a_unit_or_fails_within_it(self, shop, run):
        """Each has its own line, ready for a shell; what tests something else has none."""
        ran = run()
        ran.stdout.fnmatch_lines(
            [
                "*to look for the fault*",
                "tdgen fix 'test_shop.py::test_gross[[]20[]]'",
                "*to look for the fault*",
                "tdgen fix test_shop.py::test_raises",
            ]
        )
        assert ran.stdout.str().count("tdgen fix") == 2

    def test_a_file_that_is_recorded_as_a_units(self, shop, run):
        """All of its tests are of that unit."""
        tests = {"gross": {"test_shop.py": TESTS}}
        apply_changes(changed_record(shop.path, recorded_units("shop.py", MODULE, {"gross"}, tests)))
        assert run().stdout.str().count("tdgen fix") == 3

    @pytest.mark.slow
    def test_several_processes(self, shop, run):
        """The first of them tells, once for each test."""
        assert run("-n", "1").stdout.str().count("tdgen fix") == 2

    def test_styles_of_tracebacks(self, shop, run):
        """What a style leaves out does not keep a test that names a unit from its line."""
        for style in ("native", "short", "no"):
            ran = run(f"--tb={style}")
            assert ran.stdout.str().count("tdgen fix 'test_shop.py::test_gross") == (style != "no")

    def test_without_a_record(self, shop, run):
        """No line, and nothing is said of it."""
        shop.path.joinpath(NAME).unlink()
        assert "tdgen fix" not in run().stdout.str()

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("{", "is damaged"),
            (DEEP, "is damaged"),
            (LATER, "was written by a later tdgen: install"),
        ],
        ids=["broken", "deep", "later"],
    )
    def test_a_record_that_can_not_be_read(self, shop, run, text, told):
        """One line says so, and the tests are told as ever."""
        shop.path.joinpath(NAME).write_text(text)
        ran = run()
        ran.assert_outcomes(failed=3, passed=1)
        assert ran.stdout.str().count(f"tdgen.json {told}") == 1

    def test_without_the_plugin(self, shop, run):
        """Pytest leaves it out by its name."""
        assert "tdgen fix" not in run("-p", "no:tdgen").stdout.str()


class TestVerifying:
    """`--tdgen-verify` compares the project with its record."""

    ONE = ("--tdgen-verify", "test_shop.py::test_gross[10]")

    def test_all_is_as_recorded(self, shop, run):
        """The run passes."""
        ran = run(*self.ONE)
        ran.stdout.fnmatch_lines(["2 units: all as tdgen left them"])
        assert ran.ret == 0

    def test_what_drifted_lets_the_run_fail(self, shop, run):
        """Each unit has a line that says what of it differs."""
        shop.path.joinpath("shop.py").write_text(
            MODULE.replace("20 percent", "a fifth").replace("return cents", "return +cents")
        )
        ran = run(*self.ONE)
        ran.stdout.fnmatch_lines(
            ["shop.py::Till.add: its code changed", "shop.py::gross: its docs changed", "2 of 2 units*"]
        )
        assert ran.ret == 1

    @pytest.mark.slow
    def test_several_processes(self, shop, run):
        """It is told once."""
        assert run("-n", "1", *self.ONE).stdout.str().count("all as tdgen left them") == 1

    def test_without_a_record(self, shop, run):
        """Nothing was made, and nothing is wrong."""
        shop.path.joinpath(NAME).unlink()
        ran = run(*self.ONE)
        ran.stdout.fnmatch_lines(["tdgen has made nothing in * yet: tdgen.json is not there"])
        assert ran.ret == 0

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("{", "*is damaged*"),
            ("[]", "*is damaged*"),
            (DEEP, "*nested too deeply*"),
            (LATER, "*a later tdgen: install that*"),
        ],
    )
    def test_a_record_that_can_not_be_read(self, shop, run, text, said):
        """It is bad usage: a line, and no test runs."""
        shop.path.joinpath(NAME).write_text(text)
        ran = run(*self.ONE)
        ran.stderr.fnmatch_lines([f"ERROR: tdgen.json {said}"])
        assert ran.ret == pytest.ExitCode.USAGE_ERROR

    def test_switched_off(self, shop, run):
        """As where the options stand in the project's settings, and the sandbox runs its tests."""
        assert "left" not in run("--no-tdgen", "--tdgen-guard", *self.ONE).stdout.str()


class TestGuarding:
    """`--tdgen-guard` says how strong the tests of what changed are."""

    @pytest.fixture
    def repository(self, shop, bare_environment):
        """The project in git, with a change of one function."""
        bare_environment(shop.path)
        words = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "commit", "-qm", "a"]
        for one in (["init", "-q"], ["add", "-A"], words):
            subprocess.run(["git", *one], check=True, cwd=shop.path)
        shop.path.joinpath("shop.py").write_text(MODULE.replace("net * 120", "120 * net"))

    @pytest.mark.slow
    @pytest.mark.timeout(240)
    def test_what_changed(self, repository, run):
        """Its mutants run in the sandbox, on the tests that run it; no model is needed."""
        ran = run("--tdgen-guard", "test_shop.py::test_gross")
        ran.stdout.fnmatch_lines(["shop.py::gross: * mutants killed by 1 test", "    no test fails with *"])
        assert "Till" not in ran.stdout.str().partition("how strong")[2]

    def test_nothing_changed(self, repository, run, shop):
        """A line says so."""
        shop.path.joinpath("shop.py").write_text(MODULE)
        run("--tdgen-guard").stdout.fnmatch_lines(["no function or method changed since HEAD"])

    def test_no_such_revision(self, repository, run):
        """A line says what to name."""
        ran = run("--tdgen-guard", "--tdgen-diff", "nowhere")
        ran.stdout.fnmatch_lines(["not told: git knows no revision 'nowhere' here: name a commit, a branch or a tag"])

    def test_no_repository(self, shop, run, monkeypatch):
        """There is nothing to compare with."""
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(shop.path.parent))
        run("--tdgen-guard").stdout.fnmatch_lines(["not told: the project is in no git repository *"])


def test_nothing_is_imported_for_the_plugin():
    """Loading it loads two modules of tdgen, and no library."""
    code = (
        "import pytest, sys; had = set(sys.modules); import tdgen.pytest_plugin; print(*sorted(set(sys.modules) - had))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.split() == ["tdgen", "tdgen.pytest_plugin"]
