"""The model behind an OpenAI-compatible endpoint; its errors as those of tdgen, and a probe of whether it answers.

A question is one streamed try, with what the server is capable of. Trying again, budgets and rate limits are wrappers
of their own; this class only says whether trying again may help. The `openai` package is loaded at the first question.

What that package raises is said in one line a user can act on: what happened, and what to do. What may pass becomes
`TryAgain` (408, 409, 429, 5xx, connections, timeouts); the rest is final. The key is never part of a line: the server's
own words are quoted only redacted, and for a refused key not at all.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from tdgen.endpoint.connection import (
    CONNECT_S,
    Capabilities,
    Connection,
    check_configured,
    connect,
    listed_models,
    shown_url,
    speaks_of_json,
)
from tdgen.errors import ModelError
from tdgen.models import redact
from tdgen.models.costs import estimated_usage
from tdgen.models.retrying import CutShort, TryAgain, WokenBy, never_woken
from tdgen.models.transcript import OnText
from tdgen.protocols import Answer, Request
from tdgen.settings import Settings
from tdgen.types import Usage

if TYPE_CHECKING:
    from openai import APIError, APIStatusError, Stream
    from openai.types.chat import ChatCompletionChunk

    from tdgen.endpoint.streaming import Said


LONGEST_QUOTE = 200  # characters of an endpoint's own words in a message; a judgement
PASSING = (408, 409, 425, 429)


def fault(error: APIError, settings: Settings, lost: Usage | None = None) -> ModelError:
    """The error to raise for `error`; `lost` is what was paid before it came."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    url = shown_url(settings)
    if isinstance(error, APITimeoutError):
        what = f"the endpoint {url} gave no sign of life for {settings.timeout:g} s"
        return TryAgain(
            what, "is it overloaded or loading a model? Raise TDGEN_TIMEOUT, or use another endpoint", lost=lost
        )
    if isinstance(error, APIConnectionError):
        cause = _quoted(str(error.__cause__ or error), settings)
        return TryAgain(
            f"the endpoint {url} can't be reached ({cause})", "is it running, and is the base URL right?", lost=lost
        )
    if isinstance(error, APIStatusError):
        return _status_fault(error, url, settings, lost)
    said = _quoted(words(error), settings)
    return TryAgain(f"the endpoint {url} broke off its answer ({said})", "try again, or use another model", lost=lost)


def _status_fault(error: APIStatusError, url: str, settings: Settings, lost: Usage | None) -> ModelError:
    status, said = error.status_code, _quoted(words(error), settings)
    if status in (401, 403):
        given = (
            "check OPENAI_API_KEY or TDGEN_API_KEY"
            if settings.api_key.get_secret_value()
            else "it wants one: set TDGEN_API_KEY"
        )
        return ModelError(f"the endpoint {url} refuses the key ({status}): {given}")
    if status == 429 and "insufficient_quota" in (error.code, error.type):
        return ModelError(f"the endpoint {url} says that the account's quota is used up: see to its billing")
    if status == 429:
        what = f"the endpoint {url} asks for fewer requests (429)"
        advice = "lower --rpm or --concurrency, or wait a while"
        return TryAgain(what, advice, _retry_after(error), lost)
    if status in PASSING or status >= 500:
        what = f"the endpoint {url} is in trouble ({status}: {said})"
        return TryAgain(what, "wait a while, or use another endpoint", _retry_after(error), lost)
    if status == 404:
        advice = f"is the base URL right (it mostly ends in /v1), and does it have the model? It says: {said}"
        return ModelError(f"the endpoint {url} knows no such thing (404): {advice}")
    return ModelError(f"the endpoint {url} refuses the request ({status}): {said}")


def not_an_endpoint(settings: Settings) -> ModelError:
    """The error for an address where something else answers."""
    return ModelError(
        f"{shown_url(settings)} speaks no /chat/completions: is the base URL right? It mostly ends in /v1"
    )


def words(error: APIError) -> str:
    """What the server itself said, wherever it put it."""
    body = error.body
    if isinstance(body, dict):
        said = body.get("message") or body.get("detail") or body.get("error")
        return str(said) if said else error.message
    return body if isinstance(body, str) and body.strip() else error.message


def _quoted(text: str, settings: Settings) -> str:
    """The server's words in one line of bounded length, without keys."""
    line = " ".join(redact(text, [settings.api_key.get_secret_value()]).split())
    return line if len(line) <= LONGEST_QUOTE else line[:LONGEST_QUOTE] + "…"


def _retry_after(error: APIStatusError) -> float | None:
    """The seconds that the answer's headers ask to wait: `retry-after-ms`, or `retry-after` in seconds or as a date."""
    headers = error.response.headers
    try:
        if "retry-after-ms" in headers:
            return float(headers["retry-after-ms"]) / 1000
        if "retry-after" not in headers:
            return None
        value = headers["retry-after"]
        is_number = value.strip()[:1].isdigit() and value.strip().replace(".", "").isdigit()
        if is_number:
            return float(value)
        # A date by the endpoint's own clock, where it says what that is: this host's may be another.
        now = parsedate_to_datetime(headers["date"]).timestamp() if headers.get("date") else time.time()
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def probe(settings: Settings) -> tuple[str, ...]:
    """The models that the endpoint says it has, sorted, within 5 seconds.

    ModelError, with one line on what to do, where it doesn't answer, refuses the key, or is not configured.
    """
    client = connect(settings)
    from openai import APIError

    with client:
        try:
            return listed_models(client)
        except APIError as error:
            raise fault(error, settings) from None
        except ValueError:
            raise not_an_endpoint(settings) from None


LADDER_STATUS = (400, 422, 500, 501)
FILTERED = ("content_filter", "content_policy_violation")


class OpenAIModel:
    """Asks the endpoint of the settings, each role's own model.

    `connection`, where given, is shared with others and closed by whoever made it. `on_text` hears how many characters
    of an answer are there; `remaining` gives the seconds left for all work, and `woken_by` hangs up
    where the run ends. ModelError at once where no endpoint is configured.
    """

    def __init__(
        self,
        settings: Settings,
        connection: Connection | None = None,
        *,
        on_text: OnText = lambda request, characters: None,
        remaining: Callable[[], float | None] = lambda: None,
        woken_by: WokenBy = never_woken,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_configured(settings)
        self._settings = settings
        self._on_text = on_text
        self._remaining = remaining
        self._woken_by = woken_by
        self._clock = clock
        self._is_shared = connection is not None
        self._connection = connection or Connection(settings)

    def ask(self, request: Request) -> Answer:
        """One answer. TryAgain where asking once more may help, ModelError where not, BudgetSpent when time is up."""
        model = self._settings.model_for(request.purpose)
        while True:
            capabilities = self._connection.capabilities(model)
            body = capabilities.body(request, model, self._settings.temperature)
            answer = self._try(request, capabilities, body)
            if answer is not None:
                return answer

    def close(self) -> None:
        """Close the connection, unless it is shared. Closing twice is allowed."""
        if not self._is_shared:
            self._connection.close()

    def _try(self, request: Request, capabilities: Capabilities, body: dict[str, Any]) -> Answer | None:
        """The answer, or None where the server doesn't know the capabilities and a simpler one is to be tried."""
        from openai import APIError

        from tdgen.endpoint.streaming import Said, cut_after, listen

        said, started = Said(), self._clock()

        def lost() -> Usage:
            """What a try that broke off is likely to have cost: nothing where not a word came."""
            return _usage(request, said, self._clock() - started) if said.text else Usage()

        failure: Exception | None = None
        try:
            with (
                self._connection.lines.open() as line,
                self._woken_by(line.hang_up),
                self._stream(body) as stream,
                cut_after(self._remaining(), line.hang_up),
            ):
                listen(stream, said, lambda characters: self._on_text(request, characters))
        except (APIError, ValueError) as error:
            failure = error
        if said.finish_reason:
            usage = _usage(request, said, self._clock() - started)
            reason = "refusal" if said.refusals else said.finish_reason  # the model refused in so many words
            return Answer(text=said.text, usage=usage, finish_reason=reason, model=said.model or body["model"])
        if self._remaining() == 0.0:
            raise CutShort(lost())
        if not isinstance(failure, APIError):
            what = "sent something that is no event" if failure else "ended its answer without a finish_reason"
            advice = "is the connection steady? Try again, or use another model"
            raise TryAgain(f"the endpoint {shown_url(self._settings)} {what}", advice, lost=lost())
        simpler = _simpler(failure, capabilities, body, said)
        if simpler is None:
            return self._failed(failure, body["model"], lost())
        self._connection.learn(body["model"], capabilities, simpler)
        return None

    def _stream(self, body: dict[str, Any]) -> Stream[ChatCompletionChunk]:
        from openai import Timeout

        left = self._remaining()
        patience = self._settings.timeout if left is None else min(self._settings.timeout, max(left, 0.001))
        timeout = Timeout(patience, connect=min(patience, CONNECT_S))
        stream: Stream[ChatCompletionChunk] = self._connection.client.chat.completions.create(**body, timeout=timeout)
        self._connection.reached = True
        if "text/html" in stream.response.headers.get("content-type", ""):
            stream.close()
            raise not_an_endpoint(self._settings)
        return stream

    def _failed(self, error: APIError, model: str, lost: Usage) -> Answer:
        """Raise what `error` means; an answer only where it means that the question was filtered."""
        from openai import NotFoundError

        if error.code in FILTERED:
            return Answer(text=words(error), finish_reason="content_filter", model=model, usage=Usage(calls=1))
        if isinstance(error, NotFoundError):
            self._check_known(model)
        failure = fault(error, self._settings, lost)
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, ConnectionRefusedError | socket.gaierror):
            cause = cause.__cause__ or cause.__context__
        if not self._connection.reached and cause is not None:
            # What was never there is not waited for: a server that is down, or an address that is mistyped.
            raise ModelError(str(failure)) from None
        raise failure from None

    def _check_known(self, model: str) -> None:
        """ModelError, with a few that it has, where the endpoint lists its models and has no such one."""
        from openai import APIError

        try:
            known = listed_models(self._connection.client)
        except (APIError, ValueError):
            return
        if known and model not in known:
            some = ", ".join(known[:5]) + (f" and {len(known) - 5} more" if len(known) > 5 else "")
            url = shown_url(self._settings)
            raise ModelError(f"the endpoint {url} has no model {model}: set --model to one of {some}")


def _simpler(error: APIError, capabilities: Capabilities, body: dict[str, Any], said: Said) -> Capabilities | None:
    """A capabilities without what the server has just refused; None where it has not refused a part of the request."""
    status = getattr(error, "status_code", 400)
    refusal = f"{error.message} {error.param or ''} {error.code or ''}"
    if said.text or status not in LADDER_STATUS or (status >= 500 and not speaks_of_json(refusal)):
        return None
    return capabilities.simpler(refusal, body)


def _usage(request: Request, said: Said, seconds: float) -> Usage:
    """What the server counted; what it didn't is guessed."""
    guessed = estimated_usage(request, said.text, seconds)
    return Usage(
        calls=1,
        prompt_tokens=said.prompt_tokens or guessed.prompt_tokens,
        completion_tokens=said.completion_tokens or guessed.completion_tokens,
        cached_tokens=said.cached_tokens,
        seconds=seconds,
    )
