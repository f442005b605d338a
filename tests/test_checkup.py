"""Whether a solve could run: everything is tried, and nothing that fails is an error."""

import pytest

from tdgen.checkup import Checkup, Finding, examine
from tdgen.settings import Settings


@pytest.fixture
def found(tmp_path):
    """What the checkup finds with some settings, by what was tried."""

    def examined(**settings) -> dict[str, Finding]:
        checkup = examine(Settings(**{"cache_dir": str(tmp_path / "cache"), **settings}))
        return {finding.what.strip(): finding for finding in checkup.findings}

    return examined


def test_everything_is_tried(found):
    """The model, the sandbox that would be taken, each kind of it, the cache."""
    assert list(found()) == ["model", "sandbox auto", "local", "docker", "cache"]


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
