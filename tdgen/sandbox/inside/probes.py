"""Evaluating a job's probes one after the other, each with a module executed afresh, and reporting what each did.

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
from functools import partial
from pathlib import Path
from typing import Any

from tdgen.sandbox.inside import clock, messages
from tdgen.sandbox.inside.attempt import Attempt
from tdgen.sandbox.inside.candidate import Candidate
from tdgen.sandbox.inside.forker import Forker, Request
from tdgen.sandbox.inside.watching import Watcher
from tdgen.sandbox.inside.world import ProbeEnvironment, make_folder
from tdgen.values import leaves, readers

clock.keep_real_classes(leaves, readers)

_NOTHING = {"stdin": None, "clock": None, "seed": None, "script": None}
_PLAIN_WORLD: dict[str, Any] = {"files": {}, "environment": {}, **_NOTHING}
_NO_FOLDER = {"status": "not_run", "last": True, "detail": "its place could not be made"}
_ANSWERED = 87
"""The exit code of a copy that answered."""
_FEWEST = 3
"""With fewer probes than this it is not tried whether the project's modules can be imported again for each."""
_MOST_IMPORT_S = 0.006
"""Processor seconds that the second import may take, about as long as a copy for each probe. It takes longer than all
further ones: in a forked process each page of memory is copied when it is first written to."""
_set_timer, _get_timer, _now = signal.setitimer, signal.getitimer, time.monotonic  # a candidate may set others there
_WARM_UPS = 12  # enough for the interpreter to specialize its code (3.11 and later)
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
        job["module"],
        job["source"],
        job["public"],
        strict=strict,
        project=forker.project,
        beside=job["overlay"],
        others=job["others"],
    )
    job["apart"] |= bool(forker.project) and (job["clocked"] or not forker.confinement.copies)
    if forker.project and not job["apart"]:
        run_in_project(request, candidate, forker)
    else:
        forker.confinement.enter_copy()
        run(request, candidate)
    os._exit(0)


def warm_up(room: Path) -> None:
    """Evaluate some probes, often enough that the interpreter specializes its code."""
    for _ in range(_WARM_UPS):
        warm()


def run(request: Request, candidate: Candidate, first: ProbeEnvironment | None = None) -> None:
    """Evaluate the job's probes from `start` on, one frame each; the last frame of this process says `last`.

    A probe's folder and streams are prepared while the host reads the answer before it and sends that probe. Where they
    can't be, since an earlier probe damaged the scratch folder, this process ends, and another one evaluates the rest.
    So it does after each probe of a job whose probes are kept apart.

    In a project `first` is where its modules were imported, as the first probe finds them. Each further one has them
    imported anew, and after one that imported a package which stays loaded, this process ends, too.
    """
    asked, environment = request.asked, first
    is_fit = candidate.imported_python_alone if first else None
    for index in range(asked["start"], asked["count"]):
        if environment is None:
            try:
                environment = ProbeEnvironment(make_folder(request.folder, index), asked["limits"]["output_kb"])
            except BaseException:  # noqa: BLE001 - a candidate may have put anything in the place of what it takes
                request.emit({**_NO_FOLDER, "index": index})
                return
            if first:
                candidate.forget()
                _import_in(environment, candidate)
        if not _answer(request, candidate, environment, index, is_fit):
            return
        environment = None


def run_in_project(request: Request, candidate: Candidate, forker: Forker) -> None:
    """The same in a project: each probe finds the project's modules, and their state, as they were after the import.

    A single probe runs in this process. Several share a process that imports the project's own modules again for each,
    where that costs less than a copy and leaves the same state; else each runs in a copy of this process.
    """
    asked = request.asked
    environment = ProbeEnvironment(make_folder(request.folder, asked["start"]), asked["limits"]["output_kb"])
    _import_in(environment, candidate)
    number = asked["count"] - asked["start"]
    if number == 1:
        forker.confinement.enter_copy()
        _answer(request, candidate, environment, asked["start"])
        return
    gc.freeze()
    if (
        number < _FEWEST
        or not candidate.imported_python_alone()
        or not _run_again(request, candidate, environment, forker)
    ):
        run_in_copies(request, candidate, environment, forker)


def _import_in(environment: ProbeEnvironment, candidate: Candidate) -> None:
    """Import the project's modules; what that prints is dropped."""
    environment.before_module(_PLAIN_WORLD)
    candidate.import_once()
    environment.drop_output()


def _run_again(request: Request, candidate: Candidate, environment: ProbeEnvironment, forker: Forker) -> bool:
    """Evaluate the probes in a copy of this process that imports again for each; whether importing again works.

    The copy tries that first. Where it does not evaluate all probes, this process ends with the copy's status.
    """
    trying, tried = os.pipe()
    pid = _forked()
    if pid == 0:
        os.close(trying)
        forker.confinement.enter_copy()
        if not _imports_again(candidate, environment):
            os._exit(0)
        os.write(tried, b"!")
        os.close(tried)
        run(request, candidate, environment)
        os._exit(_ANSWERED)
    os.close(tried)
    could = bool(os.read(trying, 1))
    os.close(trying)
    _, status = os.waitpid(pid, 0)
    if could and os.waitstatus_to_exitcode(status) != _ANSWERED:
        _end_like(status)
    return could


def _imports_again(candidate: Candidate, environment: ProbeEnvironment) -> bool:
    """Whether a second import is quick, and adds nothing to global state that the first did not."""
    before, began = _sizes_of_global_state(), time.process_time()
    candidate.forget()
    _import_in(environment, candidate)
    return (
        time.process_time() - began < _MOST_IMPORT_S
        and candidate.imported_python_alone()
        and _sizes_of_global_state() == before
    )


def _sizes_of_global_state() -> tuple[int, ...]:
    """How many entries each global registry has that an import may add to, and how many threads there are."""
    held: tuple[Sized, ...] = (logging.root.handlers, sys.meta_path, sys.path_hooks, vars(builtins), warnings.filters)
    return (threading.active_count(), atexit._ncallbacks(), *map(len, (*held, copyreg.dispatch_table)))  # noqa: SLF001


def run_in_copies(request: Request, candidate: Candidate, environment: ProbeEnvironment, forker: Forker) -> None:
    """Evaluate each probe in a copy of this process, which has imported the project's modules.

    Where a copy ends without an answer, this process ends with its status.
    """
    asked = request.asked
    pid, turn = _copy(request, candidate, environment, forker, asked["start"])
    for number in range(asked["start"] + 1, asked["count"] + 1):
        with contextlib.suppress(OSError):  # that it has ended already shows when it is waited for
            os.write(turn, b"!")
        os.close(turn)
        current = pid
        if number < asked["count"]:
            pid, turn = _copy(request, candidate, environment, forker, number)  # meanwhile
        _, status = os.waitpid(current, 0)
        if os.waitstatus_to_exitcode(status) != _ANSWERED:
            _end_like(status)


def _copy(
    request: Request, candidate: Candidate, environment: ProbeEnvironment, forker: Forker, index: int
) -> tuple[int, int]:
    """A copy of this process that waits to evaluate the probe of that number: its id, and the pipe that starts it."""
    waiting, turn = os.pipe()
    pid = _forked()
    if pid:
        os.close(waiting)
        return pid, turn
    os.close(turn)
    forker.confinement.enter_copy()
    if not os.read(waiting, 1):
        os._exit(0)  # the process that made this copy is gone
    os.close(waiting)
    if index > request.asked["start"]:
        try:
            environment.move_to(make_folder(request.folder, index))
        except BaseException:  # noqa: BLE001 - an earlier probe may have put anything there
            request.emit({**_NO_FOLDER, "index": index})
            os._exit(_ANSWERED)
    _answer(request, candidate, environment, index)
    os._exit(_ANSWERED)


def _forked() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that were started as the module was imported
        return os.fork()


def _end_like(status: int) -> None:
    """End this process with the wait status of another one."""
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
    is_fit: Callable[[], bool] | None = None,
) -> bool:
    """Evaluate the next probe, and send the observation; whether this process may evaluate another, and `is_fit` to."""
    probe = next(request.probes)
    attempt = Attempt(candidate.of(probe["module"]), probe, environment)
    if request.job["watch"]:
        watch(attempt, request, index)
    limits = request.asked["limits"]
    if limits["start_s"]:  # the probe's own time counts from then on; when it is over, the kernel ends this process
        attempt.when_ready = partial(_set_timer, signal.ITIMER_REAL, limits["wall_s"])
    _set_timer(signal.ITIMER_PROF, limits["call_cpu_s"])  # so it does when the processor's time is over
    observed = attempt.observation()
    _set_timer(signal.ITIMER_PROF, 0)
    if limits["start_s"]:
        _set_timer(signal.ITIMER_REAL, 0)
    is_last = not environment.after() or bool(is_fit and not is_fit())
    is_last |= index + 1 == request.asked["count"] or request.job["apart"]
    observed.update(index=index, last=is_last)
    try:
        request.emit(observed)
    except (messages.TooLarge, ValueError, RecursionError) as error:
        why = f"can't be told: {type(error).__name__}"
        if isinstance(error, messages.TooLarge):
            why = f"takes more than {messages.MAX_FRAME // 2**20} MB to tell"
        request.emit({"index": index, "status": "unreadable", "last": is_last, "detail": f"what it returned {why}"})
    return not is_last


def watch(attempt: Attempt, request: Request, index: int) -> None:
    """Have the attempt watched. One that takes too long sends what was recorded so far, and ends the process.

    It may take four fifths of the time limit: a process that is killed from outside sends nothing. Of the processor's
    time the kernel's own count holds: on a busy machine it may be a third ahead of what was used.
    """
    limits = request.asked["limits"]
    of_call: float = limits["call_cpu_s"]
    seconds: float = 0.8 * min(of_call or limits["wall_s"], limits["cpu_s"])
    deadline = _now() + seconds

    def is_late() -> bool:
        return _get_timer(signal.ITIMER_PROF)[0] < of_call - seconds if of_call else _now() > deadline

    def report_timeout() -> None:
        _set_timer(signal.ITIMER_PROF, 0)
        observed = {"status": "timeout", "detail": f"no result within {seconds:g} s, watched line by line"}
        request.emit({**attempt.surroundings(observed), "index": index, "last": True})
        os._exit(0)

    attempt.watcher = Watcher(request.job["watch"], attempt.candidate.code, is_late, report_timeout)


def warm(most: int = 3) -> None:
    """Evaluate some probes, without a folder, before there is a request.

    A child does so while it waits: in a forked process each page of memory is copied when it is first written to, which
    takes longer than a small case.
    """
    bare = {"module": 0, "setup": "", "call": "", "world": _PLAIN_WORLD, "logs": False}
    plain = {**bare, "after": ["x"], "given": {"x": 1}}
    calls = ({"call": "f(1)"}, {"call": "f('a')"}, {"setup": "y = x", "function": "f", "arguments": ["y"]})
    job = {"watch": "", "apart": False}
    probes = ({**plain, **call} for call in calls)
    request = Request(
        {"count": most + 1, "limits": {"start_s": 0, "call_cpu_s": 0}}, job, probes, Path(os.devnull), messages.frame
    )
    candidate = Candidate("warm", _WARM_UP_SOURCE)
    for index in range(most):
        _answer(request, candidate, ProbeEnvironment(request.folder, 1), index)
    del sys.modules[candidate.name]
