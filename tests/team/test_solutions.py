"""What comes from a team's store is judged again before it counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdgen.cache import open_store
from tdgen.cache.solutions import read_solution, solution_place, solution_text
from tdgen.client import Handed
from tdgen.client.generator import LOST
from tdgen.errors import BudgetSpent, UnansweredStore
from tdgen.events import Noted
from tdgen.settings import Settings
from tdgen.specs.instruction import read_instruction
from tdgen.team.server import TeamServer
from tdgen.team.shared import SharedStore
from tdgen.team.solutions import _company
from tdgen.types import Value

RIGHT = "def double(number: int) -> int:\n    return 2 * number"
TEXT = "Double a number."


@pytest.fixture
def on_host(solver, double, team_server, tmp_path: Path):
    """Solve the instruction on a host of that name, with the team's store; the solution, who was asked, the notes."""

    def solve(name: str, *, handed: Handed = Handed(), read_only: bool = False, model=None, run="", **settings):  # noqa: B008
        folder = tmp_path / name
        model = model or solver.model(double(RIGHT))
        generator = solver.generator(model, cache_dir=str(folder), **settings)
        local = open_store(str(folder))
        vars(generator._runtime).update(
            local_store=local, shared_store=SharedStore(local, TeamServer(team_server, read_only=read_only))
        )
        solver.events.clear()
        solution = generator.under(run=run).solve(TEXT, handed)
        return solution, len(model.asked), [event.text for event in solver.events if isinstance(event, Noted)]

    return solve


@pytest.fixture
def planted(on_host, team_server):
    """Change what the team's store has of the instruction."""

    def plant(**changes) -> None:
        solution, _, _ = on_host("ci")
        place = solution_place(solution.key)
        kept = read_solution(solution.key, team_server.texts[place])
        team_server.texts.clear()
        team_server.texts[place] = solution_text(kept.model_copy(update=changes))

    return plant


class TestASolution:
    """One that another host kept."""

    def test_it_is_judged_and_kept_here(self, on_host, team_server):
        """Nobody is asked; the next time it comes from here, and the server is not asked for it."""
        on_host("ci")
        solution, asked, notes = on_host("laptop")
        assert (solution.cached, asked) == (True, 0)
        assert [note.partition(",")[0] for note in notes] == ["from the team's store"]
        before = team_server.asked
        solution, asked, notes = on_host("laptop")
        assert (solution.cached, asked, notes, team_server.asked) == (True, 0, [], before)

    def test_fresh_does_not_use_it(self, on_host):
        """Nor anything else that is kept."""
        on_host("ci")
        assert on_host("laptop", fresh=True)[1]

    def test_who_may_only_read_leaves_nothing_there(self, on_host, team_server):
        """What they solve is kept on their machine."""
        assert on_host("laptop", read_only=True)[1]
        assert team_server.texts == {}

    @pytest.mark.parametrize(
        ("change", "fault"),
        [
            ({"module_source": "def double(number: int) -> int:\n    return number + 2\n"}, "its code fails"),
            ({"module_source": "import ctypes\n" + RIGHT}, "importing ctypes is not allowed"),
            ({"module_source": "def double(:"}, "its code is no Python"),
            ({"module_source": ""}, "its code"),
            ({"instruction": "Delete everything."}, "it is of another instruction"),
            ({"results": ()}, ""),
        ],
        ids=["wrong", "import", "syntax", "empty", "instruction", "results"],
    )
    def test_one_that_does_not_hold_is_told_and_solved_anew(self, planted, on_host, change, fault):
        """It costs a line, and the right one takes its place."""
        planted(**change)
        solution, asked, notes = on_host("laptop")
        assert asked
        assert solution.module_source == on_host("other")[0].module_source
        told = [note for note in notes if "passed over" in note]
        assert len(told) == bool(fault)
        assert fault in "".join(told)

    @pytest.mark.parametrize(
        ("change", "fault"),
        [
            ({"module_source": "def double(number: int) -> int:\n    return number + 2\n"}, "its code fails"),
            ({"instruction": "Delete everything."}, "it is of another instruction"),
        ],
        ids=["wrong", "instruction"],
    )
    def test_one_that_is_signed_is_judged_too(self, planted, on_host, change, fault):
        """A signature says who wrote it, not that it is right here."""
        planted(**change)
        _, asked, notes = on_host("laptop", store_key="a team's key")
        assert asked
        assert fault in "".join(notes)

    def test_one_that_is_signed_is_taken_as_it_was_written(self, planted, on_host):
        """By who has the key: its test files were rendered and run there."""
        planted(test_files={"test_double.py": "# as it was written\n"})
        solution, asked, _ = on_host("laptop", store_key="a team's key")
        assert (asked, solution.test_files) == (0, {"test_double.py": "# as it was written\n"})

    def test_its_test_files_are_those_of_its_cases(self, planted, on_host):
        """What else somebody wrote into them would be run by whoever runs its tests."""
        planted(test_files={"test_double.py": "import os\n", "conftest.py": "import os\n"})
        solution, asked, _ = on_host("laptop")
        assert not asked
        assert solution.test_files == on_host("mine", fresh=True)[0].test_files

    @pytest.mark.parametrize("weakened", ["none", "always"])
    def test_one_whose_cases_test_nothing_is_none(self, planted, on_host, weakened):
        """Whoever plants code without a case, or with one that passes whatever is written."""
        result = on_host("mine")[0].results[0]
        case = result.suite.cases[0].model_copy(
            update={"call": "1 + 1", "arguments": (), "expectation": Value(source="2")}
        )
        suite = result.suite.model_copy(update={"cases": () if weakened == "none" else (case,), "held_out": ()})
        planted(results=(result.model_copy(update={"suite": suite}),))
        _, asked, notes = on_host("laptop")
        assert asked
        assert "passed over: double has no case" in notes[0] or "tests nothing" in notes[0]


class TestListing:
    """What the team has, beside what is here."""

    def test_rows_are_this_machines_and_the_teams(self, solver, on_host):
        """Each once."""
        solution, _, _ = on_host("ci")
        on_host("laptop", fresh=True, read_only=True)
        laptop = solver._generators[-1]
        assert [row.key for row in laptop.rows()] == [solution.key]

    def test_the_teams_is_found_by_its_whole_key_where_it_holds(self, solver, planted, on_host, team_server, tmp_path):
        """One whose code fails its cases is not, nor one of no such key."""
        solution, _, _ = on_host("ci")
        kept = dict(team_server.texts)
        planted(module_source="def double(number: int) -> int:\n    return number + 2\n")
        generator = solver.generator(solver.model(), cache_dir=str(tmp_path / "laptop"))
        local = open_store(str(tmp_path / "laptop"))
        vars(generator._runtime).update(local_store=local, shared_store=SharedStore(local, TeamServer(team_server)))
        assert [row.key for row in generator.rows()] == []
        assert generator.find_shared(solution.key) is None
        team_server.texts.update(kept)
        assert [row.key for row in generator.rows()] == [solution.key]
        assert generator.find_shared(solution.key[:20]) is None
        assert generator.find_shared(solution.key).key == solution.key
        assert generator.find(solution.key).key == solution.key


class TestTrouble:
    """A server that fails, and a host that stood still."""

    def test_a_server_that_is_down_is_told_once(self, on_host, team_server):
        """The instruction is solved all the same."""
        team_server.error = UnansweredStore("the shared store at redis.test:6379 can't be reached")
        solution, _, notes = on_host("laptop")
        assert solution.all_tests_passed
        assert notes == [
            "the shared store at redis.test:6379 can't be reached; going on with this machine's cache alone"
        ]

    def test_what_a_dead_host_was_answered_is_not_asked_again(self, on_host, solver, team_server):
        """Another host goes on from there."""
        with pytest.raises(BudgetSpent):
            on_host("dies", budget="calls=1")
        assert [key.partition("/")[0] for key in team_server.texts] == ["run"]
        on_host("other")
        assert [request.purpose for request in asked_of(solver)] == ["cases", "implement"]
        assert not [key for key in team_server.texts if key.startswith("run/")]

    @pytest.mark.parametrize(
        ("run", "asked"), [("a run", ["cases", "implement"]), ("another", ["plan", "cases", "implement"])]
    )
    def test_a_fresh_run_that_died_is_gone_on_with_under_its_name(self, on_host, solver, run, asked):
        """What was paid for in it is no cache; another run with `fresh` finds nothing of it."""
        with pytest.raises(BudgetSpent):
            on_host("dies", budget="calls=1", fresh=True, run="a run")
        on_host("other", fresh=True, run=run)
        assert [request.purpose for request in asked_of(solver)] == asked

    def test_a_lock_that_fell_begins_the_run_again(self, on_host, solver, double, team_server):
        """With what was answered: nothing is paid twice, and what was paid before it fell is told with the rest."""
        model = Stalling(solver.model(double(RIGHT)), team_server)
        solution, asked, notes = on_host("paused", model=model)
        assert solution.all_tests_passed
        assert len({request.key for request in model.asked}) == asked == solution.usage.calls
        assert LOST in notes


class Stalling:
    """A model during whose first answer the run's lock is lost."""

    def __init__(self, inner, server) -> None:
        self._inner, self._server, self._stalled = inner, server, False

    @property
    def asked(self):
        return self._inner.asked

    def ask(self, request):
        answer = self._inner.ask(request)
        if not self._stalled:
            self._stalled = True
            self._server.lose()
        return answer


def asked_of(solver):
    return solver._generators[-1]._runtime._model.asked


class TestMany:
    """Several at once, as for a batch."""

    @pytest.mark.parametrize("signing", ["", "a team's key"])
    @pytest.mark.parametrize("more", ["", "\n\nfrom functools import cache\n"], ids=["harmless", "any code"])
    def test_what_the_store_has_is_judged_and_kept_here(self, solver, on_host, team_server, signing, more):
        """What holds needs no server from then on; what does not is passed over, and nothing else for it."""
        pattern, _, _ = on_host("ci")
        on_host("laptop", read_only=True, store_key=signing)
        generator = solver._generators[-1]
        wrong = "def double(number: int) -> int:\n    return number + 2\n"
        for text, source in ((f"{TEXT} Now.", pattern.module_source + more), (f"{TEXT} Soon.", wrong)):
            key = generator.key(read_instruction(text))
            made = pattern.model_copy(update={"key": key, "instruction": text, "module_source": source})
            team_server.texts[solution_place(key)] = solution_text(made)
        texts = [TEXT, f"{TEXT} Now.", f"{TEXT} Soon.", f"{TEXT} Never.", " "]
        assert [bool(solution) for solution in generator.kept_many(texts)[1:]] == [True, False, False, False]
        asked = team_server.asked
        assert generator.under(fresh=True).kept_many(texts) == [None] * 5
        assert generator.under().kept(f"{TEXT} Now.").cached
        assert team_server.asked == asked

    def test_code_that_is_not_signed_shares_no_process_but_where_it_is_harmless(self, on_host):
        """It could be made to have another's code pass; of what is signed that takes the key."""
        solution, _, _ = on_host("ci")
        reaching = solution.model_copy(update={"module_source": f"import gc\n{solution.module_source}"})
        assert _company(solution, Settings()) == "harmless"
        assert _company(reaching, Settings()) == reaching.key
        assert _company(reaching, Settings(store_key="a team's key")) == "signed"
