"""One command from its arguments to its exit code: every failure becomes one line, never a traceback.

0 all green · 1 not all green · 2 bad usage or input · 3 budget spent · 4 model or sandbox not reachable ·
70 a bug in tdgen · 130 interrupted · 141 whoever read the output went away
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Sequence
from typing import Final, NoReturn

from tdgen.cli.interrupts import INTERRUPTED
from tdgen.cli.speaking import give_json, one_line, say
from tdgen.errors import TdgenError

BAD_USAGE: Final = 2
BUG: Final = 70
PIPE_CLOSED: Final = 141


def run(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments (without the program's name); the exit code."""
    from typer.main import get_command

    from tdgen.cli.app import app

    try:
        code = get_command(app).main(list(arguments), prog_name="tdgen", standalone_mode=False)
        if code == INTERRUPTED:
            say("tdgen: interrupted")
        _flush()
        return code or 0
    except BrokenPipeError:
        return PIPE_CLOSED
    except Exception as error:  # noqa: BLE001 - the outermost place: whatever it is becomes a line and an exit code
        return _failed(error, arguments)


def leave(code: int) -> NoReturn:
    """End the process; threads that still wait for an answer nobody needs any more do not keep it."""
    if code == PIPE_CLOSED:
        os._exit(code)
    if threading.active_count() > 1:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _failed(error: Exception, arguments: Sequence[str]) -> int:
    message, code = _told(error, arguments)
    if message:
        say(f"tdgen: {message}", "bad")
    if "--json" in arguments:
        try:
            give_json({"error": message, "exit_code": code})
            _flush()
        except (OSError, TdgenError):
            return code
    return code


def _told(error: Exception, arguments: Sequence[str]) -> tuple[str, int]:
    """The line and the exit code of a failure."""
    from typer import Abort
    from typer.exceptions import TyperException

    if isinstance(error, TdgenError):
        return one_line(str(error)), error.exit_code
    if isinstance(error, TyperException):
        return one_line(f"{error.format_message()} ({_help_for(error)})"), BAD_USAGE
    if isinstance(error, Abort):
        return "interrupted", INTERRUPTED
    if _is_verbose(arguments):
        traceback.print_exc()
        return one_line(f"this is a bug in tdgen: {type(error).__name__}: {error}"), BUG
    what = f"this is a bug in tdgen: {type(error).__name__}: {error} (the same with --verbose tells where)"
    return one_line(what), BUG


def _help_for(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "tdgen"
    return f"`{command} --help` tells more"


def _is_verbose(arguments: Sequence[str]) -> bool:
    return any(argument in ("-v", "--verbose") for argument in arguments)


def _flush() -> None:
    """Write out what is left, so that what can't be written is noticed while it can still be told."""
    if sys.stdout is not None:
        sys.stdout.flush()
