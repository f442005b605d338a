"""What is observed of a server's children: a job of probes, and which layers of the sandbox are in force there.

What a probe gives is hostile data until it was checked here. Layers are known by name; some of them must be enforced.
"""

from __future__ import annotations

import json
import signal
from typing import Any, Self

from pydantic import ValidationError

from tdgen.sandbox.inside import scratch
from tdgen.sandbox.inside.messages import Order
from tdgen.sandbox.server import NOTHING, Allowance, Ending, Opened, Server, ServerLost, converse
from tdgen.types import Job, Layer, Limits, Observation, Probe


class Evaluation:
    """One job's observations so far, in order, and how the children ended that made them."""

    def __init__(self, job: Job) -> None:
        self._job = job
        # by json, in ASCII: pydantic's own JSON refuses the lone surrogates that a candidate may have returned
        probes = (probe.model_dump(mode="python", exclude={"name"}) for probe in job.probes)
        self._texts = tuple(json.dumps(probe).encode("ascii") for probe in probes)
        self._allowance = Allowance()
        self._start, self._child_is_done = 0, False
        self.observations: list[Observation] = []
        self.endings: list[Ending] = []

    def completed(self, server: Server) -> Self:
        """Itself, once children have observed every probe; each of them observes at least one.

        Where the job stops early, a probe whose child had to be given up is the last that is run.
        """
        probes, limits = self._job.probes, self._job.limits
        while len(self.observations) < len(probes):
            self._start, self._child_is_done = len(self.observations), False
            ending = converse(
                server,
                self._order(),
                self._accept,
                self._allowance,
                wall_s=limits.wall_s + limits.start_s,
                restart=True,
                is_done=lambda: self._child_is_done,
            )
            self.endings.append(ending)
            if not self._child_is_done:
                self.observations.append(failure(probes[len(self.observations)], ending, limits))
                if self._job.stop_early:
                    rest = probes[len(self.observations) :]
                    detail = "the job ended at an earlier probe"
                    self.observations += [Observation(name=one.name, status="not_run", detail=detail) for one in rest]
        return self

    def _order(self) -> Order:
        """What a child is to do from `start` on. Of each probe it learns when that is due or at once; of no name."""
        job, start = self._job, self._start
        request = {"start": start, "count": len(job.probes), "limits": job.limits.model_dump(), "at_once": job.at_once}
        content = job.model_dump(
            include={"module", "source", "watch", "public", "warnings_as_errors", "overlay", "others"}
        )
        worlds = [probe.world for probe in job.probes]
        content |= {"apart": any(w.script is not None for w in worlds), "clocked": any(w.clock for w in worlds)}
        return Order(request, json.dumps(content).encode("ascii"), self._texts[start:])

    def _accept(self, content: dict[str, Any]) -> bool:
        """Take one frame: it must be the next probe's, and nothing may follow one that calls itself the last.

        A probe that found no place in a child that had run others is left to the next child.
        """
        place, probes = len(self.observations), self._job.probes
        if self._child_is_done or content.get("index") != place:
            return False
        observed = observation(probes[place], content, self._job.limits)
        self._child_is_done = content.get("last") is True or place + 1 == len(probes)
        if observed.is_evidence or place == self._start or not self._child_is_done:
            self.observations.append(observed)
        return True


_LONGEST_DETAIL = 1000  # characters; a judgement
_WIRES = frozenset({"value", "mutated", "after"})
_OF_FRAME = frozenset(Observation.model_fields) - {"name"}


def observation(probe: Probe, content: dict[str, Any], limits: Limits) -> Observation:
    """What a frame says of `probe`; `unreadable` where it is no frame that the inside would make."""
    if not _is_within(content, limits.output_kb * 1024):
        return _nonsense(probe)
    try:
        fields = {name: printable(value) for name, value in content.items() if name in _OF_FRAME - _WIRES}
        fields |= {name: content[name] for name in _WIRES & content.keys()}
        return Observation(name=probe.name, **fields)
    except (ValidationError, RecursionError):
        return _nonsense(probe)


def _is_within(content: dict[str, Any], room: int) -> bool:
    """Whether a frame holds no more than the inside would put there: of output `room` characters for each kind."""
    files = content.get("files")
    held = files.values() if isinstance(files, dict) else ()
    texts = [content.get("stdout"), content.get("stderr")]
    texts += [one.get("base64") if isinstance(one, dict) else one for one in held]
    logs = content.get("logs")
    records = [record for record in logs if isinstance(record, list)] if isinstance(logs, list) else []
    texts += [text for record in records for text in record]
    sizes = [len(text) for text in texts if isinstance(text, str)]
    detail = content.get("detail")
    return (
        all(size <= room for size in sizes)
        and sum(sizes) <= 4 * room
        and (not isinstance(files, dict) or len(files) <= scratch.MAX_FILES)
        and (not isinstance(detail, str) or len(detail) <= _LONGEST_DETAIL)
    )


def _nonsense(probe: Probe) -> Observation:
    return Observation(name=probe.name, status="unreadable", detail="the candidate's process told nonsense")


def printable(value: Any) -> Any:
    """`value` with lone surrogates escaped in every text, so that any file can take it."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {printable(key): printable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [printable(inner) for inner in value]
    return value


def failure(probe: Probe, ending: Ending, limits: Limits) -> Observation:
    """What is said of a probe whose frame never came."""
    if ending.fault == "garbled":
        return _nonsense(probe)
    if ending.fault == "no room":
        return Observation(name=probe.name, status="not_run", detail="the probes before it told too much for one job")
    is_late = limits.start_s and ending.signal == signal.SIGALRM  # by its own clock: see `tdgen.sandbox.inside.probes`
    if ending.fault == "timeout" or is_late:
        seconds = limits.wall_s if is_late else limits.wall_s + limits.start_s
        return Observation(name=probe.name, status="timeout", detail=f"no result within {seconds:g} s")
    is_spent = ending.signal == signal.SIGXCPU or (ending.signal == 9 and ending.used.cpu_s >= limits.cpu_s)
    if used_up := limits.cpu_s if is_spent else limits.call_cpu_s if ending.signal == signal.SIGPROF else 0.0:
        return Observation(name=probe.name, status="timeout", detail=f"more than {used_up:g} s of CPU time")
    detail = ending.manner
    if ending.signal == 9:
        detail += ", probably for the memory it took"
    return Observation(name=probe.name, status="died", detail=detail)


def denials(observations: list[Observation]) -> tuple[str, ...]:
    """What the sandbox refused, as far as an exception tells: the message and the line that met it."""
    refusals = []
    for observed in observations:
        raised = observed.raised
        if raised is None or "builtins.PermissionError" not in raised.types:
            continue
        where = f" at `{raised.frames[-1].text}`" if raised.frames else ""
        refusals.append(f"{raised.message}{where}")
    return tuple(dict.fromkeys(refusals))


LAYERS = (
    "seccomp",
    "Landlock",
    "mount namespace",
    "rlimits",
    "no_new_privs",
    "capabilities",
    "unprivileged user",
    "user namespace",
    "pid namespace",
    "network namespace",
    "ipc namespace",
    "uts namespace",
)
_ALWAYS = ("seccomp", "rlimits", "no_new_privs", "unprivileged user")
_EITHER = ("Landlock", "mount namespace")
_PROBE_S = 5.0  # a judgement: the probe of the layers takes milliseconds

_LAYERS_ORDER = Order({"limits": Limits().model_dump(), "layers": True}, b"{}")


def enforced_layers(server: Server, names: tuple[str, ...] = LAYERS) -> tuple[Layer, ...]:
    """Try in a confined child what it can't do, and tell layer by layer which of `names` are in force."""
    answers: list[dict[str, Any]] = []

    def accept(content: dict[str, Any]) -> bool:
        answers.append(content)
        return len(answers) == 1

    converse(server, _LAYERS_ORDER, accept, Allowance(), wall_s=_PROBE_S, restart=False)
    if not answers:
        raise ServerLost("the probe of the layers told nothing")
    details = {**server.enforced, **answers[0]}
    return tuple(
        Layer(name=name, enforced=name in details, detail=printable(str(details.get(name, "")))) for name in names
    )


def missing_layers(layers: tuple[Layer, ...]) -> tuple[str, ...]:
    """What is lacking of the least that there must be; empty where it is enough."""
    enforced = {layer.name for layer in layers if layer.enforced}
    lacking = [name for name in _ALWAYS if name not in enforced]
    if not enforced.intersection(_EITHER):
        lacking.append(" or ".join(_EITHER))
    return tuple(lacking)


def described(kind: str, layers: tuple[Layer, ...], opened: Opened = NOTHING) -> str:
    """One line such as `local: seccomp, Landlock ABI 7, mount namespace, rlimits, …, uid 65534; network off`."""
    enforced = {layer.name: layer.detail for layer in layers if layer.enforced}
    if not enforced:
        return f"{kind}: nothing is enforced"
    short = {"Landlock": f"Landlock {enforced.get('Landlock', '')}", "capabilities": "no capabilities"}
    short["unprivileged user"] = enforced.get("unprivileged user", "")
    names = ", ".join(short.get(name, name) for name in enforced)
    network = str(opened) if "seccomp" in enforced or "network namespace" in enforced else "network open"
    return f"{kind}: {names}; {network}"
