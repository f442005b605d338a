"""Files that are watched, told of by a list of saves; the commands are noted, not run."""

import signal
import subprocess
from pathlib import Path

import pytest

from tdgen.errors import InputError
from tdgen.watching import Saves, Watcher, command_for


class Noted:
    """A run that goes on until it is told to end, or for as many looks as it is given."""

    def __init__(self, looks: int = 99, stubborn: int = 0) -> None:
        self.looks, self.stubborn = looks, stubborn
        self.signals: list[int] = []

    def poll(self):
        self.looks -= 1
        return 0 if self.looks < 0 else None

    def wait(self, timeout=None):
        if len(self.signals) <= self.stubborn:
            raise subprocess.TimeoutExpired("tdgen", timeout)
        self.looks = 0
        return 130

    def send_signal(self, number):
        self.signals.append(number)


class ScriptedRuns:
    """A watcher whose runs are taken from a list; `begun` has the texts that they were begun with."""

    def __init__(self, *runs):
        self.runs, self.begun, self.told = list(runs), [], []
        self.watcher = Watcher(lambda path: [str(path)], self._start, self.told.append)

    def _start(self, arguments):
        self.begun.append(Path(arguments[0]).read_text())
        return self.runs[len(self.begun) - 1]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder of its own."""
    monkeypatch.chdir(tmp_path)


def saves(*texts, file="spec.md"):
    """The saves of these texts one after the other, each told of; None is a moment without a save."""
    for text in texts:
        if text is not None:
            Path(file).write_text(text)
        yield frozenset([Path(file)]) if text is not None else frozenset()


def test_the_newer_text_wins():
    """The run of the older one is interrupted once, and has ended before the next begins."""
    first, second = Noted(), Noted(looks=1)
    scripted = ScriptedRuns(first, second)
    scripted.watcher.watch(saves("one", None, "two", None, None))
    assert (scripted.begun, first.signals, second.signals) == (["one", "two"], [signal.SIGINT], [])
    assert scripted.told == ["spec.md was saved again: the newer text is taken"]


def test_the_same_text_saved_again_disturbs_nobody():
    """Editors save twice; what has ended runs again, as the world around may have changed."""
    run, again = Noted(looks=3), Noted(looks=0)
    scripted = ScriptedRuns(run, again)
    scripted.watcher.watch(saves("one", "one", None, None, None, "one", None))
    assert (scripted.begun, run.signals, scripted.told) == (["one", "one"], [], [])


def test_other_files_wait_for_their_turn():
    """Each once, however often it was saved meanwhile, with the text that it has then."""

    def several():
        yield from saves("one")
        yield from saves("early", "late", file="other.md")
        yield from [frozenset()] * 4

    first, second = Noted(looks=2), Noted(looks=0)
    scripted = ScriptedRuns(first, second)
    scripted.watcher.watch(several())
    assert (scripted.begun, first.signals) == (["one", "late"], [])


@pytest.mark.parametrize(
    ("stubborn", "sent"),
    [(0, [signal.SIGINT]), (1, [signal.SIGINT] * 2), (2, [signal.SIGINT, signal.SIGINT, signal.SIGKILL])],
)
def test_what_runs_in_the_end_is_ended(stubborn, sent):
    """As a user would, and at last by force."""
    run = Noted(stubborn=stubborn)
    ScriptedRuns(run).watcher.watch(saves("one"))
    assert run.signals == sent


def test_what_can_not_be_read_is_one_line_and_the_watch_goes_on():
    """A module that does not parse while it is written is no end."""
    told = []

    def command(path):
        raise InputError(f"{path} does not parse")

    Watcher(command, lambda arguments: Noted(), told.append).watch(saves("one", None, "two"))
    assert told == ["spec.md does not parse", "spec.md does not parse"]


class TestWhatIsWatched:
    """Files by their names, and modules beneath folders."""

    @pytest.fixture(autouse=True)
    def project(self):
        """A project with a module, and what is none of its own code."""
        for name in ("src/shop/prices.py", "src/shop/notes.md", "src/.venv/x.py", "src/build/y.py", "spec.md"):
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text("")
        Path("pyproject.toml").write_text("")

    def test_modules_beneath_a_folder(self):
        """Not those of environments and of what tools made."""
        watched = Saves.of(["src"])
        seen = [path for path in Path("src").absolute().rglob("*") if watched.named(path)]
        assert seen == [Path("src/shop/prices.py").absolute()]

    def test_a_file_is_listened_to_by_its_folder(self):
        """So an editor that saves by renaming is heard; a link by its own folder and by that of its file."""
        Path("link.md").symlink_to("src/shop/notes.md")
        watched = Saves.of(["spec.md", "link.md"])
        assert set(watched.places) == {Path.cwd(), Path("src/shop").absolute()}
        assert watched.named(Path("spec.md").absolute()) == Path("spec.md")
        assert watched.named(Path("src/shop/notes.md").absolute()) == Path("link.md")
        assert watched.named(Path("src/shop/prices.py").absolute()) is None

    def test_what_is_not_there_is_refused(self):
        """Before anything is watched."""
        with pytest.raises(InputError, match=r"none\.md: there is no such file or folder to watch"):
            Saves.of(["none.md"])


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("spec.md", "f(n)", ["solve", "spec.md", "--quick"]),
        ("suite.json", "{}", ["solve", "--plan", "suite.json", "--quick"]),
        ("stub.py", 'def f() -> int:\n    """One."""\n    ...\n', ["fill", "stub.py", "--apply"]),
        ("done.py", "def f() -> int:\n    return 1\n", None),
    ],
)
def test_the_command_is_the_one_that_a_user_would_type(name, text, command):
    """By the kind of file; a module in which all is written needs none."""
    Path("pyproject.toml").write_text("")
    Path(name).write_text(text)
    assert command_for(Path(name), ["--quick"], ["--apply"]) == command
