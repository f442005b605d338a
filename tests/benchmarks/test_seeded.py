"""The benchmark of seeded faults on a task made up here: halves, rounded half up, and a plan that may lose that."""

import json
import re

import bench_seeded
import pytest
from seeded_runs.model import SeededModel
from seeded_runs.runs import recorder_of, run
from seeded_runs.seeds import read_seeds

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


class Endpoint:
    """A live model that says of each call what rounding half up gives, and that mends the code."""

    def __init__(self) -> None:
        self.purposes: list[str] = []

    def ask(self, request: Request) -> Answer:
        self.purposes.append(request.purpose)
        text = request.messages[-1].content
        calls = re.findall(r"^(\d+)\. .*?halve\((-?\d+)\)", text.rpartition("<calls>")[2], re.MULTILINE)
        told = [{"number": int(n), "expect": "value", "value": str((int(x) + 1) // 2)} for n, x in calls]
        settled = json.dumps({"answers": told})
        return Answer(text=settled if request.purpose == "settle" else f"```python\n{RIGHT}\n```", model="endpoint")

    def close(self) -> None:
        pass


@pytest.fixture
def place(tmp_path, studio, write, monkeypatch):
    """A benchmark's folder: the task, and a log in which all is right; its cases don't tell rounding to even apart."""
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
    scripts = tmp_path / "live-logs" / "strong-1" / "run-1" / "scripts"
    scripts.mkdir(parents=True)
    script = studio.model(function, readings=[RIGHT])._script
    script.save(scripts / "halves.solving.json")
    monkeypatch.setattr(bench_seeded, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def seed(place):
    """Write a seed that replaces logged answers, and give it as it is read."""

    def make(name="slip-1", **changes):
        told = {"id": name, "kind": "slip", "task": "halves", "log": "strong-1", "answers": [code(WRONG)]} | changes
        folder = place / "seeded"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.json").write_text(json.dumps(told))
        (found,) = [one for one in all_of(place) if one.id == name]
        return found

    return make


def all_of(place):
    return read_seeds(place / "seeded", read_tasks(place / "live"), place / "live-logs")


def code(source, purpose="implement"):
    """An answer with code."""
    subject = "halve" if purpose == "implement" else ""
    return {"purpose": purpose, "subject": subject, "text": f"```python\n{source}\n```"}


def suite(write, *numbers):
    """A suite that rounds to even."""
    cases = [write.returns(f"halve({n})", str(round(n / 2))) for n in numbers]
    return {"purpose": "cases", "subject": "halve", "text": json.dumps({"cases": cases})}


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

    def test_an_answer_to_another_prompt_is_not_played(self, seed, place):
        """The seed is told as not answered, with what was asked."""
        run(seed(), recorder_of(seed(), place / "answers"), Endpoint())
        path = place / "answers" / "slip-1.json"
        path.write_text(path.read_text().replace('"prompt": "sha256:', '"prompt": "sha256:0'))
        outcome = run(seed(), recorder_of(seed(), place / "answers"), None)
        assert outcome.state == "not answered"
        assert outcome.missing[0][:2] == ("settle", "halve")

    def test_a_slip_that_a_logged_case_shows_is_told_apart(self, seed, place):
        """It does not count, and its end is told."""
        found = seed(answers=[code(RIGHT.replace("+ 1", "- 1"))])
        outcome = run(found, recorder_of(found, place / "answers"), Endpoint())
        assert (outcome.ended, outcome.by, outcome.state) == ("green", "suite", "caught by the suite")

    def test_a_misread_phrase_that_all_share_is_green_though_wrong(self, seed, place, write):
        """What the benchmark is there to count."""
        found = seed(kind="phrase", answers=[suite(write, 5, 4, 6), code(WRONG), code(WRONG, "reading")])
        outcome = run(found, recorder_of(found, place / "answers"), Endpoint())
        assert (outcome.ended, outcome.right, outcome.by, outcome.state) == ("green", False, "", "")
        assert outcome.is_false_green

    def test_code_that_hidden_tests_pass_does_not_count(self, seed, place):
        """It holds no fault that could be caught."""
        found = seed(answers=[code(RIGHT)])
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
        assert model.missing == (("repair", "halve", 2, 0),)

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


class TestSeeds:
    """A seed that can't be used is told in one line."""

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"kind": "other"}, "is no seed: kind"),
            ({"task": "none"}, "names none, which is no task with hidden tests"),
            ({"log": "none"}, "names a log that can't be read"),
            ({"answers": [code(WRONG) | {"subject": "half"}]}, "its log does not have: implement of half, attempt 1"),
        ],
    )
    def test_what_is_wrong_is_named(self, seed, changes, message):
        """With the seed's file."""
        with pytest.raises(InputError, match=re.escape(message)):
            seed(**changes)

    def test_a_name_is_given_once(self, seed):
        """Recorded answers are kept under it."""
        seed()
        with pytest.raises(InputError, match="two seeds"):
            seed("slip-2", id="slip-1")


class TestTheCommand:
    """Tables, and what is chosen."""

    def test_the_tables_say_what_ended_green_though_wrong(self, seed, place, write, capsys, monkeypatch):
        """By kind, with the interval; a seed that nobody answers is told and left out."""
        monkeypatch.setattr(bench_seeded, "AT_ONCE", 1)
        seed()
        seed("phrase-1", kind="phrase", answers=[suite(write, 5, 4, 6), code(WRONG), code(WRONG, "reading")])
        bench_seeded.main([])
        lines = [line.replace(" ", "") for line in capsys.readouterr().out.splitlines()]
        assert any(line.startswith("|slip|0|") and line.endswith("|1notanswered|") for line in lines)
        assert any(line.startswith("|phrase|1|100.0%(20.7–100.0)|") for line in lines)

    @pytest.mark.parametrize(
        ("options", "names"),
        [(["--kind", "phrase"], ["p"]), (["--only", "b,p"], ["b", "p"]), (["--limit", "1"], ["a"])],
    )
    def test_options_choose(self, seed, options, names, monkeypatch):
        """By kind, by name, and the first so many."""
        for name in "abp":
            seed(name, kind="phrase" if name == "p" else "slip")
        picked = []
        monkeypatch.setattr(bench_seeded, "run_all", lambda seeds, answers, live: picked.extend(seeds) or [])
        bench_seeded.main(options)
        assert [one.id for one in picked] == names

    def test_a_seed_that_is_not_there_is_told(self, seed):
        """In one line."""
        seed()
        with pytest.raises(SystemExit, match="there is no seed slip-2"):
            bench_seeded.main(["--only", "slip-2"])
