"""This machine's store with a team's behind it: what is wrong there stops nothing here, and is told once."""

from pathlib import Path

import pytest

from tdgen.cache import DiskStore, Journal
from tdgen.errors import LostLock, StoreError, UnansweredStore
from tdgen.team.server import PAUSE_S, SLOW_PAUSE_S, TeamServer
from tdgen.team.shared import SharedStore

SLOW = (
    "the shared store at redis.test:6379 takes over 0.5 s an answer; going on with this machine's cache alone, and "
    "asking it again every 60 s"
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shared(store: DiskStore, team_server, clock: Clock) -> SharedStore:
    return SharedStore(store, TeamServer(team_server, clock=clock))


class TestBoth:
    """What is written goes to both, what is asked for is looked for here first."""

    def test_what_the_team_has_is_found(self, shared, store, team_server):
        """And what is here comes first."""
        team_server.texts.update(a="theirs", b="theirs")
        store.put("a", "mine")
        assert (shared.get("a"), shared.get("b"), shared.get("c")) == ("mine", "theirs", None)

    def test_what_is_kept_is_kept_for_the_team(self, shared, store, team_server):
        """And forgotten for it too."""
        shared.put("a", "text")
        assert (store.get("a"), team_server.texts) == ("text", {"a": "text"})
        assert shared.delete("a")
        assert (store.get("a"), team_server.texts) == (None, {})

    def test_who_may_only_read_writes_nothing_there(self, store, team_server, clock):
        """No entry, no lock: a developer's runs leave no trace in what CI writes."""
        shared = SharedStore(store, TeamServer(team_server, read_only=True, clock=clock))
        team_server.texts["b"] = "theirs"
        with shared.lock("solve"):
            shared.put("a", "text")
            shared.delete("b")
        assert (store.get("a"), shared.get("b")) == ("text", "theirs")
        assert (team_server.texts, team_server.locked) == ({"b": "theirs"}, 0)


class TestTrouble:
    """A server that fails."""

    def test_one_that_does_not_answer_is_let_be_for_a_while(self, shared, team_server, clock):
        """Its trouble is told once, its return too; meanwhile all goes on here, and it is not asked."""
        team_server.error = UnansweredStore("the shared store at redis.test:6379 can't be reached")
        shared.put("a", "text")
        with shared.lock("solve"):
            assert (shared.get("a"), shared.get("b")) == ("text", None)
        assert shared.team.notes() == [f"{team_server.error}; going on with this machine's cache alone"]
        assert team_server.asked == 1
        clock.now += PAUSE_S
        assert shared.get("b") is None
        assert (shared.team.notes(), team_server.asked) == ([], 2)
        clock.now += PAUSE_S
        team_server.error = None
        shared.put("b", "text")
        assert shared.team.notes() == ["the shared store at redis.test:6379 answers again"]
        assert team_server.texts == {"b": "text"}

    def test_a_call_that_began_before_it_failed_is_no_sign_of_its_return(self, shared, team_server, monkeypatch):
        """Of two at once the slower one may be answered after the other was not."""
        failing = UnansweredStore("the shared store at redis.test:6379 can't be reached")

        def get(key):
            if key == "slow":
                shared.get("quick")
                return "text"
            raise failing

        monkeypatch.setattr(team_server, "get", get)
        assert shared.get("slow") == "text"
        assert shared.team.notes() == [f"{failing}; going on with this machine's cache alone"]

    def test_one_that_is_slow_is_let_be_for_longer(self, shared, team_server, clock):
        """That is told in one line; then it is asked once a minute, until it is quick again."""
        team_server.texts.update(a="theirs", b="theirs")
        team_server.is_slow = True
        assert [shared.get("a") for _ in range(3)] == ["theirs", None, None]
        assert (shared.team.notes(), team_server.asked) == ([SLOW], 1)
        clock.now += SLOW_PAUSE_S
        assert (shared.get("a"), shared.get("b")) == ("theirs", None)
        assert (shared.team.notes(), team_server.asked) == ([], 2)
        clock.now += SLOW_PAUSE_S
        team_server.is_slow = False
        assert (shared.get("a"), shared.get("b")) == ("theirs", "theirs")
        assert shared.team.notes() == ["the shared store at redis.test:6379 answers again"]

    def test_one_that_is_full_is_still_read(self, shared, team_server):
        """Only what it refuses is kept here alone."""
        team_server.error = StoreError("the shared store at redis.test:6379 is full")
        shared.put("a", "text")
        shared.put("b", "text")
        team_server.error = None
        team_server.texts["c"] = "theirs"
        assert shared.get("c") == "theirs"
        assert shared.team.notes() == [
            "the shared store at redis.test:6379 is full; what is written is kept on this machine alone"
        ]


class TestAnswers:
    """Answers of an unfinished run, for whichever host goes on with it."""

    def test_another_host_goes_on(self, shared, tmp_path: Path):
        """It finds them one by one, and forgets them all when the run has ended."""
        first = Journal.open(tmp_path / "one", "run", shared=shared.team.answers("run"))
        first.put("plan", "an answer")
        first.close()
        other = Journal.open(tmp_path / "other", "run", shared=shared.team.answers("run"))
        assert (other.get("plan"), other.get("cases")) == ("an answer", None)
        other.finish()
        assert shared.team.answers("run").get("plan") is None

    def test_who_begins_anew_does_not_ask_for_them(self, shared, tmp_path: Path):
        """`--fresh` uses nothing that is kept anywhere."""
        shared.team.answers("run").put("plan", "an answer")
        journal = Journal.open(tmp_path / "one", "run", shared=shared.team.answers("run"))
        journal.begin_anew("a name")
        assert journal.get("plan") is None
        journal.close()

    @pytest.mark.parametrize("name", ["a name", ""])
    def test_what_was_paid_for_anew_is_found_by_who_goes_on(self, shared, tmp_path: Path, name: str):
        """On another host, under the run's name or under none; under another name it is begun anew once more."""
        first = Journal.open(tmp_path / "one", "run", shared=shared.team.answers("run"))
        first.put("plan", "old")
        first.begin_anew("a name")
        first.put("plan", "an answer")
        first.close()
        other = Journal.open(tmp_path / "other", "run", shared=shared.team.answers("run"))
        if name:
            other.begin_anew(name)
        assert (other.get("plan"), other.get("cases")) == ("an answer", None)
        other.begin_anew("another")
        assert other.get("plan") is None
        other.close()

    def test_a_run_that_was_taken_over_hears_of_it(self, shared, team_server, tmp_path: Path):
        """What was answered is kept here all the same; to end it is let be."""
        journal = Journal.open(tmp_path / "one", "run", shared=shared.team.answers("run"))
        team_server.error = LostLock()
        with pytest.raises(LostLock):
            journal.put("plan", "an answer")
        assert journal.get("plan") == "an answer"
        journal.finish()
