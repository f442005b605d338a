"""`tdgen batch`: what is said of a batch, how it ends, and how it goes on after it was cut off."""

from __future__ import annotations

import json
import re
import signal
from collections import Counter
from pathlib import Path

import pytest

from tdgen.cli.rows import Watch, clock, status
from tdgen.types import Usage

pytestmark = pytest.mark.usefixtures("warm")

QUICK = ("-o", "out", "--trust", "quick")


def write(*rows: dict | str, name: str = "in.jsonl") -> str:
    Path(name).write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return name


def line(name: str, text: str = "") -> dict[str, str]:
    return {"id": name, "instruction": f"double(n) for {text or name}; double(4) is 8"}


def rows(folder: str = "out") -> dict[str, dict]:
    texts = Path(folder, "results.jsonl").read_text().splitlines()
    found = [json.loads(text) for text in texts]
    assert len({row["id"] for row in found}) == len(found)
    return {row["id"]: row for row in found}


@pytest.fixture
def script(said, one_function) -> Path:
    """Answers for one function, whatever the instruction."""
    for purpose, answer in one_function.items():
        said.say(purpose, answer, "" if purpose == "plan" else "double")
    return said.path


def test_all_green(tdgen, script):
    """Exit code 0; what was done and what it cost in a few lines, nothing on stdout."""
    ran = tdgen("batch", write(line("a"), line("b")), *QUICK, "--script", script)
    assert (ran.code, ran.out) == (0, "")
    assert "2 lines: 2 green" in ran.err
    assert re.search(r"green 100\.0% \(95%: .*\); 0\.00 repairs a healed line; failing cases 0\.0% at first", ran.err)
    assert re.fullmatch(r"6 model calls, [\d,]+ tokens, [\d.]+ s · out/results\.jsonl", ran.last)
    assert rows()["a"]["functions"] == {"double": "green"}


def test_not_all_green(tdgen, script):
    """Exit code 1; the line that is not is told with its number, its id and the reason."""
    ran = tdgen("batch", write(line("a"), "nonsense", {"id": "c"}), *QUICK, "--script", script)
    assert ran.code == 1
    assert "malformed line 2 : it is no JSON: " in ran.err
    assert "malformed line 3 c: it has no instruction" in ran.err
    assert "3 lines: 2 malformed, 1 green" in ran.err


def test_json(tdgen, script):
    """One document, the summary's, which is in a file too."""
    ran = tdgen("batch", write(line("a")), *QUICK, "--script", script, "--json", "--quiet")
    assert ran.document["outcomes"] == {"green": 1}
    assert ran.document == json.loads(Path("out/summary.json").read_text())
    assert ran.err == ""


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ([line("a"), line("b"), line("a")], "lines 1 and 3 of in.jsonl have the same id 'a'"),
        (['{"task_id": 1}'], "no line of in.jsonl can be used"),
        ([], "holds no line"),
    ],
    ids=["twice", "another shape", "empty"],
)
def test_a_file_that_cannot_be_used(tdgen, script, content, told):
    """Exit code 2, one line, and no folder is made."""
    ran = tdgen("batch", write(*content), *QUICK, "--script", script)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert told in ran.last
    assert not Path("out").exists()


def test_the_folder_of_another_run(tdgen, script):
    """Refused, with the ways out: go on all the same, where what did not change is finished, or begin anew."""
    tdgen("batch", write(line("a"), line("b")), *QUICK, "--script", script)
    changed = write(line("a"), line("b", "other"), line("c"))
    ran = tdgen("batch", changed, *QUICK, "--script", script)
    assert ran.code == 2
    assert "out holds the results of another run" in ran.last
    ran = tdgen("batch", changed, *QUICK, "--script", script, "--resume", "--json")
    assert (ran.code, ran.document["missing"]) == (0, 0)
    ran = tdgen("batch", changed, *QUICK, "--script", script, "--force", "--json")
    assert ran.document["outcomes"] == {"green": 3}
    assert len(rows()) == 3


def test_nobody_reachable(tdgen, endpoint):
    """Exit code 4 after a few lines; nothing is lost, and the next run does them all."""
    endpoint.will(401)
    ran = tdgen("batch", write(*(line(f"l{n}") for n in range(40))), *QUICK, "--at-once", 2)
    assert ran.code == 4
    assert re.search(r"stopped: the endpoint .* refuses the key", ran.err)
    assert len(rows()) < 10


@pytest.fixture
def answers(one_function):
    """What a model says on the way to one green function, another one for each name."""

    def make(name: str) -> list:
        contract = one_function["plan"]["functions"][0] | {"purpose": f"Return double of n, for {name}."}
        plan = one_function["plan"] | {"functions": [contract]}
        return [plan, one_function["cases"], one_function["implement"]]

    return make


@pytest.fixture
def cut_off(start, endpoint, answers):
    """Start a batch of three lines, one after the other, that is never answered in the middle of the second."""

    def begin(*rows: dict):
        endpoint.will(*answers("a"), *answers("b")[:2], None)
        process = start("batch", write(*rows), *QUICK, "--at-once", 1)
        for _ in range(6):
            assert endpoint.asked.acquire(timeout=60)
        return process

    return begin


def test_kill_and_again(cut_off, finished, tdgen, endpoint, answers):
    """The first line is finished, the second goes on from its journal: no question is asked twice."""
    process = cut_off(line("a"), line("b"), line("c"))
    process.kill()
    assert finished(process).code == -signal.SIGKILL
    assert list(rows()) == ["a"]
    unanswered = endpoint.bodies.pop()
    endpoint.will(answers("b")[2], *answers("c"))
    ran = tdgen("batch", "in.jsonl", *QUICK, "--at-once", 1)
    assert ran.code == 0
    assert {name: row["outcome"] for name, row in rows().items()} == dict.fromkeys("abc", "green")
    asked = [json.dumps(body["messages"]) for body in endpoint.bodies]
    assert len(asked) == len(set(asked)) == 9
    assert json.dumps(unanswered["messages"]) == asked[5]


def test_ctrl_c_twice_drops_what_is_in_flight(cut_off, finished):
    """The first says what it does; exit code 130 at the second, and what was finished is there."""
    process = cut_off(line("a"), line("b"), line("c"))
    process.send_signal(signal.SIGINT)
    while b"finishing what is in flight" not in (told := process.stderr.readline()):
        assert told
    process.send_signal(signal.SIGINT)
    ran = finished(process)
    assert ran.code == 130
    assert "dropped what was in flight: the same command goes on from here" in ran.err
    assert list(rows()) == ["a"]


def test_ctrl_c_once_finishes_what_is_in_flight(cut_off, finished, endpoint):
    """And begins nothing; exit code 130 where lines are left."""
    process = cut_off(line("a"), line("b"), line("c"))
    process.send_signal(signal.SIGINT)
    while b"finishing what is in flight" not in (told := process.stderr.readline()):
        assert told
    endpoint.will(401)
    endpoint.over.set()
    ran = finished(process)
    assert ran.code == 130
    assert ran.last.startswith("tdgen: interrupted: 2 of 3 lines are done; the same command goes on from here")
    assert list(rows()) == ["a", "b"]


def test_two_processes_solve_one_instruction_once(start, finished, endpoint, answers):
    """On one cache folder: the second waits for the first, and finds it in the cache."""
    endpoint.will(*answers("a"), 500)
    write(line("a"))
    both = [start("batch", "in.jsonl", "-o", name, "--trust", "quick") for name in ("one", "two")]
    assert [finished(process).code for process in both] == [0, 0]
    assert len(endpoint.bodies) == 3
    assert sorted(rows(name)["a"]["cached"] for name in ("one", "two")) == [False, True]


def test_how_far_it_is():
    """In one line: what ended and how, the rate, the cost, and the time to go."""
    spent = Usage(calls=3, prompt_tokens=900, completion_tokens=304, cost=0.42)
    told = status(Counter(green=117, red=3), spent, 2.0951, 120, 1000, 420.2)
    assert told == "120 of 1,000 · 117 green, 3 red · 2.1 lines/s · $0.4200 · 7:00 to go"
    free = status(Counter(green=5), Usage(prompt_tokens=7), 0.5, 5, 5, 0.0)
    assert free == "5 of 5 · 5 green · 0.5 lines/s · 7 tokens"


@pytest.mark.parametrize(("seconds", "told"), [(6.6, "0:07"), (760, "12:40"), (10_931, "3:02:11")])
def test_time_is_told_as_on_a_clock(seconds, told):
    """Minutes and seconds, hours before them where there are some."""
    assert clock(seconds) == told


def test_a_hostile_id_commands_no_terminal(capsys):
    """What comes from a file is shown, not obeyed."""
    from tdgen.batch.results import Row

    Watch(live=False).take(Row(line=1, id="a", outcome="red", reason="\x1b[2Jgone"), 1, 1)
    assert "\x1b" not in capsys.readouterr().err


def test_trouble_with_the_teams_store_is_told_once(capsys):
    """It concerns the whole run, whichever line met it; what else is noted of a line stands in its row."""
    from tdgen.batch.results import Row

    watch = Watch(live=False)
    trouble = "the shared store at redis.test:6379 is full: raise its maxmemory, or delete entries"
    for number in (1, 2):
        watch.take(Row(line=number, id="a", outcome="green", notes=("took a default", trouble)), number, 2)
    assert capsys.readouterr().err.strip() == f"note      line 1 a: {trouble}"
