"""`tdgen mcp`: tools for agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Option

from tdgen.cli import options
from tdgen.errors import InputError, MissingExtra
from tdgen.terminal.output import say

Http = Annotated[
    int | None,
    Option("--http", metavar="PORT", min=0, max=65535, help="Serve streamable HTTP on this machine's port instead."),
]
Root = Annotated[
    Path | None,
    Option("--root", metavar="FOLDER", help="The project whose files may be named; this folder unless given."),
]


@options.settings(options.SOLVING)
def mcp(*, http: Http = None, root: Root = None, flags: dict[str, Any]) -> int:
    """Serve tools to agents by the Model Context Protocol, over stdin and stdout.

    solve_start, solve_status, solve_answer, solve_cancel and solve_result write code, tests first; write_tests gives
    tests alone; judge says whether tests hold for code, and how strong they are; guard tests existing code against its
    docs; verify runs a kept solution's tests again. An agent may lower the budget, no more. Over HTTP whoever is on
    this machine is let in.

    \b
    claude mcp add tdgen -- tdgen mcp --budget calls=40
    tdgen mcp --http 8138                   then http://127.0.0.1:8138/mcp
    """  # noqa: D301 - \b keeps the lines below it apart
    import asyncio

    from tdgen.settings import load_settings

    try:
        from tdgen.mcp.server import serve_http, serve_stdio
    except ModuleNotFoundError as error:
        raise MissingExtra("tdgen mcp", "mcp") from error
    folder = root or Path.cwd()
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: name the project's by --root")
    settings = load_settings(flags)
    if http is None:
        asyncio.run(serve_stdio(settings, folder))
    else:
        asyncio.run(serve_http(settings, folder, http, lambda url: say(f"tools at {url} (Ctrl-C ends it)", "good")))
    return 0
