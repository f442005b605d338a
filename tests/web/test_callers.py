"""Tokens by name: who may call, and how much each may ask for."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.settings import Budget
from tdgen.web.callers import budget_text, read_callers, with_token, within
from tdgen.web.listening import Address

FILE = """
[ci]
token = "the-token-of-continuous-integration"
budget = "calls=20,tokens=100k"
daily = "calls=45"

[anna]
token = "the-token-of-anna-alone"
rpm = 1
"""


@pytest.fixture
def callers(tmp_path):
    (tmp_path / "tokens").write_text(FILE)
    return read_callers(tmp_path / "tokens")


def test_a_file_of_tokens_is_read(callers):
    """By name, with what each may; what the page's cookie holds proves a token without being it."""
    ci, anna = callers
    assert (ci.name, ci.budget, ci.daily, ci.rpm) == ("ci", {"calls": 20, "tokens": 100_000}, {"calls": 45}, 0)
    assert with_token(callers, "the-token-of-anna-alone") == with_token(callers, anna.session, as_session=True) == anna
    assert (
        with_token(callers, "") is with_token(callers, "", as_session=True) is with_token(callers, anna.session) is None
    )
    assert "the-token" not in f"{callers} {ci!r} {ci}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has none: write a table for each"),
        ("a-plain-token", "is no TOML"),
        ('ci = "the-token-of-continuous-integration"', "[ci] in the file of tokens"),
        ("[ci]\nrpm = 3", "too short to be safe"),
        ('[ci]\ntoken = "short"', "too short to be safe"),
        ('[ci]\ntoken = "a token with spaces in it"', "ASCII characters without spaces"),
        ("[ci]\ntoken = 1234567890123456789", "[ci]"),
        ('[ci]\ntoken = "a-token-of-some-length"\nbudget = "wishes=3"', "there is no limit 'wishes'"),
        ('[ci]\ntoken = "a-token-of-some-length"\nbudget = 3', "write it like"),
        ('[ci]\ntoken = "a-token-of-some-length"\ndaily = "seconds=3"', "a day has no limit of seconds"),
        ('[ci]\ntoken = "a-token-of-some-length"\nrpm = -1', "rpm"),
        ('[ci]\ntoken = "a-token-of-some-length"\nrate = 1', "rate"),
        ('[a]\ntoken = "a-token-of-some-length"\n[b]\ntoken = "a-token-of-some-length"', "have one token"),
    ],
)
def test_a_file_that_can_not_be_used(tmp_path, text, told):
    """Is told in a line, without any token."""
    (tmp_path / "tokens").write_text(text)
    with pytest.raises(InputError) as raised:
        read_callers(tmp_path / "tokens")
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "a-token-of-some-length" not in str(raised.value)


def test_nobody_asks_for_more_than_the_token_and_the_server_spend():
    """The least of both holds where less is not asked for."""
    server = Budget(calls=30, money=None)
    assert within(server, {}, {"calls": 40, "money": 0.5}) == {"calls": 30, "money": 0.5}
    assert within(server, {"calls": 3}, {"calls": 20}) == {"calls": 3}
    with pytest.raises(InputError, match="at most calls=20"):
        within(server, {"calls": 21}, {"calls": 20})
    assert budget_text({"calls": 3, "tokens": 1_234_567, "money": None}) == "calls=3,tokens=1234567,money=none"


class TestService:
    @pytest.fixture
    def gated(self, solver, double, gate):
        return gate(solver.model(double()), "plan")

    @pytest.fixture
    def service(self, serve, gated, callers):
        yield (made := serve(gated, address=Address(port=0, callers=callers)))
        gated.open.set()
        del made

    @staticmethod
    def post(service, token: str, **more):
        body = {"instruction": "Double it.", **more}
        return service.http.post("/runs", json=body, headers={"authorization": f"Bearer the-token-of-{token}"})

    def test_a_token_has_its_budget(self, service):
        """Which an order may lower and not raise; a run says whose it is."""
        told = self.post(service, "continuous-integration").json()
        assert (told["by"], told["order"]["options"]["budget"]) == ("ci", "calls=20,tokens=100000")
        less = self.post(service, "continuous-integration", options={"budget": "calls=2"}).json()
        assert less["order"]["options"]["budget"] == "calls=2,tokens=100000"
        more = self.post(service, "continuous-integration", options={"budget": "calls=21"})
        assert (more.status_code, "at most calls=20" in more.json()["error"]) == (422, True)

    def test_a_token_has_its_rate(self, service):
        """Beyond it an order is told when to come back; others are not touched by it."""
        assert self.post(service, "anna-alone").status_code == 202
        refused = self.post(service, "anna-alone")
        assert (refused.status_code, int(refused.headers["retry-after"])) == (429, 61)
        assert self.post(service, "continuous-integration").status_code == 202

    def test_a_day_has_its_limit(self, service, gated):
        """What goes on counts at its most; what has ended counts as it was, and is in the figures."""
        first = self.post(service, "continuous-integration")
        assert gated.waiting.wait(10)
        assert self.post(service, "continuous-integration").status_code == 202
        third = self.post(service, "continuous-integration")
        assert third.json()["order"]["options"]["budget"] == "calls=5,tokens=100000"
        refused = self.post(service, "continuous-integration")
        assert (refused.status_code, "ci's calls=45 of the day" in refused.json()["error"]) == (429, True)
        gated.open.set()
        service.http.headers["authorization"] = "Bearer the-token-of-continuous-integration"
        spent = service.ended(first.json()["id"])["usage"]["calls"]
        service.ended(third.json()["id"])
        told = service.http.get("/metrics").text
        assert f'tdgen_calls_total{{token="ci"}} {spent}\n' in told
        assert 'tdgen_runs_ended_total{state="green"} 3\n' in told
        assert 'tdgen_runs{state="running"} 0\n' in told

    def test_figures_need_a_token_and_health_does_not(self, service):
        """A load balancer has none."""
        assert service.http.get("/metrics").status_code == 401
        assert service.http.get("/healthz").json().keys() == {"tdgen"}


def test_figures_outlive_a_service(serve, solver, double):
    """They lie on disk with its runs."""
    first = serve(solver.model(double()))
    first.ended(first.post())
    first.close()
    second = serve(solver.model(double()))
    assert 'tdgen_runs_ended_total{state="green"} 1\n' in second.http.get("/metrics").text


def test_a_store_that_is_away_is_told(share, serve, solver, monkeypatch):
    """By /healthz as 503, and by all else that needs it."""
    from tdgen.errors import UnansweredStore

    runs = share()
    service = serve(solver.model(), runs=runs)

    def away(*_: object) -> None:
        raise UnansweredStore("the shared store at x can't be reached")

    monkeypatch.setattr(runs.server.client, "hgetall", away)
    answer = service.http.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"error": "the shared store at x can't be reached"})
