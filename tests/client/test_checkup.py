"""Whether a solve could run: everything is tried, and nothing that fails is an error."""

from __future__ import annotations

import pytest

from tdgen.client.checkup import Checkup, Finding, check_sandbox, examine
from tdgen.errors import InputError
from tdgen.sandbox.programs import Awkward, Hostile
from tdgen.settings import Settings


@pytest.fixture
def found(tmp_path):
    """What the checkup finds with some settings, by what was tried."""

    def examined(**settings) -> dict[str, Finding]:
        checkup = examine(Settings(**{"cache_dir": str(tmp_path / "cache"), **settings}))
        return {finding.what.strip(): finding for finding in checkup.findings}

    return examined


def test_everything_is_tried(found):
    """The model, the sandbox that would be taken, each kind of it, each language, the cache."""
    languages = ["c", "cpp", "fullstack", "javascript", "page", "typescript"]
    assert list(found()) == ["model", "sandbox auto", "local", "docker", *languages, "cache"]


def test_a_language_is_told_with_what_it_lacks(found, monkeypatch):
    """A program that is not here, or that only a check needs; a solve fails for it where it is the language's."""
    monkeypatch.setattr("tdgen.languages.page.PLACES", ())
    monkeypatch.setattr("tdgen.languages.typescript.checking.which", lambda name: None)
    findings = found(language="page", allow=())
    assert (findings["page"].works, findings["page"].needed) == (False, True)
    assert "needs Chromium, which is not here: install it" in findings["page"].told
    assert "without tsc, so types are not checked" in findings["typescript"].told
    assert findings["typescript"].needed is False


def test_a_script_that_can_not_be_read(found, tmp_path):
    """Is no model."""
    (tmp_path / "script.json").write_text("{")
    finding = found(script=str(tmp_path / "script.json"))["model"]
    assert not finding.works
    assert "is no script of model answers" in finding.told


def test_the_layers_of_a_sandbox_are_listed(found):
    """Found by trying, each with what it means."""
    finding = found()["local"]
    assert finding.works
    assert {layer.name for layer in finding.layers if layer.enforced} >= {"seccomp", "rlimits", "no_new_privs"}


def test_a_runtime_that_is_missing(found):
    """Where one is asked for, the sandbox that a solve would take can't be had without it."""
    findings = found(docker_runtime="no-such-runtime")
    assert not findings["sandbox auto"].works
    assert not findings["docker"].works
    assert findings["local"].works


def test_a_teams_store_that_does_not_answer_is_told(found):
    """A solve does without it."""
    finding = found(store="redis://127.0.0.1:1")["team's store"]
    assert (finding.works, finding.needed) == (False, False)
    assert "can't be reached" in finding.told


def test_damaged_entries_of_the_cache_are_counted(found, tmp_path):
    """They are not used, and what to do is said."""
    from tdgen.cache import open_store

    store = open_store(str(tmp_path / "cache"))
    store._cache.set("solution/x", b"nonsense")
    store.close()
    finding = found()["cache"]
    assert finding.works
    assert "damaged entries, which are not used: 1;" in finding.told


@pytest.mark.parametrize(("works", "needed", "ready"), [(True, True, True), (False, False, True), (False, True, False)])
def test_readiness(works: bool, needed: bool, ready: bool):
    """Only what a solve needs counts."""
    assert Checkup(findings=(Finding(what="x", works=works, needed=needed, told=""),)).ready is ready


class TestTheSandboxCheck:
    """The conformance suite on the sandbox that a solve would take."""

    HELD = Hostile("a program that is held", "def attempt(site): return 'held'\n", frozenset(), "")
    ESCAPED = Hostile("a program that gets out", "def attempt(site): return 'escaped'\n", frozenset(), "")
    RIGHT = Awkward("a program that works", "def attempt(): return 1\n", 1)
    WRONG = Awkward("a program that does not work", "def attempt(): return 2\n", 1)

    @pytest.fixture
    def suite(self, monkeypatch: pytest.MonkeyPatch):
        """Puts a suite of these hostile and awkward programs in place of the real one."""

        def put(hostile: list[Hostile], awkward: list[Awkward]) -> None:
            for module in ("conformance", "programs"):
                monkeypatch.setattr(f"tdgen.sandbox.{module}.hostile", lambda: tuple(hostile))
                monkeypatch.setattr(f"tdgen.sandbox.{module}.hostile_classes", tuple)
                monkeypatch.setattr(f"tdgen.sandbox.{module}.awkward", lambda: tuple(awkward))

        return put

    def test_all_as_it_should_be(self, suite):
        """Everything is counted, and nothing is told of single programs."""
        suite([self.HELD], [self.RIGHT])
        found = check_sandbox(Settings(sandbox="local"))
        assert found.passed
        assert (found.hostile, found.awkward, found.uncontained, found.failing) == (1, 1, (), ())
        assert found.sandbox.startswith("local: ")

    def test_what_gets_out_and_what_does_not_work(self, suite):
        """Each program that went wrong is named among those of its sort."""
        suite([self.HELD, self.ESCAPED], [self.WRONG, self.RIGHT])
        found = check_sandbox(Settings(sandbox="local"))
        assert not found.passed
        assert [shortfall.program for shortfall in found.uncontained] == ["a program that gets out"]
        assert [shortfall.program for shortfall in found.failing] == ["a program that does not work"]

    def test_hostile_programs_are_never_let_loose(self, suite):
        """The unsafe kind is refused before anything runs."""
        suite([self.ESCAPED], [])
        with pytest.raises(InputError, match="confines nothing"):
            check_sandbox(Settings(sandbox="unsafe"))
