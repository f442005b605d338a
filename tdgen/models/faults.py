"""What the `openai` package raises, said in one line a user can act on: what happened, and what to do.

What may pass becomes `TryAgain` (408, 409, 429, 5xx, connections, timeouts); the rest is final. The key is never
part of a line: the server's own words are quoted only redacted, and for a refused key not at all.

Query an endpoint what it is, without asking a model anything.
"""

from __future__ import annotations

import socket
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from tdgen.errors import ModelError
from tdgen.models.endpoint import connect, listed_models, redact, shown_url
from tdgen.models.retrying import TryAgain
from tdgen.settings import Settings
from tdgen.types import Usage

if TYPE_CHECKING:
    from openai import APIError, APIStatusError

LONGEST_QUOTE = 200
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


def is_nobody_there(error: BaseException | None) -> bool:
    """Whether the machine said at once that nothing listens at the address, or that there is no such host."""
    while error is not None:
        if isinstance(error, ConnectionRefusedError | socket.gaierror):
            return True
        error = error.__cause__ or error.__context__
    return False


def unknown_model(model: str, known: tuple[str, ...], settings: Settings) -> ModelError:
    """The error for a model that the endpoint does not have, with a few that it has."""
    some = ", ".join(known[:5]) + (f" and {len(known) - 5} more" if len(known) > 5 else "")
    return ModelError(f"the endpoint {shown_url(settings)} has no model {model}: set --model to one of {some}")


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
        return (
            float(value) if value.strip()[:1].isdigit() and value.strip().replace(".", "").isdigit() else _until(value)
        )
    except (ValueError, TypeError, OverflowError):
        return None


def _until(date: str) -> float:
    return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())


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
