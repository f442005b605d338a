"""Query an endpoint what it is, without asking a model anything."""

from __future__ import annotations

from tdgen.models.endpoint import connect, listed_models
from tdgen.models.faults import fault, not_an_endpoint
from tdgen.settings import Settings


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
