"""The endpoint, and the connections to it: what they could not do is known to all that share one.

Only explicit values count here: the `openai` package alone would send OPENAI_API_KEY from the environment to whatever
address it is given, and take its address from there too. Keys are kept out of everything that is shown or written.

A server is first believed capable of all that the newest ones take. A refusal that names a part of the request drops
that part, one level at a time, and never comes back to it: JSON schema, then JSON mode, then plain text (the schema
stands in the prompt anyway); the two names for the answer's room, then none; temperature; the request for usage.

Connections outlive a solve: to open a client for each costs a TLS handshake, and each would be refused anew what the
endpoint can't do.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from tdgen.errors import ModelError
from tdgen.models import redact
from tdgen.protocols import Closing, Message, Request
from tdgen.settings import Settings
from tdgen.types import digest

if TYPE_CHECKING:
    from openai import OpenAI


OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "none"  # what a server without keys is sent: the package insists on some
CONNECT_S = 10.0  # a judgement: who has not answered by then is not there
PROBE_S = 2.5  # for an endpoint to tell its models; a judgement

_WAYS_OUT = (
    "no model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server (Ollama: "
    "http://localhost:11434/v1), or give recorded answers by --script, or try `tdgen demo`"
)


def check_configured(settings: Settings) -> None:
    """ModelError, naming the ways out, where nobody could be asked: no endpoint, no key, or a broken key."""
    key = settings.api_key.get_secret_value()
    if not key and not settings.base_url:
        raise ModelError(_WAYS_OUT)
    if not all("!" <= character <= "~" for character in key.strip()):
        raise ModelError("the API key holds characters that no key has: copy it again")


def is_openai(settings: Settings) -> bool:
    """Whether the endpoint is OpenAI's own, which takes the newest form of a request."""
    return urlsplit(settings.base_url or OPENAI_URL).hostname == urlsplit(OPENAI_URL).hostname


def shown_url(settings: Settings) -> str:
    """The endpoint's address as messages show it: without name, password, query or key."""
    parts = urlsplit(settings.base_url or OPENAI_URL)
    plain = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    return redact(plain, [settings.api_key.get_secret_value()])


def connect(settings: Settings) -> OpenAI:
    """The `openai` client for these settings; retries are ours, not its own. ModelError where nobody can be asked."""
    check_configured(settings)
    from openai import OpenAI

    return OpenAI(
        api_key=settings.api_key.get_secret_value().strip() or NO_KEY,
        base_url=settings.base_url or OPENAI_URL,
        max_retries=0,
    )


def listed_models(client: OpenAI) -> tuple[str, ...]:
    """What /v1/models says, sorted; an `openai.APIError` where it fails, ValueError where something else answers."""
    from openai import Timeout

    # The package's own reading ends in an AttributeError where the answer is a web page.
    response = client.models.with_raw_response.list(timeout=Timeout(PROBE_S, connect=PROBE_S))
    page = json.loads(response.http_response.text)
    models = page.get("data") if isinstance(page, dict) else None
    if not isinstance(models, list):
        raise ValueError("no list of models")
    return tuple(sorted(str(model["id"]) for model in models if isinstance(model, dict) and "id" in model))


Rung = str
RUNGS: tuple[Rung, ...] = ("json_schema", "json_object", "text")
ROOM_NAMES = ("max_completion_tokens", "max_tokens")

_SPEAKS_OF_JSON = (
    "response_format",
    "json_schema",
    "json_object",
    "json mode",
    "structured output",
    "grammar",
    "schema",
)
_SPEAKS_OF_SIZE = ("too large", "at most", "less than", "maximum", "exceed", "context length", "context_length")
_SPEAKS_OF_SOMETHING_NEW = ("unsupported", "not support", "unrecognized", "unknown", "not permitted", "unexpected")


@dataclass(frozen=True)
class Capabilities:
    """The parts of a request that a server takes; `room_names` are the names for `max_tokens` still to be tried.

    `is_openai`: it is OpenAI's own, which enforces a JSON schema (whose form need not be told in the prompt too)
    and caches prompts that begin alike.
    """

    rung: Rung = RUNGS[0]
    room_names: tuple[str, ...] = ROOM_NAMES
    temperature: bool = True
    stream_options: bool = True
    is_openai: bool = False

    def body(self, request: Request, model: str, temperature: float | None) -> dict[str, Any]:
        """The arguments of chat.completions.create for a streamed answer."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": m.role, "content": self._content(m, request)} for m in request.messages],
            "stream": True,
        }
        if self.is_openai:
            body["prompt_cache_key"] = digest(request.messages[0].content)[-32:]
        if self.stream_options:
            body["stream_options"] = {"include_usage": True}
        if self.room_names:
            body[self.room_names[0]] = request.max_tokens
        if self.temperature and temperature is not None:
            body["temperature"] = temperature
        if request.json_schema is not None and self.rung == "json_object":
            body["response_format"] = {"type": "json_object"}
        elif request.json_schema is not None and self.rung != "text":
            schema = _whole(request.json_schema) if self.is_openai else request.json_schema
            named = {"name": request.schema_name or request.purpose, "schema": schema, "strict": self.is_openai}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    def simpler(self, refusal: str, body: dict[str, Any]) -> Capabilities | None:
        """The capabilities without the part of `body` that `refusal` speaks of; None where it speaks of none."""
        said = refusal.lower()
        if "stream_options" in body and ("stream_options" in said or "include_usage" in said):
            return replace(self, stream_options=False)
        if "temperature" in body and "temperature" in said:
            return replace(self, temperature=False)
        if self.room_names and (room := self._other_room(said)) is not None:
            return replace(self, room_names=room)
        about_json = speaks_of_json(refusal) or any(word in said for word in _SPEAKS_OF_SOMETHING_NEW)
        if "response_format" in body and about_json:
            return replace(self, rung=RUNGS[RUNGS.index(self.rung) + 1])
        return None

    def _content(self, message: Message, request: Request) -> str:
        """What a message says, without the schema where the server enforces that.

        Each half of a surrogate pair, which UTF-8 can't carry, is a question mark.
        """
        text = message.content
        if self.is_openai and self.rung == "json_schema" and request.schema_told:
            text = text.removesuffix(request.schema_told)
        return text.encode("utf-8", "replace").decode("utf-8")

    def _other_room(self, said: str) -> tuple[str, ...] | None:
        """The names left for the answer's room, or None where the refusal doesn't speak of it.

        The next name where the server doesn't know this one; none at all where the room is too large for it: then its
        own limit holds, which is smaller.
        """
        named = any(name in said for name in ROOM_NAMES)
        if named and any(word in said for word in _SPEAKS_OF_SOMETHING_NEW):
            return self.room_names[1:]
        about_size = "context length" in said or "context_length" in said or named
        if about_size and any(word in said for word in _SPEAKS_OF_SIZE):
            return ()
        return self.room_names[1:] if self.room_names[0] in said else None


def _whole(schema: Any) -> Any:
    """A schema with every property required, as OpenAI's strict ones must have it."""
    if isinstance(schema, list):
        return [_whole(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {key: _whole(part) for key, part in schema.items()}
    return whole | {"required": list(schema["properties"])} if isinstance(schema.get("properties"), dict) else whole


def speaks_of_json(refusal: str) -> bool:
    """Whether a server's words are about the form of the answer."""
    return any(word in refusal.lower() for word in _SPEAKS_OF_JSON)


class Connection(Closing):
    """The connection to the endpoint of the settings, under their key. Safe to use from several threads.

    `reached` says whether the endpoint has ever answered.
    """

    def __init__(self, settings: Settings) -> None:
        from tdgen.endpoint.streaming import Lines

        self.reached = False
        self.lines = Lines()
        self._settings = settings
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._capabilities: dict[str, Capabilities] = {}

    @property
    def client(self) -> OpenAI:
        """The one client, made when it is first needed."""
        with self._lock:
            if self._client is None:
                self._client = connect(self._settings)
                self.lines.lay_under(self._client)
            return self._client

    def capabilities(self, model: str) -> Capabilities:
        """What the endpoint is believed to understand for that model."""
        first = Capabilities(is_openai=True) if is_openai(self._settings) else Capabilities(room_names=ROOM_NAMES[::-1])
        with self._lock:
            return self._capabilities.setdefault(model, first)

    def learn(self, model: str, capabilities: Capabilities, simpler: Capabilities) -> None:
        """Remember the simpler capabilities, unless another thread has learnt something meanwhile."""
        with self._lock:
            if self._capabilities[model] == capabilities:
                self._capabilities[model] = simpler

    def close(self) -> None:
        """Close the client; the next request makes another one. What was learnt stays. Closing twice is allowed."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()
