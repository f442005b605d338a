"""One account for calls, tokens, money and seconds: limits hold, and nobody is paid with what others are owed.

A budget holds, however many ask at once, and says in one line which limit to raise.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tdgen.endpoint.prices import price_of
from tdgen.errors import BudgetSpent, ModelError
from tdgen.models import BudgetedModel, Ledger, Throttle, TryAgain
from tdgen.models.costs import most_prompt_tokens
from tdgen.protocols import Answer, Request
from tdgen.settings import Budget
from tdgen.types import Spent, Usage

ONE = Usage(calls=1, prompt_tokens=10, completion_tokens=5)


class PerToken:
    """A price of a cent for each token out; prompts are free."""

    def cost(self, prompt_tokens: int, answer_tokens: int, cached_tokens: int = 0) -> float:
        return answer_tokens / 100

    def room(self, dollars: float, prompt_tokens: int, most: int) -> int:
        return min(most, int(dollars * 100))


def ledger_of(prices=lambda purpose: None, **limits) -> Ledger:
    return Ledger(Budget(**{"calls": None, "seconds": None} | limits), prices=prices)


def cents(purpose: str) -> PerToken:
    return PerToken()


class TestMoney:
    """A limit like the others, where prices are known."""

    def test_the_worst_case_is_reserved(self, question):
        """All the room of the answer."""
        assert ledger_of(cents).reserve(question(max_tokens=300)).cost == 3.0

    def test_what_was_paid_has_its_price(self, question, told):
        """On the answer, and on the account."""
        ledger = ledger_of(cents)
        assert BudgetedModel(told(), ledger).ask(question()).usage.cost == 0.05
        assert ledger.usage().cost == 0.05

    def test_an_answers_room_shrinks_to_what_the_money_pays_for(self, question, told):
        """A shorter answer is better than none."""
        inner = told()
        BudgetedModel(inner, ledger_of(cents, money=4)).ask(question(max_tokens=8000))
        assert inner.asked[0].max_tokens == 400

    @pytest.mark.parametrize("money", [0, 0.01, 2.55])
    def test_too_little_is_a_spent_budget(self, money, question, told):
        """In one line, before anybody is asked."""
        inner = told()
        with pytest.raises(BudgetSpent, match=rf"^the budget of \${money:g} is spent: raise --budget money=N$"):
            BudgetedModel(inner, ledger_of(cents, money=money)).ask(question(max_tokens=8000))
        assert inner.asked == []

    def test_what_is_free_needs_no_money(self, question, told):
        """A price of nothing is a price."""

        class Free(PerToken):
            def cost(self, prompt_tokens: int, answer_tokens: int, cached_tokens: int = 0) -> float:
                return 0.0

            def room(self, dollars: float, prompt_tokens: int, most: int) -> int:
                return most

        answer = BudgetedModel(told(), ledger_of(lambda purpose: Free(), money=0)).ask(question())
        assert answer.usage.cost == 0.0

    def test_what_has_no_price_is_told_in_tokens(self, question, told):
        """Never as nothing; beside what has one, as tokens of unknown price."""
        ledger = ledger_of(lambda purpose: PerToken() if purpose == "plan" else None)
        model = BudgetedModel(told(), ledger)
        assert model.ask(question("implement", "f")).usage.cost is None
        assert ledger.usage().cost is None
        model.ask(question("plan"))
        assert (ledger.usage().cost, ledger.usage().unpriced) == (0.05, 15)

    def test_parallel_callers_never_exceed_it(self, question):
        """Answers that use all their room stay within the limit together."""
        ledger = ledger_of(cents, money=30)
        said = outcomes(BudgetedModel(Greedy(), ledger), question(max_tokens=900), 16)
        assert 0 < said.count("answered") < 16
        assert 20 < ledger.usage().cost <= 30

    def test_list_prices_hold_too(self, question):
        """With the tariff of a real model."""
        price = price_of("gpt-5-mini")
        ledger = ledger_of(lambda purpose: price, money=0.003)
        outcomes(BudgetedModel(Greedy(), ledger), question(max_tokens=500), 8)
        assert 0.001 < ledger.usage().cost <= 0.003


class Greedy:
    """A model that uses all the room it is given."""

    def ask(self, request: Request) -> Answer:
        prompt = most_prompt_tokens(request)
        return Answer(text="", usage=Usage(calls=1, prompt_tokens=prompt, completion_tokens=request.max_tokens))


def outcomes(model: BudgetedModel, request: Request, callers: int) -> list[str]:
    def ask(_: int) -> str:
        try:
            model.ask(request)
        except BudgetSpent as error:
            return str(error)
        return "answered"

    with ThreadPoolExecutor(callers) as pool:
        return list(pool.map(ask, range(callers)))


class TestWhatIsOwed:
    """No call takes what functions need that have nothing yet."""

    def test_one_that_resists_can_not_eat_it(self, question, told):
        """Its repairs end where the others' first calls begin; those can still be made."""
        ledger = ledger_of(calls=5)
        ledger.plan_shares({"hard": 3, "f": 1, "g": 1})
        model = BudgetedModel(told(), ledger)
        model.ask(question("implement", "hard"))
        model.ask(question("repair", "hard"))
        model.ask(question("repair", "hard"))
        with pytest.raises(
            BudgetSpent, match=r"^what is left of the budget of 5 model calls is owed to functions that"
        ):
            model.ask(question("repair", "hard"))
        model.ask(question("implement", "f"))
        model.ask(question("implement", "g"))
        with pytest.raises(BudgetSpent, match=r"^the budget of 5 model calls is spent"):
            model.ask(question("repair", "g"))

    def test_tokens_are_owed_as_a_usual_call_needs_them(self, question, told):
        """What calls have cost so far, for each call that is owed."""
        ledger = ledger_of(tokens=4000)
        big = Answer(text="", usage=Usage(calls=1, prompt_tokens=500, completion_tokens=500))
        model = BudgetedModel(told(big, big, big), ledger)
        model.ask(question())
        ledger.plan_shares({"f": 1, "g": 1})
        model.ask(question("implement", "f"))
        assert ledger.may_spend("repair", "f")
        model.ask(question("repair", "f"))
        assert not ledger.may_spend("repair", "f")
        with pytest.raises(BudgetSpent, match="the budget of 4000 tokens is owed to functions"):
            model.ask(question("repair", "f", max_tokens=8000))
        assert ledger.may_spend("implement", "g")
        model.ask(question("implement", "g"))

    def test_money_is_owed_in_the_same_way(self, question, told):
        """A dollar a call so far, a dollar kept for the other function."""
        ledger = ledger_of(cents, money=4)
        dollar = Answer(text="", usage=Usage(calls=1, prompt_tokens=1, completion_tokens=100))
        model = BudgetedModel(told(dollar, dollar, dollar), ledger)
        model.ask(question())
        ledger.plan_shares({"f": 1, "g": 1})
        model.ask(question("implement", "f"))
        assert ledger.may_spend("repair", "f")
        assert not ledger.may_spend("repair", "f", calls=2)
        model.ask(question("repair", "f"))
        with pytest.raises(BudgetSpent, match=r"the budget of \$4 is owed to functions"):
            model.ask(question("repair", "f"))

    def test_a_failed_first_call_is_owed_again(self, question, told):
        """Whoever was refused by the endpoint has its turn once more."""
        ledger = ledger_of(calls=2)
        ledger.plan_shares({"f": 1, "g": 1})
        model = BudgetedModel(told(ModelError("down")), ledger)
        with pytest.raises(ModelError):
            model.ask(question("implement", "f"))
        model.ask(question("implement", "g"))
        with pytest.raises(BudgetSpent, match="owed"):
            model.ask(question("repair", "g"))
        model.ask(question("implement", "f"))

    def test_what_ended_is_owed_nothing(self, question, told):
        """The calls are there for the others."""
        ledger = ledger_of(calls=3)
        ledger.plan_shares({"f": 1, "g": 1}, cases=["g"])
        model = BudgetedModel(told(), ledger)
        model.ask(question("implement", "f"))
        assert not ledger.may_spend("repair", "f")
        ledger.end("g")
        assert ledger.may_spend("repair", "f", calls=2)

    def test_threads_that_come_together_leave_what_is_owed(self, question, told):
        """Of twenty repairs at once, as many are made as leave a call for each of the others."""
        ledger = ledger_of(calls=10)
        ledger.plan_shares({"hard": 3, "f": 1, "g": 1, "h": 1})
        model = BudgetedModel(told(), ledger)
        model.ask(question("implement", "hard"))
        said = outcomes(model, question("repair", "hard"), 20)
        assert said.count("answered") == 6
        assert ledger.remaining_calls() == 3


class TestWhatMayBeSpent:
    """Whether a call that nothing depends on leaves enough for those that are owed."""

    @pytest.fixture
    def ledger(self):
        """Ten calls for two functions: their code is owed, and of the other eight they have two and six."""
        ledger = ledger_of(calls=10)
        ledger.plan_shares({"small": 1, "large": 3})
        return ledger

    @pytest.mark.parametrize(
        ("name", "calls", "optional", "may"),
        [
            ("small", 2, True, True),
            ("small", 3, True, False),
            ("small", 8, False, True),
            ("small", 9, False, False),
            ("large", 6, True, True),
            ("large", 7, True, False),
        ],
    )
    def test_what_is_optional_keeps_within_the_share(self, ledger, name, calls, optional, may):
        """A repair may take all that is not owed."""
        assert ledger.may_spend("trial", name, optional=optional, calls=calls) is may

    def test_what_is_under_way_counts(self, ledger, question):
        """A call that is being made is as good as spent."""
        first, second = (ledger.reserve(question("trial", "small")) for _ in range(2))
        assert not ledger.may_spend("trial", "small", optional=True)
        ledger.settle(first, Usage(), answered=False)
        assert ledger.may_spend("trial", "small", optional=True)
        ledger.settle(second, ONE)
        assert ledger.remaining_calls() == 9

    def test_the_calls_it_is_owed_itself_may_be_made(self, question):
        """Also where nothing else is left."""
        ledger = ledger_of(calls=1)
        ledger.plan_shares({"f": 1})
        assert ledger.may_spend("implement", "f")
        assert ledger.may_spend("implement", "f", optional=True)
        assert not ledger.may_spend("trial", "f", optional=True)

    def test_without_limits_everything_may(self):
        """There is no share of what has no end."""
        ledger = ledger_of()
        ledger.plan_shares({"f": 1})
        assert ledger.may_spend("trial", "f", optional=True, calls=1000)

    def test_without_a_plan_all_that_is_left_may(self):
        """Nothing is owed before there are functions."""
        assert ledger_of(calls=2).may_spend("settle", "f", optional=True, calls=2)
        assert not ledger_of(calls=2).may_spend("settle", "f", optional=True, calls=3)

    def test_nothing_may_when_time_is_up(self):
        """Zero seconds are a limit."""
        assert not ledger_of(seconds=0).may_spend("implement", "f")


class TestTheEnd:
    """When a run has ended, nobody asks any more, and what is on its way is waited for."""

    def test_nobody_asks_any_more(self, question, told):
        """Threads that are left behind pay for nothing."""
        ledger = ledger_of()
        ledger.close()
        ledger.close()
        inner = told()
        with pytest.raises(BudgetSpent, match="the run has ended"):
            BudgetedModel(inner, ledger).ask(question())
        with pytest.raises(BudgetSpent, match="the run has ended"), ledger.asking("plan", ""):
            pass
        with pytest.raises(BudgetSpent, match="the run has ended"):
            ledger.check_time()
        assert (inner.asked, ledger.remaining_seconds()) == ([], 0.0)

    def test_an_answer_on_its_way_is_waited_for(self):
        """Closing ends when it is there."""
        ledger, asking, answered = ledger_of(), threading.Event(), []

        def ask() -> None:
            with ledger.asking("implement", "f"):
                asking.set()
                ledger_closing.wait(10)
                answered.append(ledger.remaining_seconds())

        ledger_closing = threading.Event()
        with ThreadPoolExecutor(2) as pool:
            future = pool.submit(ask)
            asking.wait(10)
            closing = pool.submit(ledger.close, 10.0)
            ledger_closing.set()
            closing.result(10)
            future.result(10)
        assert answered == [None]

    def test_patience_has_an_end(self):
        """Then what is left is cut."""
        ledger = ledger_of()
        with ledger.asking("implement", "f"):
            ledger.close(0.01)
            assert ledger.remaining_seconds() == 0.0

    def test_who_waits_for_a_turn_hears_that_the_run_has_ended(self):
        """Not that its time was spent: no budget that is raised would have helped."""
        ledger, asking = ledger_of(), threading.Event()
        throttle = Throttle(concurrency=1).within(ledger.remaining_seconds, woken_by=ledger.woken_by)

        def ask() -> None:
            with ledger.asking("implement", "f"):
                asking.set()
                with throttle:
                    pass

        with throttle, ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(ask)
            asking.wait(10)
            ledger.close()
            with pytest.raises(BudgetSpent, match=r"^the run has ended$"):
                waiting.result(10)

    def test_who_reads_when_patience_ends_is_hung_up_on(self):
        """And who begins to read after it, at once."""
        ledger, woken = Ledger(Budget()), []
        with ledger.woken_by(lambda: woken.append("reading")):
            ledger.close()
        with ledger.woken_by(lambda: woken.append("late")):
            assert woken == ["reading", "late"]

    def test_whoever_waits_for_room_is_told(self, question):
        """It would wait for ever."""
        request = question(max_tokens=900)
        ledger = ledger_of(tokens=1100)
        ledger.reserve(request)
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(ledger.reserve, request)
            ledger.close()
            with pytest.raises(BudgetSpent, match="the run has ended"):
                waiting.result(10)

    def test_whoever_waits_for_room_wakes_when_time_is_up(self, question):
        """Though nothing settles."""
        request = question(max_tokens=900)
        ledger = ledger_of(tokens=1100, seconds=0.05)
        ledger.reserve(request)
        with pytest.raises(BudgetSpent, match=r"the budget of 0\.05 seconds is spent"):
            ledger.reserve(request)


class TestWhatIsTold:
    """After every call that cost something, what was spent and what is left."""

    def test_all_that_was_spent_and_what_is_left(self, question, told):
        """Limits that there are not are None."""
        events = []
        model = BudgetedModel(told(), ledger_of(cents, calls=5, money=1000), events.append)
        model.ask(question())
        model.ask(question())
        last = events[-1]
        assert [event.kind for event in events] == ["budget_told", "budget_told"]
        assert (last.usage.calls, last.usage.tokens, last.usage.cost) == (2, 30, 0.1)
        assert (last.calls_left, last.tokens_left, last.money_left, last.seconds_left) == (3, None, 999.9, None)

    def test_what_was_lost_is_told_too(self, question, told):
        """No answer came, and it was paid."""
        events = []
        model = BudgetedModel(told(TryAgain("cut", "again", lost=ONE)), ledger_of(), events.append)
        with pytest.raises(TryAgain):
            model.ask(question())
        assert events[0].usage == ONE

    def test_a_failure_that_cost_nothing_is_not(self, question, told):
        """There is nothing new to tell."""
        events = []
        with pytest.raises(ModelError):
            BudgetedModel(told(ModelError("down")), ledger_of(), events.append).ask(question())
        assert events == []

    def test_of_many_the_last_one_knows_all(self, question, told):
        """However they overtake each other."""
        events = []
        outcomes(BudgetedModel(told(), ledger_of(), events.append), question(), 12)
        assert [event.usage.calls for event in events] == sorted(event.usage.calls for event in events)
        assert events[-1].usage.calls == 12


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def unlimited(**limits) -> Budget:
    return Budget(**{"calls": None, "tokens": None, "money": None, "seconds": None} | limits)


def test_calls_are_counted(question, told):
    """The call after the last is refused, with the way out."""
    model = BudgetedModel(told(), Ledger(unlimited(calls=2)))
    model.ask(question())
    model.ask(question())
    with pytest.raises(BudgetSpent, match=r"^the budget of 2 model calls is spent: raise --budget calls=N$"):
        model.ask(question())


def test_a_budget_of_nothing_asks_nobody(question, told):
    """Zero is a limit like another."""
    inner = told()
    with pytest.raises(BudgetSpent, match="0 model calls"):
        BudgetedModel(inner, Ledger(unlimited(calls=0))).ask(question())
    assert inner.asked == []


def test_usage_is_kept_by_purpose_and_subject(question, told):
    """And in all."""
    ledger = Ledger(unlimited())
    model = BudgetedModel(told(), ledger)
    for request in (question(), question("implement", "f"), question("implement", "f", attempt=2)):
        model.ask(request)
    one = Usage(calls=1, prompt_tokens=10, completion_tokens=5)
    assert ledger.spent() == (
        Spent(purpose="plan", usage=one),
        Spent(purpose="implement", function="f", usage=one + one),
    )
    assert ledger.usage() == one + one + one


def test_usage_that_nobody_counted_is_guessed(question, told):
    """An answer without figures still costs."""
    ledger = Ledger(unlimited())
    BudgetedModel(told(Answer(text="x" * 40)), ledger).ask(question())
    assert ledger.usage() == Usage(calls=1, prompt_tokens=4, completion_tokens=10)


def test_the_worst_case_is_reserved_first(question):
    """The prompt at its most and all the room of the answer, whatever it will turn out to be."""
    request = question(max_tokens=1000)
    assert Ledger(unlimited()).reserve(request).tokens == most_prompt_tokens(request) + 1000


def test_an_answers_room_shrinks_to_what_is_left(question, told):
    """A shorter answer is better than none."""
    request = question(max_tokens=8000)
    inner = told()
    BudgetedModel(inner, Ledger(unlimited(tokens=1000))).ask(request)
    assert inner.asked[0].max_tokens == 1000 - most_prompt_tokens(request)


def test_too_little_room_is_a_spent_budget(question, told):
    """Nothing useful fits in 255 tokens."""
    tokens = most_prompt_tokens(question()) + 255
    with pytest.raises(BudgetSpent, match=rf"^the budget of {tokens} tokens is spent: raise --budget tokens=N$"):
        BudgetedModel(told(), Ledger(unlimited(tokens=tokens))).ask(question(max_tokens=8000))


def test_settling_gives_back_what_was_not_used(question, told):
    """Ten calls of a large worst case fit where each turns out to be small."""
    request = question(max_tokens=900)
    model = BudgetedModel(told(), Ledger(unlimited(tokens=1100)))
    for _ in range(10):
        model.ask(request)


def test_a_failed_call_costs_nothing(question, told):
    """Nobody answered, nobody is paid."""
    ledger = Ledger(unlimited(calls=1))
    model = BudgetedModel(told(ModelError("down")), ledger)
    with pytest.raises(ModelError):
        model.ask(question())
    assert ledger.usage() == Usage()
    assert model.ask(question()).text == "hello"


def test_an_answer_lost_on_the_way_is_paid(question, told):
    """A stream that broke off had cost what it had said."""
    lost = Usage(calls=1, prompt_tokens=10, completion_tokens=400)
    ledger = Ledger(unlimited())
    with pytest.raises(TryAgain):
        BudgetedModel(told(TryAgain("broke off", "try again", lost=lost)), ledger).ask(question())
    assert ledger.usage() == lost


def test_seconds_in_which_the_user_is_asked_do_not_count():
    """Neither while a question is open nor afterwards; of two that are open at once, until both are answered."""
    clock = Clock()
    ledger = Ledger(unlimited(seconds=60), clock)
    clock.now += 10
    with ledger.paused():
        clock.now += 1_000
        with ledger.paused():
            clock.now += 1_000
        clock.now += 1_000
        assert ledger.remaining_seconds() == 50
    clock.now += 20
    assert ledger.remaining_seconds() == 30


def test_time_is_a_limit(question, told):
    """It runs from the ledger's making."""
    clock = Clock()
    ledger = Ledger(unlimited(seconds=60), clock)
    model = BudgetedModel(told(), ledger)
    clock.now += 45
    model.ask(question())
    assert ledger.remaining_seconds() == 15
    clock.now += 20
    assert ledger.remaining_seconds() == 0
    with pytest.raises(BudgetSpent, match=r"^the budget of 60 seconds is spent: raise --budget seconds=N$"):
        model.ask(question())


def test_no_limit_is_no_limit():
    """None has no end."""
    ledger = Ledger(unlimited())
    ledger.check_time()
    assert ledger.remaining_seconds() is None


class Overlapping:
    """Answers only when all of `together` are asking at once, so that reservations really overlap."""

    def __init__(self, together: int) -> None:
        self.barrier = threading.Barrier(together)

    def ask(self, request: Request) -> Answer:
        self.barrier.wait(10)
        return Answer(text="", usage=Usage(calls=1, prompt_tokens=1, completion_tokens=request.max_tokens))


def test_parallel_callers_share_the_calls(question):
    """Of eight that ask while four calls are under way, four are refused."""
    ledger = Ledger(unlimited(calls=4))
    said = outcomes(BudgetedModel(Overlapping(4), ledger), question(), 8)
    assert said.count("answered") == 4
    assert ledger.usage().calls == 4


def test_parallel_callers_never_exceed_the_tokens(question, told):
    """Answers that use all their room stay within the limit together; some get less room, some none."""
    ledger = Ledger(unlimited(tokens=5000))
    said = outcomes(BudgetedModel(Overlapping(1), ledger), question(max_tokens=900), 16)
    assert 0 < said.count("answered") < 16
    assert 4000 < ledger.usage().tokens <= 5000


def test_whoever_does_not_fit_waits_for_the_others(question, told):
    """Two worst cases don't fit at once, two answers do: the second waits for the first to settle."""
    request = question(max_tokens=900)
    ledger = Ledger(unlimited(tokens=1100))
    first = ledger.reserve(request)
    with ThreadPoolExecutor(1) as pool:
        second = pool.submit(ledger.reserve, request)
        ledger.settle(first, Usage(calls=1, prompt_tokens=10, completion_tokens=5))
        assert second.result(10).request.max_tokens == 900


class TestParts:
    """A part of the work with a ledger of its own."""

    def test_its_budget_is_what_is_left_and_its_cost_counts(self):
        """Calls, tokens and money: after it no more is left than without it."""
        whole = Ledger(Budget(calls=5, tokens=900, money=1.0, seconds=60.0))
        usage = Usage(calls=2, prompt_tokens=300, completion_tokens=100, cost=0.25)
        whole.charge([Spent(purpose="cases", function="f", usage=usage)])
        rest = whole.rest()
        assert (rest.calls, rest.tokens, rest.money) == (3, 500, 0.75)
        assert rest.seconds is not None
        assert rest.seconds <= 60.0
        assert whole.usage() == usage
        assert whole.spent() == (Spent(purpose="cases", function="f", usage=usage),)
