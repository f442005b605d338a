"""Evaluating a job's probes one after the other, each with a module executed afresh, and telling what each one did.

A probe's frame is an Observation as plain data. Only what the call itself raises counts as raised: where the module
can't be executed, or the setup or an argument fails, the call was not run, and `raised` says why.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import copyreg
import gc
import logging
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sized
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.sandbox.inside import clock, messages
from tdgen.sandbox.inside.attempt import Attempt, Candidate
from tdgen.sandbox.inside.forker import Forker, Request
from tdgen.sandbox.inside.watching import Watcher
from tdgen.sandbox.inside.world import ProbeEnvironment, made
from tdgen.values import leaves, readers

clock.keep_real_classes(leaves, readers)

_NOTHING = {"stdin": None, "clock": None, "seed": None, "script": None}
_PLAIN_WORLD: dict[str, Any] = {"files": {}, "environment": {}, **_NOTHING}
_NO_PLACE = {"status": "not_run", "last": True, "detail": "its place could not be made"}
_ANSWERED = 87
"""The exit code of a copy that answered."""
_FEWEST = 3
"""Probes for which it is worth to try whether the project's modules can be imported again for each."""
_DEAREST_S = 0.006
"""Processor seconds that the second import may take: it is the dearest of all further ones, as it pays for the memory
that it changes in a new process. A copy for each probe takes as long."""
_WARM_UPS = 12  # as often as an interpreter looks on
_WARM_UP_SOURCE = "def f(x):\n    return [int(x), (x,), {x: 'text'}]\n"


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
        run_in_project(request, candidate, forker)
    else:
        forker.enter_copy()
        run(request, candidate)
    os._exit(0)


def warm_up(room: Path) -> None:
    """Go the way of some probes often enough that the interpreter adapts its code to what it has seen."""
    del room
    for _ in range(_WARM_UPS):
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
            environment = ProbeEnvironment(made(request.folder, index), asked["limits"]["output_kb"])
        except BaseException:  # noqa: BLE001 - a candidate may have put anything in the place of what it takes
            request.emit({**_NO_PLACE, "index": index})
            return
        if not _answer(request, candidate, environment, index):
            return


def run_in_project(request: Request, candidate: Candidate, forker: Forker) -> None:
    """The same in a project: each probe finds the project's modules, and whatever they keep, as they were imported.

    One probe alone has what this process imported. Several share a process that imports the project's own modules again
    for each, where that costs less than a copy and comes to the same; else each has a copy of this process.
    """
    asked = request.asked
    environment = ProbeEnvironment(made(request.folder, asked["start"]), asked["limits"]["output_kb"])
    _import_in(environment, candidate)
    number = asked["count"] - asked["start"]
    if number == 1:
        forker.enter_copy()
        _answer(request, candidate, environment, asked["start"])
        return
    gc.freeze()
    if number < _FEWEST or not candidate.stands_alone() or not _run_again(request, candidate, environment, forker):
        run_in_copies(request, candidate, environment, forker)


def _import_in(environment: ProbeEnvironment, candidate: Candidate) -> None:
    """Import the project's modules; what that prints is nobody's."""
    environment.before_module(_PLAIN_WORLD)
    candidate.import_once()
    environment.forget_printed()


def _run_again(request: Request, candidate: Candidate, environment: ProbeEnvironment, forker: Forker) -> bool:
    """Evaluate the probes in a copy of this process that imports again for each; whether it could be had.

    It tries that first. This process ends as the copy did, where that did not come to its end.
    """
    trying, tried = os.pipe()
    pid = _forked()
    if pid == 0:
        os.close(trying)
        forker.enter_copy()
        if not _comes_again(candidate, environment):
            os._exit(0)
        os.write(tried, b"!")
        os.close(tried)
        _answer_afresh(request, candidate, environment)
        os._exit(_ANSWERED)
    os.close(tried)
    could = bool(os.read(trying, 1))
    os.close(trying)
    _, status = os.waitpid(pid, 0)
    if could and os.waitstatus_to_exitcode(status) != _ANSWERED:
        _end_so(status)
    return could


def _comes_again(candidate: Candidate, environment: ProbeEnvironment) -> bool:
    """Whether a second import takes little and leaves no more than the first did where all of Python looks."""
    before, began = _left_behind(), time.process_time()
    candidate.forget()
    _import_in(environment, candidate)
    return time.process_time() - began < _DEAREST_S and candidate.stands_alone() and _left_behind() == before


def _left_behind() -> tuple[int, ...]:
    """How much there is of what an import may add to."""
    held: tuple[Sized, ...] = (logging.root.handlers, sys.meta_path, sys.path_hooks, vars(builtins), warnings.filters)
    return (threading.active_count(), atexit._ncallbacks(), *map(len, (*held, copyreg.dispatch_table)))  # noqa: SLF001


def _answer_afresh(request: Request, candidate: Candidate, environment: ProbeEnvironment) -> None:
    """Evaluate the probes one after the other, each with the project's modules imported anew.

    Where one has brought a package that stays loaded, this process ends, and another goes on.
    """
    asked = request.asked
    for index in range(asked["start"], asked["count"]):
        if index > asked["start"]:
            try:
                environment = ProbeEnvironment(made(request.folder, index), asked["limits"]["output_kb"])
            except BaseException:  # noqa: BLE001 - as above
                request.emit({**_NO_PLACE, "index": index})
                return
            candidate.forget()
            _import_in(environment, candidate)
        if not _answer(request, candidate, environment, index, candidate.stands_alone):
            return


def run_in_copies(request: Request, candidate: Candidate, environment: ProbeEnvironment, forker: Forker) -> None:
    """Evaluate each probe in a copy of this process, which has imported the project's modules.

    Where a copy ends without an answer, this process ends as it did.
    """
    asked = request.asked
    numbers = iter(range(asked["start"], asked["count"]))
    current: _Copy | None = _copy(request, candidate, environment, forker, next(numbers))
    while current:
        current.begin()
        number = next(numbers, None)
        following = None if number is None else _copy(request, candidate, environment, forker, number)  # meanwhile
        current.wait()
        current = following


class _Copy(NamedTuple):
    """A copy of this process that waits for its turn: its id, and the pipe by which it is begun."""

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


def _copy(request: Request, candidate: Candidate, environment: ProbeEnvironment, forker: Forker, index: int) -> _Copy:
    """A copy that evaluates the probe of that number: all is ready when its turn comes."""
    waiting, turn = os.pipe()
    pid = _forked()
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
            environment.move_to(made(request.folder, index))
        except BaseException:  # noqa: BLE001 - an earlier probe may have put anything there
            request.emit({**_NO_PLACE, "index": index})
            os._exit(_ANSWERED)
    _answer(request, candidate, environment, index)
    os._exit(_ANSWERED)


def _forked() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that were started as the module was imported
        return os.fork()


def _end_so(status: int) -> None:
    """End this process as another one ended, by its wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def _answer(
    request: Request,
    candidate: Candidate,
    environment: ProbeEnvironment,
    index: int,
    is_fit: Callable[[], bool] = lambda: True,
) -> bool:
    """Evaluate the probe that comes next, and tell of it; whether this process is fit for another."""
    probe = next(request.probes)
    attempt = Attempt(candidate.of(probe["source"]), probe, environment)
    if request.job["watch"]:
        watch(attempt, request, index)
    observed = attempt.observation()
    is_last = not environment.after() or not is_fit() or index + 1 == request.asked["count"] or request.job["apart"]
    observed.update(index=index, last=is_last)
    try:
        request.emit(observed)
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
        observed = {"status": "timeout", "detail": f"no result within {seconds:g} s, watched line by line"}
        request.emit({**attempt.surroundings(observed), "index": index, "last": True})
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
    candidate = Candidate("warm", _WARM_UP_SOURCE)
    for index in range(most):
        _answer(request, candidate, ProbeEnvironment(request.folder, 1), index)
    del sys.modules[candidate.name]


def _refusal(error: Exception) -> str:
    """Why an observation could not be sent."""
    if isinstance(error, messages.TooLarge):
        return f"what it returned takes more than {messages.MAX_FRAME // 2**20} MB to tell"
    return f"what it returned can't be told: {type(error).__name__}"
