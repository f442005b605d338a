"""The doctor's question to an endpoint.

One try at an OpenAI-compatible endpoint: what it answers, and each way it can fail.
"""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from werkzeug import Response

from tdgen.endpoint.openai import _retry_after, probe
from tdgen.errors import BudgetSpent, ModelError
from tdgen.models import TryAgain
from tdgen.settings import Settings
from tdgen.types import Usage


def test_an_endpoint_lists_its_models(chat):
    """Sorted."""
    assert probe(chat.settings()) == ("a", "b")


def test_a_refused_key_is_told(chat):
    """As it would be for a question."""
    chat.models = chat.refused(401, f"Incorrect API key provided: {chat.key}")
    with pytest.raises(ModelError, match=r"refuses the key \(401\): check OPENAI_API_KEY or TDGEN_API_KEY$"):
        probe(chat.settings())


@pytest.mark.parametrize(
    "answer",
    [
        Response("<html>welcome</html>", content_type="text/html"),
        Response(json.dumps({"ok": True}), content_type="application/json"),
    ],
)
def test_something_else_at_that_address_is_told(answer, chat):
    """A web page, or some other service."""
    chat.models = answer
    with pytest.raises(ModelError, match="is the base URL right"):
        probe(chat.settings())


def test_a_closed_door_is_told(closed_port):
    """Nobody listens there."""
    with pytest.raises(ModelError, match=r"can't be reached .*is it running"):
        probe(Settings(base_url=f"http://127.0.0.1:{closed_port}/v1"))


def test_nothing_configured_is_told():
    """There is nobody to ask."""
    with pytest.raises(ModelError, match="no model is configured"):
        probe(Settings())


SCHEMA = {"schema_name": "plan", "json_schema": {"type": "object", "properties": {}, "additionalProperties": False}}


def test_importing_the_models_does_not_load_openai():
    """The package takes longer to load than all the rest: the first question pays for it."""
    code = "import sys, tdgen.models; print('openai' in sys.modules, 'httpx2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_an_answer_is_put_together_from_its_stream(chat, question):
    """Text, usage as the server counted, the reason it stopped, the model that spoke."""
    chat.will(chat.said("Hel", "lo"))
    answer = chat.model(clock=iter([1.0, 3.5]).__next__).ask(question())
    assert (answer.text, answer.finish_reason, answer.model, answer.replayed) == ("Hello", "stop", "served", False)
    assert answer.usage == Usage(calls=1, prompt_tokens=7, completion_tokens=3, seconds=2.5)


def test_the_key_goes_where_it_belongs(chat, question):
    """Into the header of the request, and the request says which model."""
    chat.will(chat.said("x"))
    chat.model().ask(question())
    assert chat.headers[0]["Authorization"] == f"Bearer {chat.key}"
    assert chat.bodies[0]["model"] == "a"


def test_each_purpose_asks_the_model_of_its_role(chat, question):
    """With the temperature that is set."""
    chat.will(chat.said("x"))
    model = chat.model(chat.settings(planner_model="p", tester_model="t", temperature=0.2))
    for purpose in ("plan", "cases", "repair"):
        model.ask(question(purpose))
    assert [(body["model"], body["temperature"]) for body in chat.bodies] == [("p", 0.2), ("t", 0.2), ("a", 0.2)]


def test_tokens_that_the_server_had_cached_are_counted(chat, question):
    """They are part of the prompt's."""
    counted = {"prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 5}}
    choice = {"index": 0, "message": {"role": "assistant", "content": "whole"}, "finish_reason": "stop"}
    body = {"model": "m", "choices": [choice], "usage": counted}
    chat.will(Response(json.dumps(body), content_type="application/json"))
    usage = chat.model().ask(question()).usage
    assert (usage.prompt_tokens, usage.cached_tokens) == (7, 5)


def test_usage_is_guessed_where_the_server_does_not_count(chat, question):
    """One token for four characters."""
    chat.will(chat.events(chat.piece("x" * 40), chat.piece(finish_reason="stop")))
    usage = chat.model(clock=lambda: 0.0).ask(question()).usage
    assert usage == Usage(calls=1, prompt_tokens=4, completion_tokens=10)


def test_the_plainest_stream_is_understood(chat, question):
    """Pieces without id, role or usage, null in the place of lists, comments between events, no [DONE]."""
    chat.will(
        chat.events(
            ": still thinking\n\n",
            {"choices": None},
            {"choices": [{"index": 0, "delta": {"content": "ye"}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {"content": "s"}}]},
            {"choices": [{"index": 0, "delta": None, "finish_reason": "stop"}], "usage": None},
            done=False,
        )
    )
    answer = chat.model().ask(question())
    assert (answer.text, answer.model) == ("yes", "a")


def test_a_server_that_does_not_stream_is_understood(chat, question):
    """It sends the whole answer at once."""
    choice = {"index": 0, "message": {"role": "assistant", "content": "whole"}, "finish_reason": "stop"}
    body = {"model": "m", "choices": [choice], "usage": {"prompt_tokens": 4, "completion_tokens": 2}}
    chat.will(Response(json.dumps(body), content_type="application/json"))
    answer = chat.model().ask(question())
    assert (answer.text, answer.usage.prompt_tokens, answer.usage.completion_tokens) == ("whole", 4, 2)


def test_characters_that_come_in_halves_are_made_whole(chat, question):
    """A surrogate pair may be split between two pieces."""
    chat.will(chat.said("\ud83d", "\ude00"))
    assert chat.model().ask(question()).text == "\U0001f600"


def test_an_answer_cut_at_its_limit_says_so(chat, question):
    """The finish_reason is passed on."""
    chat.will(chat.events(chat.piece("half"), chat.piece(finish_reason="length")))
    assert chat.model().ask(question()).finish_reason == "length"


def test_a_refusal_is_told_apart(chat, question):
    """Its words are the answer's text."""
    chat.will(chat.events(chat.piece(refusal="I "), chat.piece(refusal="won't"), chat.piece(finish_reason="stop")))
    answer = chat.model().ask(question())
    assert (answer.finish_reason, answer.text) == ("refusal", "I won't")


def test_a_content_filter_is_told_apart(chat, question):
    """Whether it acts on the answer or on the question."""
    chat.will(
        chat.events(chat.piece("I"), chat.piece(finish_reason="content_filter")),
        chat.refused(400, "the prompt was filtered", code="content_filter"),
    )
    model = chat.model()
    assert model.ask(question()).finish_reason == "content_filter"
    filtered = model.ask(question())
    assert (filtered.finish_reason, filtered.text) == ("content_filter", "the prompt was filtered")


def test_whoever_looks_on_hears_the_answer_grow(chat, question):
    """Every forty characters, and at the end."""
    heard = []
    chat.will(chat.said("x" * 30, "x" * 30, "x" * 30, "x" * 5))
    chat.model(on_text=lambda request, characters: heard.append((request.purpose, characters))).ask(question())
    assert heard == [("plan", 60), ("plan", 95)]


def test_several_threads_may_ask_at_once(chat, question):
    """One client serves them."""
    chat.will(chat.said("x"))
    model = chat.model()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(model.ask, [question()] * 16))
    assert [answer.text for answer in answers] == ["x"] * 16


def test_closing_twice_is_allowed(chat, question):
    """And a closed model opens again when it is asked."""
    chat.will(chat.said("x"))
    model = chat.model()
    model.ask(question())
    model.close()
    model.close()
    assert model.ask(question()).text == "x"


# What the server doesn't know


def formats(bodies: list[dict]) -> list[str]:
    return [body.get("response_format", {}).get("type", "text") for body in bodies]


@pytest.mark.parametrize("status", [400, 422, 500])
def test_the_ladder_is_climbed_down_once(status, chat, question):
    """From the schema to JSON mode to plain text; the next question starts where the last one ended."""
    no = chat.refused(status, "response_format is not supported here")
    chat.will(no, no, chat.said("{}"))
    model = chat.model()
    assert model.ask(question(**SCHEMA)).text == "{}"
    model.ask(question(**SCHEMA))
    assert formats(chat.bodies) == ["json_schema", "json_object", "text", "text"]


def test_each_model_has_its_own_rung(chat, question):
    """What one can't do another may."""
    chat.will(chat.refused(400, "json_schema is unknown to p"), chat.said("{}"))
    model = chat.model(chat.settings(planner_model="p"))
    model.ask(question(**SCHEMA))
    model.ask(question("cases", **SCHEMA))
    assert formats(chat.bodies) == ["json_schema", "json_object", "json_schema"]


def test_parts_that_are_not_known_are_left_out(chat, question):
    """One by one, as the server names them; the other name for the answer's room is tried first."""
    chat.will(
        chat.refused(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        chat.refused(400, "Unsupported value: 'temperature'"),
        chat.refused(422, "Unrecognized request argument supplied: stream_options"),
        chat.said("x"),
    )
    chat.model(chat.settings(temperature=0.1)).ask(question())
    first, last = chat.bodies[0].keys(), chat.bodies[-1].keys()
    assert first - last == {"max_tokens", "temperature", "stream_options"}
    assert last - first == {"max_completion_tokens"}


def test_the_ladder_is_climbed_down_when_the_refusal_comes_in_the_stream(chat, question):
    """Some servers say 200 before they look."""
    chat.will(chat.events({"error": {"message": "json_schema is not supported"}}), chat.said("{}"))
    assert chat.model().ask(question(**SCHEMA)).text == "{}"
    assert formats(chat.bodies) == ["json_schema", "json_object"]


def test_another_bad_request_is_an_error(chat, question):
    """In the server's words, without a second try."""
    chat.will(chat.refused(400, "messages are\nmissing"))
    with pytest.raises(ModelError, match=r"/v1 refuses the request \(400\): messages are missing$"):
        chat.model().ask(question(**SCHEMA))
    assert len(chat.bodies) == 1


# What may pass


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_server_in_trouble_may_be_asked_again(status, chat, question):
    """It costs nothing but the wait."""
    chat.will(chat.refused(status, "oh dear"))
    with pytest.raises(TryAgain, match=str(status)) as caught:
        chat.model().ask(question())
    assert (caught.value.lost, caught.value.retry_after, len(chat.bodies)) == (Usage(), None, 1)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After-Ms": "1500", "Retry-After": "2"}, 1.5),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "soon"}, None),
    ],
)
def test_the_server_says_when(headers, seconds, chat, question):
    """In seconds, milliseconds, or as a date; nonsense is ignored."""
    chat.will(chat.refused(429, headers=headers))
    with pytest.raises(TryAgain) as caught:
        chat.model().ask(question())
    assert caught.value.retry_after == seconds


def test_a_date_is_one_of_the_servers_clock():
    """Where it tells what its clock says: a host whose own is an hour ahead would not wait at all."""
    headers = {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT", "date": "Wed, 21 Oct 2015 07:27:50 GMT"}
    assert _retry_after(SimpleNamespace(response=SimpleNamespace(headers=headers))) == 10.0


def test_a_stream_without_a_finish_reason_is_cut(chat, question):
    """However well it ends otherwise; what it had said is lost, and paid."""
    chat.will(chat.events(chat.piece("x" * 40)))
    with pytest.raises(TryAgain, match="without a finish_reason") as caught:
        chat.model(clock=lambda: 0.0).ask(question())
    assert caught.value.lost == Usage(calls=1, prompt_tokens=4, completion_tokens=10)


def test_an_empty_stream_is_cut_at_no_cost(chat, question):
    """Nothing was said."""
    chat.will(chat.events())
    with pytest.raises(TryAgain, match="without a finish_reason") as caught:
        chat.model().ask(question())
    assert caught.value.lost == Usage()


def test_an_error_in_the_stream_is_a_break(chat, question):
    """With the server's reason."""
    chat.will(chat.events(chat.piece("half"), {"error": {"message": "upstream went away"}}))
    with pytest.raises(TryAgain, match=r"broke off its answer \(upstream went away\)") as caught:
        chat.model().ask(question())
    assert caught.value.lost.calls == 1


def test_an_event_that_is_no_json_is_a_break(chat, question):
    """A proxy's page in the middle of a stream, say."""
    chat.will(chat.events(chat.piece("half"), "data: <html>\n\n"))
    with pytest.raises(TryAgain, match="sent something that is no event"):
        chat.model().ask(question())


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 10000\r\n\r\n"
PIECE = b'data: {"choices":[{"index":0,"delta":{"content":"half"},"finish_reason":null}]}\n\n'
LAST = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'


@pytest.mark.parametrize("content", [b"", b"HTTP/1.1 200 OK\r\n", HEAD, HEAD + PIECE])
def test_a_dropped_connection_may_be_tried_again(content, raw_server, chat, question):
    """Before, within and after the head, and within the answer."""
    with pytest.raises(TryAgain, match="can't be reached"):
        chat.model(chat.settings(base_url=raw_server(content))).ask(question())


def test_an_answer_that_was_complete_is_not_lost_with_its_connection(raw_server, chat, question):
    """The finish_reason came: only the count of tokens is missing."""
    model = chat.model(chat.settings(base_url=raw_server(HEAD + PIECE + LAST)))
    assert model.ask(question()).text == "half"


@pytest.mark.parametrize(("host", "why"), [("127.0.0.1", "refused"), ("no-such-host.invalid", "")])
def test_nobody_there_is_not_waited_for(closed_port, chat, question, host, why):
    """With what to look at: to try again would only hide for seconds what is wrong."""
    model = chat.model(chat.settings(base_url=f"http://{host}:{closed_port}/v1"))
    with pytest.raises(ModelError, match=rf"{closed_port}/v1 can't be reached \(.*{why}.*\): is it running") as caught:
        model.ask(question())
    assert not isinstance(caught.value, TryAgain)


def test_an_endpoint_that_goes_away_is_waited_for(raw_server, closed_port, chat, question):
    """It answered before: it may be starting again."""
    model = chat.model(chat.settings(base_url=raw_server(HEAD + PIECE + LAST)))
    model.ask(question())
    model._connection.client.base_url = f"http://127.0.0.1:{closed_port}/v1"
    with pytest.raises(TryAgain, match=r"can't be reached \(.*refused"):
        model.ask(question())


def test_silence_has_an_end(chat, question):
    """After the timeout of the settings."""
    chat.will(chat.hang)
    with pytest.raises(TryAgain, match=r"gave no sign of life for 0\.3 s: .*TDGEN_TIMEOUT"):
        chat.model(chat.settings(timeout=0.3)).ask(question())


def test_silence_in_the_middle_has_an_end(chat, question):
    """A stream that stops flowing."""

    def stalling():
        yield f"data: {json.dumps(chat.piece('x' * 40))}\n\n"
        chat.over.wait(30)

    chat.will(lambda: Response(stalling(), content_type="text/event-stream"))
    with pytest.raises(TryAgain, match="no sign of life") as caught:
        chat.model(chat.settings(timeout=2.0)).ask(question())  # on a busy machine the first piece takes its time
    assert caught.value.lost.completion_tokens == 10


def test_silence_ends_with_the_budgets_time(chat, question):
    """Even where the timeout is longer."""
    left = iter([0.3])
    chat.will(chat.hang)
    with pytest.raises(BudgetSpent, match="raise --budget seconds=N"):
        chat.model(remaining=lambda: next(left, 0.0)).ask(question())


def test_signs_of_life_alone_do_not_outlast_the_budget(chat, question):
    """Comments between events keep the connection alive, not the run."""

    def murmuring():
        while not chat.over.wait(0.01):
            yield ": still there\n\n"

    left = iter([0.3, 0.3])
    chat.will(lambda: Response(murmuring(), content_type="text/event-stream"))
    with pytest.raises(BudgetSpent, match="raise --budget seconds=N"):
        chat.model(remaining=lambda: next(left, 0.0)).ask(question())


# What doesn't pass


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_told_without_the_key(status, chat, question):
    """The server's words quote it, ours don't."""
    chat.will(chat.refused(status, f"Incorrect API key provided: {chat.key}"))
    with pytest.raises(
        ModelError, match=rf"refuses the key \({status}\): check OPENAI_API_KEY or TDGEN_API_KEY$"
    ) as caught:
        chat.model().ask(question())
    assert not isinstance(caught.value, TryAgain)


def test_a_server_that_wants_a_key_is_told_apart(chat, question):
    """None was given."""
    chat.will(chat.refused(401))
    with pytest.raises(ModelError, match="it wants one: set TDGEN_API_KEY"):
        chat.model(chat.settings(api_key="")).ask(question())


@pytest.mark.parametrize("status", [400, 402, 500])
def test_no_error_repeats_the_key(status, chat, question):
    """Nor anything that looks like one."""
    chat.will(chat.refused(status, f"key {chat.key} or sk-0123456789abcdef is bad"))
    with pytest.raises(ModelError, match=r"key \[redacted\] or \[redacted\] is bad") as caught:
        chat.model().ask(question())
    assert chat.key not in repr(caught.value)
    assert caught.value.__suppress_context__


def test_an_unknown_model_is_told_with_those_there_are(chat, question):
    """As the endpoint lists them."""
    chat.will(chat.refused(404, "The model `zeta` does not exist"))
    with pytest.raises(ModelError, match=r"has no model zeta: set --model to one of a, b$"):
        chat.model(chat.settings(model="zeta")).ask(question())


def test_a_wrong_address_is_told(chat, question, httpserver):
    """Where nothing lists models either, the path may be wrong."""
    model = chat.model(chat.settings(base_url=httpserver.url_for("/v2")))
    httpserver.expect_request("/v2/chat/completions").respond_with_data("nothing here", status=404)
    httpserver.expect_request("/v2/models").respond_with_data("nothing here", status=404)
    with pytest.raises(ModelError, match=r"\(404\): is the base URL right \(it mostly ends in /v1\)"):
        model.ask(question())


def test_a_web_page_is_no_endpoint(chat, question):
    """Even if it says 200."""
    chat.will(Response("<html>Welcome</html>", content_type="text/html"))
    with pytest.raises(ModelError, match="is the base URL right"):
        chat.model().ask(question())


@pytest.mark.parametrize("field", ["code", "type"])
def test_a_used_up_quota_does_not_pass(field, chat, question):
    """It is a 429 like the others, only not one to wait for."""
    chat.will(chat.refused(429, "You exceeded your current quota", **{field: "insufficient_quota"}))
    with pytest.raises(ModelError, match="quota is used up: see to its billing") as caught:
        chat.model().ask(question())
    assert not isinstance(caught.value, TryAgain)


def test_long_words_of_a_server_are_cut(chat, question):
    """One line, whatever it sends."""
    chat.will(chat.refused(413, "too large\n" * 1000))
    with pytest.raises(ModelError) as caught:
        chat.model().ask(question())
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)
