"""What the models behind an endpoint cost: known by a model's name and the endpoint's address, or not known.

An address in one's own house (Ollama, vLLM, llama.cpp) has no price, whatever its models are called: what they use is
told in tokens. Where the lists don't have the address (a gateway), the model's name alone says whose list counts.

Prices are those of the lists that come with genai-prices; nothing is ever fetched.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from tdgen.endpoint.connection import OPENAI_URL
from tdgen.models.costs import PLACES, Price, Prices
from tdgen.protocols import Purpose
from tdgen.settings import Settings

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice

OWN_NETWORKS: Final = (".local", ".localhost", ".internal", ".lan", ".home.arpa")


@dataclass(eq=False)
class ListPrice(Price):
    """What one model's calls cost, in US dollars, by the list of one moment: it can't rise during a run."""

    _listed: ModelPrice

    def cost(self, prompt_tokens: int, answer_tokens: int, cached_tokens: int = 0) -> float:
        """Dollars for one call of so many tokens in and out; of the prompt's, `cached_tokens` were cached."""
        from genai_prices import Usage

        cached = min(cached_tokens, prompt_tokens)
        usage = Usage(input_tokens=prompt_tokens, output_tokens=answer_tokens, cache_read_tokens=cached)
        return round(float(self._listed.calc_price(usage)["total_price"]), PLACES)

    def room(self, dollars: float, prompt_tokens: int, most: int) -> int:
        """How long an answer `dollars` pay for, in tokens, `most` at most; -1 where they don't pay for the prompt."""
        if self.cost(prompt_tokens, most) <= dollars:
            return most
        fits, too_long = -1, most
        while too_long - fits > 1:
            middle = (fits + too_long) // 2
            if self.cost(prompt_tokens, middle) <= dollars:
                fits = middle
            else:
                too_long = middle
        return fits


def prices_of(settings: Settings) -> Prices:
    """The prices of the settings' models; each is looked up when it is first asked for."""
    known: dict[str, Price | None] = {}

    def price(purpose: Purpose) -> Price | None:
        model = settings.model_for(purpose)
        if model not in known:
            known[model] = price_of(model, settings.base_url)
        return known[model]

    return price


def price_of(model: str, base_url: str = "") -> Price | None:
    """The price of a model behind an address (OpenAI's unless given); None where the lists don't have it."""
    url = base_url or OPENAI_URL
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        is_ones_own = not ip_address(host).is_global
    except ValueError:
        is_ones_own = "." not in host or host.endswith(OWN_NETWORKS)
    if is_ones_own:
        return None
    listed = _listed(model, url)
    # Tokens alone must make the price: not that of an embedding, nor one with a fee for each request.
    priced = all(getattr(listed, name, None) is not None for name in ("input_mtok", "output_mtok"))
    is_by_tokens = priced and getattr(listed, "requests_kcount", None) is None
    return ListPrice(listed) if listed is not None and is_by_tokens else None


def _listed(model: str, url: str) -> ModelPrice | None:
    from genai_prices import Usage, calc_price
    from genai_prices.data_snapshot import get_snapshot

    try:
        get_snapshot().find_provider(None, None, url)
    except LookupError:
        url = ""
    try:
        return calc_price(Usage(input_tokens=1, output_tokens=1), model, provider_api_url=url or None).model_price
    except LookupError:
        return None
