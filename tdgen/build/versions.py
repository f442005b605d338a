"""Many versions of one function on the same calls: what search and analysis live on.

A version is defined anew in a probe's setup, over the module that it belongs to. The versions of one candidate share a
process, so what is found here only tells them apart, and never grants green: whatever comes of it is judged as any
other attempt. An edit often makes a loop endless, and to kill a process for it costs a hundred times
what counting costs: so the versions count their rounds and give up by themselves. What never comes to a loop or a
function of the source's own (a call into the library) is not bounded by this. How long a limit case may take is stated
for a known machine, and calibrated on this one.

A search ends by its runs where these are quick, so that a busy machine finds the same; else by the clock. What it comes
to decides what is asked of the model: by the clock a machine under load would ask less and trust more.
"""

from __future__ import annotations

import ast
import math
import textwrap
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from tdgen.judge import Expected, Oracle, agree, call_probe, candidate_probe
from tdgen.protocols import Sandbox
from tdgen.source.syntax import docstring_of, first_line, parse, walk
from tdgen.types import Call, Case, FunctionSpec, Job, Limits, Module, Observation, Probe
from tdgen.values.decode import decode

if TYPE_CHECKING:
    from tdgen.build.screening_job import Channel


LIMIT_S = 2.0
"""What a limit case may take on a machine that needs REFERENCE_S for the yardstick. Not tuned."""

REFERENCE_S = 0.05
YARDSTICK = "sum(number * number % 7 for number in range(500_000))"
SLOWEST = 10.0
"""What the yardstick takes on the machine on which `LIMIT_S` was chosen, and how much slower a machine is believed
to be at most: runs that are counted are ended by the clock after so many times their seconds. Not tuned."""


def limit_seconds(sandbox: Sandbox, module: str) -> float:
    """The seconds that a limit case may take, by how long a yardstick of pure Python takes here.

    The faster of two runs counts; a machine is never taken for more than SLOWEST times slower than the known one, nor
    for faster.
    """
    job = Job(module=module, source="", probes=(Probe(name="yardstick", call=YARDSTICK),), limits=Limits(wall_s=10.0))
    seconds = []
    for _ in range(2):
        began = time.monotonic()
        sandbox.run(job)
        seconds.append(time.monotonic() - began)
    return LIMIT_S * min(max(min(seconds) / REFERENCE_S, 1.0), SLOWEST)


MOST_PROBES = 150
RESTRAINED = 10
"""How many calls one job holds, and by what the bound of rounds is multiplied where a version that is right does not
keep it. Not tuned."""

_START = "_start_"
_HEADER = "from __future__ import annotations\n"


class VersionCall(NamedTuple):
    """One version on one call."""

    version: str
    call: Call


class VersionRunner:
    """Tries versions of a function inside `module`, the source that it belongs to.

    No version may take more than `rounds` rounds of its loops (0: however many). Where `place` is given, it has for
    each of some versions the module that it is run in, as versions are that can't be defined over another: none of
    these counts its rounds.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        oracle: Oracle,
        spec: FunctionSpec,
        module: str,
        limits: Limits,
        place: Callable[[Sequence[str]], Sequence[str]] | None = None,
    ) -> None:
        self.rounds = 0 if place else ROUNDS
        self._place = place
        self._sandbox = sandbox
        self._oracle = oracle
        self._spec = spec
        self._module = module
        self._limits = limits
        self._modules: dict[tuple[str, int], str] = {}

    def within(self, rounds: int) -> VersionRunner:
        """The same with another bound on rounds."""
        other = copy(self)
        other.rounds = rounds
        return other

    def fitted(
        self, version: str, cases: Sequence[Case], expected: Mapping[str, Expected]
    ) -> tuple[VersionRunner, float]:
        """The same with a bound that a version which is right keeps, and the seconds of its calls, all together.

        What takes more rounds than can be counted at little cost may take however many.
        """
        seconds = 0.0
        for rounds in (self.rounds, RESTRAINED * self.rounds):
            runner = self.within(rounds)
            passes, seconds = runner.passes_all(version, cases, expected)
            if passes:
                return runner, seconds
        return self.within(0), seconds

    def passes_all(self, version: str, cases: Sequence[Case], expected: Mapping[str, Expected]) -> tuple[bool, float]:
        """Whether one version passes all `cases`, and the seconds of its calls, all together."""
        rounds = [0 if case.kind == "limit" else self.rounds for case in cases]  # a limit case may take any number
        observations = self._run(*self._of_versions(map(candidate_probe, cases), [version] * len(cases), rounds))
        verdicts = self._oracle.verdicts(self._spec, cases, observations, expected)
        return all(verdict.passed for verdict in verdicts), sum(one.seconds for one in observations)

    def passing(self, versions: Sequence[str], case: Case, expected: Expected) -> list[bool | None]:
        """For each version whether it passes `case`; None where it could not be run, which says nothing of it."""
        passes: list[bool | None] = []
        for start in range(0, len(versions), MOST_PROBES):
            some = versions[start : start + MOST_PROBES]
            cases = [case.model_copy(update={"name": str(place)}) for place in range(len(some))]
            rounds = [0 if case.kind == "limit" else self.rounds] * len(some)
            probes, others = self._of_versions(map(candidate_probe, cases), some, rounds)
            wanted = {c.name: expected for c in cases}
            observations = self._run(probes, others)
            verdicts = self._oracle.verdicts(self._spec, cases, observations, wanted)
            passes += [v.passed if one.is_evidence else None for v, one in zip(verdicts, observations, strict=True)]
        return passes

    def _of_versions(
        self, probes: Iterable[Probe], versions: Sequence[str], rounds: Sequence[int]
    ) -> tuple[list[Probe], Sequence[Module]]:
        """The probes, each of a version that may take so many rounds, and the modules that these have of their own."""
        if not self._place:
            pairs = list(zip(versions, rounds, strict=True))
            limited = {
                pair: f"{_HEADER}{step_limited(*pair) if pair[1] else pair[0]}\n" for pair in dict.fromkeys(pairs)
            }
            tried = zip(probes, pairs, strict=True)
            return [probe.model_copy(update={"setup": f"{limited[pair]}{probe.setup}"}) for probe, pair in tried], ()
        different = list(dict.fromkeys(versions))
        numbers = (1 + different.index(version) for version in versions)
        placed = [probe.model_copy(update={"module": n}) for probe, n in zip(probes, numbers, strict=True)]
        name, public = self._oracle.module, self._oracle.public
        return placed, [Module(name=name, source=source, public=public) for source in self._place(different)]

    def observed(self, tried: Sequence[VersionCall], *, logs: bool = False) -> list[Observation]:
        """What each one is seen to do, in their order."""
        asked = [call_probe(str(n), t.call).model_copy(update={"logs": logs}) for n, t in enumerate(tried)]
        probes, others = self._of_versions(asked, [t.version for t in tried], [self.rounds] * len(tried))
        parts = (probes[start : start + MOST_PROBES] for start in range(0, len(probes), MOST_PROBES))
        return [observation for some in parts for observation in self._run(some, others)]

    def parted(
        self, source: str, versions: Sequence[str], calls: Sequence[Call], *, most: int, seconds: float
    ) -> list[list[int] | None]:
        """For each version the places of the first `most` calls on which it seems to part from `source`.

        As in `likely`, that is no evidence. None for what can't be run, and what is not looked at within so many
        seconds. Where one of them ends the process that they share, each half of them has one.
        """
        from tdgen.build.screening_job import can_be_screened, parting_job
        from tdgen.values.encode import Unencodable

        fast = [place for place, call in enumerate(calls) if can_be_screened(call)]
        sources = self._place([source, *versions]) if self._place else [source, *versions]
        some = [calls[place] for place in fast]
        observation = None
        with suppress(Unencodable):  # more text than one job may hold: each half of them has a job
            job = parting_job(sources, self._oracle.module, some, self._limits, most, seconds)
            observation = self._sandbox.run(job).observations[0] if versions else None
        if observation is None or observation.status != "returned":
            if len(versions) <= 1:
                return [None] * len(versions)
            half = len(versions) // 2
            parts = versions[:half], versions[half:]
            return [one for part in parts for one in self.parted(source, part, calls, most=most, seconds=seconds / 2)]
        rows: Any = decode(observation.value)
        return [None if row is None else [fast[place] for place in row] for row in rows]

    def likely(
        self, versions: Sequence[str], calls: Sequence[Call], *, channels: Collection[Channel] = ()
    ) -> list[int]:
        """The places of the calls on which the versions seem to part: seen fast, and no evidence of anything.

        All of them where that can't be seen; none that come after those on which a version took too long too often.
        `channels` are those that count beside what a call comes to.
        """
        from tdgen.build.screening_job import can_be_screened, screening_jobs

        fast = [place for place, call in enumerate(calls) if can_be_screened(call)]
        some = [calls[place] for place in fast]
        rows, placed = [], [self._placed(version) for version in versions]
        for job in screening_jobs(placed, self._oracle.module, some, self._limits, _START, channels):
            observation = self._sandbox.run(job).observations[0]
            rows.append(decode(observation.value) if observation.status == "returned" else [])
        if fast and not all(rows):
            return list(range(len(calls)))
        compared = list(zip(fast, *rows, strict=False))  # fewer where calls of one took too long
        picked = {place for place, *row in compared if len(set(row)) > 1}
        return [place for place in range(len(calls)) if place in picked or place not in fast]

    def rows(self, versions: Sequence[str], calls: Sequence[Call], *, logs: bool = False) -> list[list[Observation]]:
        """What each version is seen to do on all the calls: few versions on many calls, each version compiled once.

        A script runs in a process that runs others too: many times as fast as by itself.
        """
        probes = [
            self._quick(call_probe(str(n), call)).model_copy(update={"logs": logs}) for n, call in enumerate(calls)
        ]
        return [self._run(probes, module=self._placed(version)) for version in versions]

    def _quick(self, probe: Probe) -> Probe:
        """A script's probe as a call of what starts it; any other as it is."""
        words = probe.world.script
        if words is None:
            return probe
        setup = f"import sys\nsys.argv[:] = {[f'{self._oracle.module}.py', *words]!r}\n{probe.setup}"
        world = probe.world.model_copy(update={"script": None})
        return probe.model_copy(update={"world": world, "setup": setup, "call": f"{_START}()"})

    def _placed(self, version: str) -> str:
        """The module with a version in the place of its own, and with what starts it as a script as a function."""
        if self._place:
            return self._place([version])[0]
        key = (version, self.rounds)
        if key not in self._modules:
            tree = parse(self._module)
            *others, last = tree.body
            start = ""
            if isinstance(last, ast.If) and "__name__" in ast.unparse(last.test):
                tree.body = others
                start = f"def {_START}():\n{textwrap.indent(ast.unparse(ast.Module(last.body, [])), '    ')}\n"
            limited = step_limited(version, self.rounds) if self.rounds else version
            self._modules[key] = f"{ast.unparse(tree)}\n{limited}\n{start}"
        return self._modules[key]

    def same(self, one: Observation, other: Observation, call: Call) -> bool:
        """Whether two versions did the same on `call`, as far as both were run: else nothing tells them apart."""
        return not (one.is_evidence and other.is_evidence) or agree(one, other, call, self._spec)

    def same_code(self, source: str, versions: Sequence[str]) -> frozenset[int]:
        """The places of the versions whose byte code is that of `source`, or of an earlier version.

        None of them where that can't be found out.
        """
        from tdgen.values.encode import encode

        program = files(__package__).joinpath("digesting.py").read_text("utf-8")
        probe = Probe(name="computed", call="digests(texts)", given={"texts": encode([source, *versions])})
        job = Job(module="computed", source=program, probes=(probe,), limits=self._limits)
        observation = self._sandbox.run(job).observations[0]
        digests: Any = decode(observation.value) if observation.status == "returned" else None
        if not isinstance(digests, list) or len(digests) != len(versions) + 1:
            return frozenset()
        return frozenset(n for n, one in enumerate(digests[1:]) if one and one in digests[: n + 1])

    def _run(self, probes: Sequence[Probe], others: Sequence[Module] = (), *, module: str = "") -> list[Observation]:
        """What is seen of each; those that others left no room for are run once more among themselves."""
        job = Job(
            module=self._oracle.module,
            source=module or self._module,
            probes=tuple(probes),
            others=tuple(others),
            limits=self._limits,
            public=self._oracle.public,
        )
        observations = list(self._sandbox.run(job).observations)
        left = [place for place, one in enumerate(observations) if not one.is_evidence]
        if left:
            again = job.model_copy(update={"probes": tuple(probes[place] for place in left)})
            for place, one in zip(left, self._sandbox.run(again).observations, strict=True):
                observations[place] = one
        return observations


PACED = 9
"""By the quickest of so many cases it is told how long a call takes: others may have waited for a busy machine, and the
first ones in a program of another language take ten times as long (`bench_languages.py live`: with three of them, two
of four tasks were asked other questions on a busy machine)."""
RUNS_EACH_SECOND = 1_500
"""So many runs of a version on a call count as a second: about what an idle machine makes of them. Searches for patches
come to the same at a tenth of it and at three times as many (docs/benchmarks.md)."""
QUICK_S = 3 / RUNS_EACH_SECOND
"""A call that takes no longer is counted: by the clock it may take three times what its run counts for, so that the
clock, at `SLOWEST` times, still ends no search before its runs do on a machine three times as slow. Not tuned."""


def call_seconds(runner: VersionRunner, source: str, cases: Sequence[Case]) -> float:
    """How long a call of `source` takes, by the quickest of a few cases; 0 where there is none, inf where none ends."""
    observations = runner.observed([VersionCall(source, case.done) for case in cases[:PACED]])
    ended = (one.seconds for one in observations if one.status in ("returned", "raised"))  # others tell no time
    return min(ended, default=math.inf if cases else 0.0)


BUSY = 3.0
"""A comparison by the clock that may wait for a busy machine is ended after so many times its seconds, at the latest.
In replays of a script (`weak-4` of `benchmarks/live-logs`) at a load of 20 on two processors, code and reading were
seen to part in two of four with 3, in two of four with 5, and in none of four with 1; idle, both with 1 and with 3.
"""


def search_limit(
    runner: VersionRunner, source: str, cases: Sequence[Case], seconds: float, *, can_count: bool, longest: float = 1.0
) -> SearchLimit:
    """A search's end: counted runs where these can be counted and a call of `source` is quick, else the clock."""
    is_counted = can_count and call_seconds(runner, source, cases) <= QUICK_S
    return SearchLimit(seconds, is_counted=is_counted, longest=longest)


class SearchLimit:
    """What a search may still do: so many runs where `is_counted`, else so many `seconds` of runs from now on.

    By the clock each run is taken to last as long as those did that were counted together and were the quickest: what
    others took longer, a busy machine may have taken. The clock ends all at `longest` times the seconds.
    """

    def __init__(self, seconds: float, *, is_counted: bool, longest: float = 1.0) -> None:
        self.is_counted = is_counted
        self._seconds, self._runs, self._used = seconds, 0, 0.0
        self._each = math.inf
        self._last = time.monotonic()
        self._until = self._last + (SLOWEST if is_counted else longest) * seconds

    @property
    def seconds(self) -> float:
        """The seconds that are left, or that the runs which are left count for."""
        return max(0.0, min(self._until - time.monotonic(), self._seconds - self._used))

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self.seconds <= 0

    def count(self, runs: int) -> None:
        """So many runs were made since runs were counted last."""
        self._runs += runs
        if self.is_counted:
            self._used = self._runs / RUNS_EACH_SECOND
        elif runs:
            now = time.monotonic()
            self._each = min(self._each, (now - self._last) / runs)
            self._used, self._last = self._runs * self._each, now


ROUNDS = 30_000
_TICK = "_tick_()"
_PROLOGUE = """class _Endless_(BaseException):
    pass


def _tick_(_left=iter(range(%d)), _next=next, _error=_Endless_):
    if _next(_left, None) is None:
        raise _error()


"""
_BODIES = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)


def step_limited(source: str, rounds: int = ROUNDS) -> str:
    """`source` with a count in each loop and function: beyond so many rounds of them all it raises a BaseException.

    SyntaxError where it does not parse.
    """
    lines = [line.encode("utf-8") for line in source.split("\n")]
    places = []  # of what each body begins with, docstrings left where they are: line, and column in bytes
    for node in walk(parse(source)):
        if isinstance(node, _BODIES):
            first = node.body[1] if docstring_of(node) and len(node.body) > 1 else node.body[0]
            places.append((first_line(first), first.col_offset))
    for line, column in sorted(places, reverse=True):
        text = lines[line - 1]
        indent = text[:column]
        if indent.strip():  # it follows a colon on its line, so that it is simple
            lines[line - 1] = indent + f"{_TICK}; ".encode() + text[column:]
        else:
            lines.insert(line - 1, indent + _TICK.encode())
    return _PROLOGUE % rounds + b"\n".join(lines).decode("utf-8")
