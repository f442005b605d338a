"""Evaluating a job's probes one after the other, each with a module executed afresh, and telling what each one did.

A probe's frame is an Observation as plain data. Only what the call itself raises counts as raised: where the module
can't be executed, or the setup or an argument fails, the call was not run, and `raised` says why.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.sandbox.inside import clock, messages
from tdgen.sandbox.inside.attempt import Attempt, Candidate
from tdgen.sandbox.inside.forker import Forker, Request
from tdgen.sandbox.inside.watching import Watcher
from tdgen.sandbox.inside.world import Stage, made
from tdgen.values import leaves, readers

clock.keep_real_classes(leaves, readers)

_NOTHING = {"stdin": None, "clock": None, "seed": None, "script": None}
_PLAIN_WORLD: dict[str, Any] = {"files": {}, "environment": {}, **_NOTHING}
_NO_PLACE = {"status": "not_run", "last": True, "detail": "its place could not be made"}
_ANSWERED = 87
"""The exit code of a copy that told what it was asked."""
_REHEARSALS = 12  # as often as an interpreter looks on
_REHEARSED = "def f(x):\n    return [int(x), (x,), {x: 'text'}]\n"


def serve(forker: Forker) -> None:
    """Serve the host; in each child, do what it asks and end."""

    def prepare() -> None:
        warm(1)
        if forker.project:
            forker.project.enter()
        forker.warm()

    request = forker.serve(prepare)
    job = request.job
    strict = job["warnings_as_errors"]
    candidate = Candidate(
        job["module"], job["source"], job["public"], strict=strict, project=forker.project, beside=job["overlay"]
    )
    job["apart"] |= bool(forker.project) and (job["clocked"] or not forker.copies)
    if forker.project and not job["apart"]:
        run_in_copies(request, candidate, forker)
    else:
        forker.enter_copy()
        run(request, candidate)
    os._exit(0)


def rehearse(room: Path) -> None:
    """Go the way of some probes often enough that the interpreter adapts its code to what it has seen."""
    del room
    for _ in range(_REHEARSALS):
        warm()


def run(request: Request, candidate: Candidate) -> None:
    """Evaluate the job's probes from `start` on, one frame each; the last frame of this process says `last`.

    What a probe needs is prepared while the host takes the answer before it and sends that probe. Where it can't be, as
    an earlier one did something to the scratch folder, this process ends, and another goes on. So it does after each
    probe of a job whose probes are kept apart.
    """
    asked = request.asked
    for index in range(asked["start"], asked["count"]):
        try:
            stage = Stage(made(request.folder, index), asked["limits"]["output_kb"])
        except BaseException:  # noqa: BLE001 - a candidate may have put anything in the place of what it takes
            request.emit({**_NO_PLACE, "index": index})
            return
        if not _answer(request, candidate, stage, index):
            return


def run_in_copies(request: Request, candidate: Candidate, forker: Forker) -> None:
    """The same in a project: the module is imported once, and each probe is evaluated in a copy of this process.

    So each finds the project's modules, and whatever they keep, as they are when they were imported. Where a copy ends
    without an answer, this process ends as it did.
    """
    asked = request.asked
    stage = Stage(made(request.folder, asked["start"]), asked["limits"]["output_kb"])
    stage.before_module(_PLAIN_WORLD)
    candidate.import_once()
    stage.forget_printed()
    gc.freeze()
    numbers = iter(range(asked["start"], asked["count"]))
    current: _Copy | None = _copy(request, candidate, stage, forker, next(numbers))
    while current:
        current.begin()
        number = next(numbers, None)
        following = None if number is None else _copy(request, candidate, stage, forker, number)  # meanwhile
        current.wait()
        current = following


class _Copy(NamedTuple):
    """A copy of this process that waits for its turn: its id, and the pipe by which it is told."""

    pid: int
    turn: int

    def begin(self) -> None:
        """Let it have its turn; one that has ended by now is found out when it is waited for."""
        with contextlib.suppress(OSError):
            os.write(self.turn, b"!")
        os.close(self.turn)

    def wait(self) -> None:
        """Wait for its end. Where it gave no answer, this process ends as it did."""
        _, status = os.waitpid(self.pid, 0)
        if os.waitstatus_to_exitcode(status) != _ANSWERED:
            _end_so(status)


def _copy(request: Request, candidate: Candidate, stage: Stage, forker: Forker, index: int) -> _Copy:
    """A copy that evaluates the probe of that number: all is ready when its turn comes."""
    waiting, turn = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that were started as the module was imported
        pid = os.fork()
    if pid:
        os.close(waiting)
        return _Copy(pid, turn)
    os.close(turn)
    forker.enter_copy()
    if not os.read(waiting, 1):
        os._exit(0)  # there is nobody any more whose copy this is
    os.close(waiting)
    if index > request.asked["start"]:
        try:
            stage.move_to(made(request.folder, index))
        except BaseException:  # noqa: BLE001 - an earlier probe may have put anything there
            request.emit({**_NO_PLACE, "index": index})
            os._exit(_ANSWERED)
    _answer(request, candidate, stage, index)
    os._exit(_ANSWERED)


def _end_so(status: int) -> None:
    """End this process as another one ended, by its wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def _answer(request: Request, candidate: Candidate, stage: Stage, index: int) -> bool:
    """Evaluate the probe that comes next, and tell of it; whether this process is fit for another."""
    probe = next(request.probes)
    attempt = Attempt(candidate.of(probe["source"]), probe, stage)
    if request.job["watch"]:
        watch(attempt, request, index)
    told = attempt.told()
    is_last = not stage.after() or index + 1 == request.asked["count"] or request.job["apart"]
    told.update(index=index, last=is_last)
    try:
        request.emit(told)
    except (messages.TooLarge, ValueError, RecursionError) as error:
        request.emit({"index": index, "status": "unreadable", "last": is_last, "detail": _refusal(error)})
    return not is_last


def watch(attempt: Attempt, request: Request, index: int) -> None:
    """Have the attempt watched. One that takes too long tells itself what it has seen, and ends the process.

    It is given four fifths of the time, as whoever is killed from outside tells nothing.
    """
    limits = request.asked["limits"]
    seconds = 0.8 * min(limits["wall_s"], limits["cpu_s"])

    def give_up() -> None:
        told = {"status": "timeout", "detail": f"no result within {seconds:g} s, watched line by line"}
        request.emit({**attempt.surroundings(told), "index": index, "last": True})
        os._exit(0)

    attempt.watcher = Watcher(request.job["watch"], attempt.candidate.code, seconds, give_up)


def warm(most: int = 3) -> None:
    """Go the way of some probes, without a folder: no child that has a request is then the first to take it.

    A child goes it while it waits: each page of memory that it writes to is copied first, which takes longer than a
    small case.
    """
    bare = {"source": "", "setup": "", "call": "", "world": _PLAIN_WORLD, "logs": False}
    plain = {**bare, "after": ["x"], "given": {"x": 1}}
    calls = ({"call": "f(1)"}, {"call": "f('a')"}, {"setup": "y = x", "function": "f", "arguments": ["y"]})
    job = {"watch": "", "apart": False}
    probes = ({**plain, **call} for call in calls)
    request = Request({"count": most + 1}, job, probes, Path(os.devnull), messages.frame)
    candidate = Candidate("warm", _REHEARSED)
    for index in range(most):
        _answer(request, candidate, Stage(request.folder, 1), index)
    del sys.modules[candidate.name]


def _refusal(error: Exception) -> str:
    """Why an observation could not be told."""
    if isinstance(error, messages.TooLarge):
        return f"what it returned takes more than {messages.MAX_FRAME // 2**20} MB to tell"
    return f"what it returned can't be told: {type(error).__name__}"
