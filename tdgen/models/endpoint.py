"""Where requests go: the endpoint's address, shown without its secrets, and the client that speaks to it.

Keeping keys out of everything that is shown or written.

Where a model is asked: the endpoint, the key, and which model has which role.

Only explicit values count here: the `openai` package alone would send OPENAI_API_KEY from the environment to
whatever address it is given, and take its address from there too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from tdgen.errors import ModelError
from tdgen.protocols import ROLES, Purpose
from tdgen.settings import Settings

SHORTEST_SECRET = 6  # a shorter "key" is a placeholder, and a word of many texts
_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[A-Za-z0-9_*\-]{8,}|(?<=[Bb]earer )[A-Za-z0-9_.~+/=\-]{8,}")


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` with the secrets, and whatever else looks like an API key, replaced by `[redacted]`."""
    for secret in secrets:
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, "[redacted]")
    return _LOOKS_LIKE_A_KEY.sub("[redacted]", text)


if TYPE_CHECKING:
    from openai import OpenAI

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "none"  # what a server without keys is sent: the package insists on some
CONNECT_S = 10.0
PROBE_S = 2.5

_WAYS_OUT = (
    "no model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server (Ollama: "
    "http://localhost:11434/v1), or give recorded answers by --script, or try `tdgen demo`"
)


def check_configured(settings: Settings) -> None:
    """ModelError, naming the ways out, where nobody could be asked: no script, no endpoint, no key, or a broken key."""
    if settings.script:
        return
    key = settings.api_key.get_secret_value()
    if not key and not settings.base_url:
        raise ModelError(_WAYS_OUT)
    if not all("!" <= character <= "~" for character in key.strip()):
        raise ModelError("the API key holds characters that no key has: copy it again")


def model_for(settings: Settings, purpose: Purpose) -> str:
    """The model that answers for this purpose: that of its role, or the one for all."""
    own = {
        "planner": settings.planner_model,
        "tester": settings.tester_model,
        "developer": settings.developer_model,
        "trial": settings.trial_model,
    }
    return own[ROLES[purpose]] or settings.model


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
