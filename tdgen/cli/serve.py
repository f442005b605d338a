"""`tdgen serve`: the service and its page."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from tdgen.cli import options
from tdgen.errors import InputError, MissingExtra
from tdgen.terminal.output import say

if TYPE_CHECKING:
    from tdgen.web.server import Further

Host = Annotated[str, Option("--host", metavar="ADDRESS", help="Where to listen; beyond this machine with a token.")]
Port = Annotated[int, Option("--port", "-p", min=0, max=65535, help="Which port; 0 takes a free one.")]
Token = Annotated[
    str, Option("--token", metavar="TEXT", help="What callers must have to be let in.", show_default=False)
]
TokenFile = Annotated[
    Path | None, Option("--token-file", metavar="FILE", help="The token in a file, where `ps` doesn't show it.")
]
Tokens = Annotated[
    Path | None,
    Option("--tokens", metavar="FILE", help="Several tokens by name, each with a budget and a rate: docs/service.md."),
]
Names = Annotated[
    list[str] | None, Option("--allow-host", metavar="NAME", help="A name the service is called by; may be repeated.")
]
AtOnce = Annotated[int, Option("--at-once", metavar="N", min=1, max=64, help="Instructions solved at once.")]
Workers = Annotated[
    int | None,
    Option(
        "--workers",
        metavar="N",
        min=1,
        max=64,
        help="Processes that share the runs of the team's store.",
        show_default=False,
    ),
]
Waiting = Annotated[int, Option("--waiting", metavar="N", min=1, max=10_000, help="Instructions that may wait.")]
Root = Annotated[
    Path | None,
    Option("--root", metavar="FOLDER", help="The project whose files agents may name; none unless given."),
]

Logged = Annotated[bool, Option("--access-log", help="Tell each request on stderr: method, path, status, ms.")]


@options.settings(options.SOLVING)
def serve(
    *,
    host: Host = "127.0.0.1",
    port: Port = 8137,
    token: Token = "",
    token_file: TokenFile = None,
    tokens: Tokens = None,
    allow_host: Names = None,
    at_once: AtOnce = 2,
    waiting: Waiting = 32,
    workers: Workers = None,
    root: Root = None,
    access_log: Logged = False,
    flags: dict[str, Any],
) -> int:
    """Serve a page on which to ask and to watch, and the same over HTTP for programs.

    Instructions are queued, and solved with these settings; a caller may lower the budget and choose the trust, no
    more. Runs are kept in the cache: Ctrl-C or a crash loses nothing, and the next serve goes on with them. It is
    plain HTTP: put a proxy with TLS before it where others reach it. Where the extra mcp is installed, agents have the
    tools of `tdgen mcp` at /mcp.

    \b
    tdgen serve                             then open http://127.0.0.1:8137/
    tdgen serve --port 0 --budget calls=20,money=0.50
    tdgen serve --workers 4                 on several hosts with one TDGEN_STORE
    tdgen serve --host 0.0.0.0 --token-file token.txt --allow-host my.box.org
    curl -s localhost:8137/runs --json '{"instruction": "double(n)"}'
    curl -sN localhost:8137/runs/ID/events
    curl -s localhost:8137/openapi.json     all of it, described
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.settings import load_settings

    try:
        from tdgen.web.callers import only_caller, read_callers, read_token
        from tdgen.web.listening import Address
        from tdgen.web.server import Queue
        from tdgen.web.server import serve as served
    except ModuleNotFoundError as error:
        raise MissingExtra("tdgen serve", "serve") from error
    if len([one for one in (token, token_file, tokens) if one]) > 1:
        raise InputError("the token is given twice: use --token, --token-file or --tokens")
    if token_file is not None:
        token = read_token(token_file)
    callers = read_callers(tokens) if tokens else (only_caller(token),) if token else ()
    address = Address(host, port, callers, tuple(allow_host or ()))
    if access_log:
        _tell_requests()
    queue, settings = Queue(at_once, waiting, workers or 0), load_settings(flags)
    served(settings, address, queue, partial(say, style="good"), tools_for_agents(root, is_shared=bool(workers)))
    say("ended; what was going on is resumed by the next `tdgen serve`", "faint")
    return 0


def tools_for_agents(root: Path | None, *, is_shared: bool) -> Further | None:
    """The tools for agents; None where their extra is not installed and nobody asks for it."""
    if root is not None and not root.is_dir():
        raise InputError(f"{root} is no folder: name the project's by --root")
    try:
        from tdgen.mcp.server import in_service
    except ModuleNotFoundError as error:
        if root is not None:
            raise MissingExtra("tdgen serve --root", "mcp") from error
        return None
    return in_service(root, is_shared=is_shared)


def _tell_requests() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    access = logging.getLogger("tdgen.access")
    access.addHandler(handler)
    access.setLevel(logging.INFO)
    access.propagate = False  # the library of the tools for agents gives the root a handler of its own
