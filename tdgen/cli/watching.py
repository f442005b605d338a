"""`tdgen watch`: what is saved is solved."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tdgen.cli import options
from tdgen.errors import InputError, MissingExtra
from tdgen.terminal.output import one_line, say


@options.settings(options.SOLVING, options.GATE)
def watch(
    paths: options.Watched,
    *,
    out: options.Out = None,
    apply: options.Apply = False,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Watch files, and solve what is saved, tests first, until Ctrl-C.

    A text is solved as by `tdgen solve`, a plan or suite (.json) as by `solve --plan`, and the stubs of a module (.py)
    as by `tdgen fill`; of a folder its modules. A file that is saved again while it is solved is begun anew with its
    newer text; answers are kept, so that nothing is paid twice. The budget is for each save.

    \b
    tdgen watch spec.md -o calendars      the module and its tests, at each save
    tdgen watch suite.json -o calendars   what `tdgen tests -o suite.json` wrote
    tdgen watch src/shop --apply          stubs get their bodies as you save
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.settings import load_settings

    try:
        from tdgen.watching import Saves, Watcher, command_for, saved
    except ModuleNotFoundError as error:
        raise MissingExtra("tdgen watch", "watch") from error
    load_settings(flags)
    saves = Saves.of(paths)
    solved = {path for path in saves.files.values() if path.suffix != ".py"}
    if out is not None and len(solved) != 1:
        raise InputError("--out is where one text or plan is written: watch it alone, the others in another terminal")
    if apply and not (saves.folders or solved != {*saves.files.values()}):
        raise InputError("--apply makes changes in a project: watch a module or a folder of it, or give --out")
    telling = [*["--verbose"] * verbose, *["--quiet"] * quiet]
    without_gate = {name: value for name, value in flags.items() if name not in options.GATE}
    command = partial(
        command_for,
        solving=[*_arguments(without_gate), *telling, *(["--out", out] if out is not None else [])],
        filling=[*_arguments(flags), *telling, *["--apply"] * apply],
    )
    with _until_interrupted() as stop:
        changes = _told_first(f"watching {', '.join(paths)} (Ctrl-C ends it)", saved(saves, stop))
        Watcher(command, _started, lambda line: say(one_line(line), "bad")).watch(changes)
    say("ended; a run that was going on goes on when its text is saved again", "faint")
    return 0


def _arguments(flags: Mapping[str, Any]) -> Iterator[str]:
    """Settings as a command is given them, each as one argument."""
    for name, value in flags.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            yield option
        elif value:
            yield from (f"{option}={one}" for one in (value if isinstance(value, list) else [value]))


@contextmanager
def _until_interrupted() -> Iterator[threading.Event]:
    """What Ctrl-C sets: an exception could come between the start of a run and the note of it, and leave it running."""
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda number, frame: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _told_first(line: str, saves: Iterator[frozenset[Path]]) -> Iterator[frozenset[Path]]:
    """The saves, and before them a line that is told when they are listened to: what is saved from then on is seen."""
    first = next(saves, frozenset())
    say(line, "good")
    yield first
    yield from saves


def _started(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """The command in a process group of its own, so that a Ctrl-C is passed on to it once."""
    say(f"tdgen {' '.join(arguments[:2])}", "strong")
    command = [sys.executable, "-m", "tdgen", *arguments]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, process_group=0, cwd=Path.cwd())  # noqa: S603 - itself
