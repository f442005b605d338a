"""`tdgen schema`: the JSON schemas of what tdgen gives to programs."""

from __future__ import annotations

from typing import Annotated, Final

from typer import Argument

from tdgen.errors import InputError
from tdgen.terminal.output import give_json

KINDS: Final = ("solution", "events", "batch")
Kind = Annotated[str, Argument(metavar="KIND", help="solution, events or batch.")]


def schema(kind: Kind) -> int:
    """Print the JSON schema of a kind of document that tdgen gives to programs.

    A solution as --json and to_dict() give it, an event as on_event and the service tell it, or a row of a batch's
    results.jsonl. Its title names the version; keys may be added under the same one.

    \b
    tdgen schema solution
    tdgen schema events
    tdgen schema batch
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.solution import FORMAT
    from tdgen.solution.document import SolutionDocument, document_schema, events_schema

    title = f"tdgen {kind}, format {FORMAT}"
    if kind == "solution":
        give_json(document_schema(SolutionDocument, title))
    elif kind == "events":
        import tdgen.web.events  # noqa: F401 - the service's own are kinds of events too
        from tdgen.events import Event

        give_json(events_schema(Event.__subclasses__()))
    elif kind == "batch":
        from tdgen.batch.results import Row

        give_json(document_schema(Row, title))
    else:
        raise InputError(f"there is no schema of {kind!r}: it is one of {', '.join(KINDS)}")
    return 0
