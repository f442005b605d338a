"""The smallest budgets end in one line and exit code 3, and nothing that was paid is lost."""

import pytest

from tdgen.cli.app import run

pytestmark = pytest.mark.usefixtures("warm")

SPENT = 3


@pytest.fixture
def solve(tdgen, said, instruction):
    """Solve the instruction with the script's answers."""

    def solve(*more):
        return tdgen("solve", instruction, "--script", said.green().path, "--trust", "quick", *more)

    return solve


@pytest.mark.parametrize(
    ("budget", "line"),
    [
        ("calls=0", "the budget of 0 model calls is spent: raise --budget calls=N"),
        ("calls=1", "the plan has 2 functions and needs 4 more model calls, 0 are left: raise --budget calls=5"),
        ("tokens=0", "the budget of 0 tokens is spent: raise --budget tokens=N"),
        ("tokens=1", "the budget of 1 token is spent: raise --budget tokens=N"),
        ("seconds=0", "the budget of 0 seconds is spent: raise --budget seconds=N"),
        ("seconds=0.001", "the budget of 0.001 seconds is spent: raise --budget seconds=N"),
    ],
)
def test_a_tiny_budget_is_one_line(solve, budget, line):
    """Which limit it was, and how it is raised."""
    ran = solve("--budget", budget)
    assert ran.code == SPENT
    assert ran.out == ""
    assert ran.last.startswith(f"tdgen: {line}")
    assert "Traceback" not in ran.err


def test_no_money_buys_nothing(tdgen, instruction, monkeypatch):
    """Before the endpoint is asked: its price is known without it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody")
    ran = tdgen("solve", instruction, "--budget", "money=0")
    assert (ran.code, ran.last) == (SPENT, "tdgen: the budget of $0 is spent: raise --budget money=N")


def test_recorded_answers_cost_no_money(solve):
    """A script is nobody that is paid."""
    ran = solve("--budget", "money=0", "--json")
    assert ran.code == 0
    assert ran.document["usage"]["cost"] is None


@pytest.mark.parametrize("command", ["solve", "plan", "tests"])
def test_a_limit_of_money_without_a_price_is_refused(tdgen, endpoint, instruction, command):
    """It could not hold; nobody is asked."""
    ran = tdgen(command, instruction, "--base-url", endpoint.url, "--model", "known", "--budget", "money=1")
    assert ran.code == 2
    assert ran.last.startswith("tdgen: no price is known for the model known, so")
    assert endpoint.bodies == []


def test_what_was_paid_for_is_there_when_the_budget_is_raised(solve):
    """The plan is not asked for again."""
    solve("--budget", "calls=1")
    ran = solve("--json")
    assert ran.code == 0
    assert "an unfinished run left 1 answer" in ran.err
    assert "plan" not in [part["purpose"] for part in ran.document["spent"]]


def test_what_was_spent_where_is_told(solve):
    """As data always, in lines where they are wanted."""
    document = solve("--json").document
    assert sum(part["calls"] for part in document["spent"]) == document["usage"]["calls"] >= 5
    assert [(part["purpose"], part["function"]) for part in document["spent"]][:5] == [
        ("plan", ""),
        ("cases", "double"),
        ("cases", "quadruple"),
        ("implement", "double"),
        ("implement", "quadruple"),
    ]
    assert "spent on implement double: 1 call," in solve("--fresh", "--verbose").err
    assert "spent on" not in solve("--fresh").err


def test_an_estimate_tells_the_money(tdgen, instruction, capsys):
    """Where the model's price is known, and only there."""
    known = tdgen("solve", instruction, "--dry-run", "--model", "gpt-5-mini")
    unknown = tdgen("solve", instruction, "--dry-run", "--model", "no-such-model")
    assert known.out.splitlines()[0].endswith("money")
    assert known.out.splitlines()[1].split()[-1].startswith("$0.0")
    assert "money" not in unknown.out.splitlines()[0]
    assert run(["solve", instruction, "--dry-run", "--json", "--model", "no-such-model"]) == 0
    assert '"cost": null' in capsys.readouterr().out
