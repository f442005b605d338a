"""The benchmark of seeded faults on a task made up here: halves, rounded half up, and a plan that may lose that."""

import json
import re
from pathlib import Path

import bench_seeded
import pytest
from seeded_runs.model import Recorder, SeededModel
from seeded_runs.runs import recorder_of, run
from seeded_runs.seeds import read_seeds

from tdgen.build import patch_search
from tdgen.errors import InputError, ModelError
from tdgen.evaluation import read_tasks
from tdgen.protocols import Answer, Message, Request

pytestmark = pytest.mark.usefixtures("warm")

HALVE = "Write halve(n: int) -> int: half of n, rounded half up.\n"
WRONG = "def halve(n: int) -> int:\n    return round(n / 2)"
RIGHT = "def halve(n: int) -> int:\n    return (n + 1) // 2"
HIDDEN = "import solution\n\n\ndef test_halves():\n    assert [solution.halve(n) for n in (4, 5)] == [2, 3]\n"


@pytest.fixture(autouse=True)
def no_second_reading(change_policy):
    """There is one here, and no time to look at mutants or at likely calls, but for a first few."""
    change_policy("standard", readings=1, seconds=0.0)


@pytest.fixture(autouse=True)
def no_search(monkeypatch):
    """Whether a search for edits finds several depends on the machine's speed."""
    monkeypatch.setattr(patch_search, "search", lambda *given: None)


class Endpoint:
    """A live model that knows of each call and each case what rounding half up gives, and mends the code."""

    def __init__(self) -> None:
        self.purposes: list[str] = []

    def ask(self, request: Request) -> Answer:
        self.purposes.append(request.purpose)
        text = request.messages[-1].content
        calls = re.findall(r"^(\d+)\. .*?halve\((-?\d+)\)", text.rpartition("<calls>")[2], re.MULTILINE)
        cases = re.findall(r"^- (\w+): .*?halve\((-?\d+)\)", text.rpartition("<cases_in_doubt>")[2], re.MULTILINE)
        said = {
            "settle": {"answers": [{"number": int(n), **halved(x)} for n, x in calls]},
            "trial": {
                "rulings": [{"case": name, "verdict": "revised", "quote": "half up"} | halved(x) for name, x in cases]
            },
        }
        told = said.get(request.purpose)
        return Answer(text=json.dumps(told) if told else fenced(RIGHT), model="endpoint")

    def close(self) -> None:
        pass


def halved(number):
    return {"expect": "value", "value": str((int(number) + 1) // 2)}


def fenced(source):
    return f"```python\n{source}\n```"


@pytest.fixture
def place(tmp_path, solver, write, monkeypatch):
    """A benchmark's folder: the task, and a log in which all is right; its cases don't tell rounding to even apart.

    In a second log the second reading rounds to even.
    """
    task = tmp_path / "live" / "halves"
    task.mkdir(parents=True)
    files = {
        "instruction.md": HALVE,
        "hidden_test.py": HIDDEN,
        "reference.py": RIGHT,
        "task.json": json.dumps({"kind": "plain", "functions": ["halve"]}),
    }
    for name, text in files.items():
        (task / name).write_text(text)
    cases = [write.returns(f"halve({n})", str((n + 1) // 2)) for n in (4, 6, 8, 3)]
    function = write.function("halve(n: int) -> int", "Half of n.", cases=cases, tries=[RIGHT, WRONG])
    for log, reading in (("strong-1", RIGHT), ("weak-1", WRONG)):
        scripts = tmp_path / "live-logs" / log / "run-1" / "scripts"
        scripts.mkdir(parents=True)
        solver.model(function, readings=[reading])._script.save(scripts / "halves.solving.json")
    monkeypatch.setattr(bench_seeded, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def seed(place):
    """Write a seed, and give it as it is read."""

    def make(name="slip-1", **changes):
        slip = {"kind": "slip", "task": "halves", "log": "strong-1", "function": "halve", "code": fenced(WRONG)}
        folder = place / "seeded"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.json").write_text(json.dumps(slip | changes))
        tasks = read_tasks(place / "live")
        return next(one for one in read_seeds(folder, tasks, place / "live-logs") if one.id == name)

    return make


@pytest.fixture
def phrase(seed, write):
    """A seed whose plan lost "half up"; its suite rounds to even."""
    cases = [write.returns(f"halve({n})", str(round(n / 2))) for n in (5, 4, 6)]
    plan = {"module": "kit", "functions": [write.function("halve(n: int) -> int", "Half of n, rounded.").spec]}

    def make(name="phrase-1", log="weak-1"):
        told = {"plan": json.dumps(plan), "suites": {"halve": json.dumps({"cases": cases})}}
        return seed(name, kind="phrase", log=log, **told, code={"halve": fenced(WRONG)})

    return make


class TestARun:
    """The seed's answers, the log's, and for the rest an endpoint's."""

    def test_a_slip_that_the_second_reading_shows_is_told_so(self, seed, place):
        """What a call must give and the repair are asked live; the code is green and right."""
        live = Endpoint()
        outcome = run(seed(), recorder_of(seed(), place / "answers"), live)
        assert (outcome.ended, outcome.right, outcome.by, outcome.state) == ("green", True, "second reading", "")
        assert (live.purposes[0], "repair" in live.purposes) == ("settle", True)
        assert outcome.live == len(live.purposes)

    def test_a_later_run_needs_no_model(self, seed, place):
        """All that was answered was kept."""
        found = [run(seed(), recorder_of(seed(), place / "answers"), live) for live in (Endpoint(), None)]
        assert found[1]._replace(live=found[0].live) == found[0]
        assert found[1].live == 0

    def test_an_answer_to_another_question_is_not_played(self, seed, place):
        """Where question, calls, code and cases are others the seed is told as not answered, with what was asked."""
        run(seed(), recorder_of(seed(), place / "answers"), Endpoint())
        path = place / "answers" / "slip-1.json"
        kept = path.read_text().replace('"sha256:', '"sha256:0').replace("`halve(5)`", "`halve(50)`")
        path.write_text(re.sub(r'("case\\*": \\*")', r"\1other_", kept))
        outcome = run(seed(), recorder_of(seed(), place / "answers"), None)
        assert outcome.state == "not answered"
        assert {key.subject for key in outcome.missing} == {"halve"}

    def test_a_slip_that_a_logged_case_shows_is_told_apart(self, seed, place):
        """It does not count, and its end is told."""
        found = seed(code=fenced(RIGHT.replace("+ 1", "- 1")))
        outcome = run(found, recorder_of(found, place / "answers"), Endpoint())
        assert (outcome.ended, outcome.by, outcome.state) == ("green", "suite", "caught by the suite")

    def test_a_phrase_that_the_second_reading_kept_is_found(self, phrase, place):
        """Its cases are corrected before there is code."""
        found = phrase(log="strong-1")
        outcome = run(found, recorder_of(found, place / "answers"), Endpoint())
        assert (outcome.ended, outcome.right, outcome.by, outcome.state) == ("green", True, "second reading", "")

    def test_a_phrase_that_all_misread_is_green_though_wrong(self, phrase, place):
        """What the benchmark is there to count."""
        found = phrase()
        outcome = run(found, recorder_of(found, place / "answers"), Endpoint())
        assert (outcome.ended, outcome.right, outcome.by, outcome.state) == ("green", False, "", "")
        assert outcome.is_false_green

    def test_code_that_hidden_tests_pass_does_not_count(self, seed, place):
        """It holds no fault that could be caught."""
        found = seed(code=fenced(RIGHT))
        outcome = run(found, recorder_of(found, place / "answers"), Endpoint())
        assert (outcome.ended, outcome.state) == ("green", "not wrong by hidden tests")


class TestTheModel:
    """Which answer is played."""

    def test_what_the_log_answered_later_is_not_used(self, seed, place):
        """Its repair mended another code, and its second suite another first one."""
        model = SeededModel(seed(), recorder_of(seed(), place / "answers"))
        asked = (Message(role="user", content="?"),)
        assert RIGHT in model.ask(Request(purpose="reading", messages=asked)).text
        with pytest.raises(ModelError, match="OPENAI_BASE_URL"):
            model.ask(Request(purpose="repair", subject="halve", attempt=2, messages=asked))
        assert model.missing == (("repair", "halve", "", 1, 2, 0),)

    def test_what_failed_and_was_answered_then_is_not_missing(self, seed, place):
        """An endpoint may be busy for a while."""
        live = Endpoint()
        model = SeededModel(seed(), recorder_of(seed(), place / "answers"), live)
        request = Request(purpose="repair", subject="halve", attempt=2, messages=(Message(role="user", content="?"),))
        answer, live.ask = live.ask, lambda request: (_ for _ in ()).throw(ModelError("busy"))
        with pytest.raises(ModelError, match="busy"):
            model.ask(request)
        live.ask = answer
        model.ask(request)
        assert model.missing == ()


class TestRecordedAnswers:
    """Kept by the question, not by the prompt's whole text."""

    def test_what_was_said_of_calls_counts_in_any_order(self, place):
        """A slower machine may ask about fewer of them at once; a call that nobody spoke of is asked about."""

        def asked(*numbers, attempt=1):
            told = "\n".join(f"{n}. `halve({x})`" for n, x in enumerate(numbers, start=1))
            message = Message(role="user", content=f"<calls>\n{told}\n</calls>\n")
            return Request(purpose="settle", subject="halve", attempt=attempt, messages=(message,))

        recorder = Recorder(place / "answers" / "one.json")
        recorder.put(asked(3, 4, 5), Endpoint().ask(asked(3, 4, 5)))
        answer = Recorder(place / "answers" / "one.json").get(asked(5, 3, attempt=3))
        assert [(one["number"], one["value"]) for one in json.loads(answer.text)["answers"]] == [(1, "3"), (2, "2")]
        assert recorder.get(asked(5, 7)) is None

    def test_a_repair_is_known_by_the_code_and_what_was_observed(self, place):
        """Not by its number, its prompt's wording or an edit that a search found in time."""

        def asked(attempt, code, more=""):
            text = f"<contract>\n{more}\n</contract>\n<your_code>\n{code}\n</your_code>\n{more}"
            return Request(purpose="repair", attempt=attempt, messages=(Message(role="user", content=text),))

        recorder = Recorder(place / "answers" / "one.json")
        recorder.put(asked(2, WRONG), Answer(text=RIGHT))
        edit = "<edit_found_by_search>\nn // 2\n</edit_found_by_search>\n"
        assert recorder.get(asked(3, WRONG, edit)).text == RIGHT
        assert recorder.get(asked(2, RIGHT)) is None

    def test_a_repair_of_the_same_code_stands_in_where_nobody_can_be_asked(self, place, seed):
        """Another case was shown: with an endpoint it is asked anew."""

        def asked(shown):
            text = f"<your_code>\n{WRONG}\n</your_code>\n<observed>\n{shown}\n</observed>\n"
            return Request(purpose="repair", subject="halve", messages=(Message(role="user", content=text),))

        recorder = Recorder(place / "answers" / "one.json")
        recorder.put(asked("halve(5) fails"), Answer(text="a repair"))
        assert SeededModel(seed(), recorder).ask(asked("halve(7) fails")).text == "a repair"
        live = Endpoint()
        assert RIGHT in SeededModel(seed(), recorder, live).ask(asked("halve(7) fails")).text

    def test_a_ruling_on_the_same_cases_stands_in_where_nobody_can_be_asked(self, place, seed):
        """Their outcomes may be told in other words; a case that was not ruled on then is asked about."""

        def asked(case, outcome, sample=0):
            text = f"<cases_in_doubt>\n- {case}: `halve(5)`\n  A: {outcome}\n</cases_in_doubt>\n"
            message = Message(role="user", content=text)
            return Request(purpose="trial", subject="halve", sample=sample, messages=(message,))

        ruling = json.dumps({"rulings": [{"case": "odd", "verdict": "A"}]})
        recorder = Recorder(place / "answers" / "one.json")
        recorder.put(asked("odd", "returns `3`"), Answer(text=ruling))
        assert SeededModel(seed(), recorder).ask(asked("odd", "gives 3")).text == ruling
        assert recorder.near(asked("even", "gives 3")) is None
        assert recorder.near(asked("odd", "gives 3", sample=1)) is None


class TestSeeds:
    """A seed that can't be used is told in one line."""

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"kind": "other"}, "is no seed: kind"),
            ({"task": "none"}, "names none, which is no task with hidden tests"),
            ({"log": "none"}, "names a log that can't be read"),
            ({"function": "half"}, "its log does not have: implement of half, attempt 1"),
        ],
    )
    def test_what_is_wrong_is_named(self, seed, changes, message):
        """With the seed's file."""
        with pytest.raises(InputError, match=re.escape(message)):
            seed(**changes)


def test_the_seeds_of_the_benchmark_can_be_used():
    """Each names a task with hidden tests, and replaces what its log has."""
    folder = Path(bench_seeded.__file__).parent
    seeds = read_seeds(folder / "seeded", read_tasks(folder / "live"), folder / "live-logs")
    assert all(seed.functions for seed in seeds)


class TestTheCommand:
    """Tables, and what is chosen."""

    def test_the_tables_say_what_ended_green_though_wrong(self, seed, phrase, capsys, monkeypatch):
        """By kind, with the interval; a seed that nobody answers is told and left out."""
        monkeypatch.setattr(bench_seeded, "AT_ONCE", 1)
        seed()
        phrase()
        bench_seeded.main([])
        told = capsys.readouterr().out
        lines = [line.replace(" ", "") for line in told.splitlines()]
        assert "1 seeds are not answered" in told
        assert any(line.startswith("|slip|0|") and line.endswith("|1notanswered|") for line in lines)
        assert any(line.startswith("|phrase|1|100.0%(20.7–100.0)|") for line in lines)

    @pytest.mark.parametrize(
        ("options", "names"),
        [(["--kind", "phrase"], ["p"]), (["--only", "b,p"], ["b", "p"]), (["--limit", "1"], ["a"])],
    )
    def test_options_choose(self, seed, phrase, options, names, monkeypatch):
        """By kind, by name, and the first so many."""
        for name in "ab":
            seed(name)
        phrase("p")
        picked = []
        monkeypatch.setattr(bench_seeded, "run_all", lambda seeds, answers, live: picked.extend(seeds) or [])
        bench_seeded.main(options)
        assert [one.id for one in picked] == names

    def test_a_seed_that_is_not_there_is_told(self, seed):
        """In one line."""
        seed()
        with pytest.raises(SystemExit, match="there is no seed slip-2"):
            bench_seeded.main(["--only", "slip-2"])
