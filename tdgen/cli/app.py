"""The program: all commands by name, and a command line from its arguments to its exit code.

Every failure becomes one line, never a traceback. 0 all green · 1 not all green · 2 bad usage or input · 3 budget spent
· 4 model or sandbox not reachable · 70 a bug in tdgen · 130 interrupted · 141 whoever read the output went away
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Final, NoReturn

from typer import Exit, Option, Typer

from tdgen.cli.batch import batch
from tdgen.cli.chat import chat
from tdgen.cli.clustering import worker
from tdgen.cli.demo import demo
from tdgen.cli.doctor import doctor, sandbox
from tdgen.cli.drafting import cases, plan
from tdgen.cli.evaluating import evaluate
from tdgen.cli.filling import add, change, fill
from tdgen.cli.fixing import fix
from tdgen.cli.guarding import guard
from tdgen.cli.interrupts import INTERRUPTED
from tdgen.cli.keeping import cache, show
from tdgen.cli.mcp import mcp
from tdgen.cli.options import Command
from tdgen.cli.schema import schema
from tdgen.cli.serve import serve
from tdgen.cli.solving import solve
from tdgen.cli.syncing import sync
from tdgen.cli.verifying import verify
from tdgen.cli.watching import watch
from tdgen.errors import TdgenError
from tdgen.terminal.output import give, give_json, one_line, say

app = Typer(
    name="tdgen",
    # Without rich's own help and tracebacks, a command starts in half the time.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer's callbacks are called so
    if wanted:
        from tdgen import __version__

        give(f"tdgen {__version__}")
        raise Exit


@app.callback()
def tdgen(
    *,
    version: Annotated[
        bool, Option("--version", "-V", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Prose in, tested Python functions out, tests first.

    A model plans functions, writes their cases before any code, and then the code; all code runs in a sandbox, and only
    what every case confirms is green. Settings come from options, from TDGEN_* variables, and from [tool.tdgen] in
    pyproject.toml, in this order; the model's key from OPENAI_API_KEY or TDGEN_API_KEY.

    \b
    tdgen solve "slugify(text): lower case, words joined by single hyphens"
    tdgen solve spec.md -o calendars
    tdgen doctor
    """  # noqa: D301 - \b keeps the lines below it apart


app.command(cls=Command)(solve)
app.command(cls=Command, short_help="Talk: what each line changes, and why things are so.")(chat)
app.command(cls=Command, short_help="Add to a module of an existing project, tests first.")(add)
app.command(cls=Command, short_help="Change a function of an existing project, tests first.")(change)
app.command(cls=Command, short_help="Fill the stubs of an existing project, tests first.")(fill)
app.command(cls=Command, short_help="Tell what is no longer as tdgen left it, and mend that.")(sync)
app.command(cls=Command, short_help="Test existing code against its own docs.")(guard)
app.command(cls=Command, short_help="Fix failing tests of an existing project.")(fix)
app.command(cls=Command, short_help="Watch files, and solve what is saved.")(watch)
app.command(cls=Command, short_help="Solve many instructions, a line of a file each.")(batch)
app.command("eval", cls=Command, short_help="Measure how far a green can be trusted with your model.")(evaluate)
app.command(cls=Command)(plan)
app.command("tests", cls=Command, short_help="Write an instruction's cases, and stop there.")(cases)
app.command(cls=Command, short_help="Show a solution: what was asked, planned, written.")(show)
app.command(cls=Command, short_help="Run a solution's tests again in the sandbox, offline.")(verify)
app.command(cls=Command, short_help="Try endpoint, sandboxes and cache; say what to do.")(doctor)
app.command(cls=Command, short_help="Solve a recorded instruction: no key, no network.")(demo)
app.command(cls=Command, short_help="Print the JSON schema of what programs are given.")(schema)
app.command(cls=Command, short_help="Serve a page to ask and to watch on, and HTTP for programs.")(serve)
app.command(cls=Command, short_help="Solve lines of batches for a dask scheduler.")(worker)
app.command(cls=Command, short_help="Serve tools to agents by the Model Context Protocol.")(mcp)
app.add_typer(cache, short_help="What is kept between runs, and how to be rid of it.")
app.add_typer(sandbox)


BAD_USAGE: Final = 2
BUG: Final = 70
PIPE_CLOSED: Final = 141


def run(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments (without the program's name); the exit code."""
    try:
        return _invoked(list(arguments) or ["--help"])
    except BrokenPipeError:
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _failed("interrupted", INTERRUPTED, arguments)
    except TdgenError as error:
        return _failed(str(error), error.exit_code, arguments)
    except Exception as error:  # noqa: BLE001 - the outermost place: whatever it is becomes a line and an exit code
        return _failed(*_untold(error, arguments), arguments)


def leave(code: int) -> NoReturn:
    """End the process; threads that wait for an answer nobody needs any more do not keep it."""
    settled = threading.active_count() == 1
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            settled = False
    if not settled:
        os._exit(code)
    sys.exit(code)


def _invoked(arguments: list[str]) -> int:
    """The exit code that the command gives. Not by typer's own `main`, which would end the process on some errors."""
    from typer import Exit
    from typer.main import get_command

    from tdgen.cli.options import COMPLETE, completed

    command = get_command(app)
    if instruction := os.environ.get(COMPLETE):
        return completed(command, instruction)
    try:
        with command.make_context("tdgen", arguments) as context:
            return int(command.invoke(context) or 0)
    except Exit as ending:
        return ending.exit_code


def _failed(message: str, code: int, arguments: Sequence[str]) -> int:
    line = one_line(message)
    say(f"tdgen: {line}", "bad")
    if "--json" in arguments:
        with suppress(OSError, TdgenError):
            give_json({"error": line, "exit_code": code})
    return code


def _untold(error: Exception, arguments: Sequence[str]) -> tuple[str, int]:
    """The message and the exit code of what is no TdgenError: wrong usage, or a bug."""
    from typer.exceptions import TyperException

    if isinstance(error, TyperException):
        context = getattr(error, "ctx", None)
        if context is not None:
            command = context.command_path
        else:  # the parser does not tell the command where an option lacks its value
            from typer.main import get_command

            known = getattr(get_command(app), "commands", {})
            command = " ".join(["tdgen", *(name for name in arguments[:1] if name in known)])
        return f"{error.format_message()} (`{command} --help` tells more)", BAD_USAGE
    what = f"this is a bug in tdgen: {type(error).__name__}: {error}"
    if not any(argument in ("-v", "--verbose") for argument in arguments):
        return f"{what} (run it with --verbose to see where)", BUG
    traceback.print_exc()
    return what, BUG
