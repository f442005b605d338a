"""Programs that are kept: each is compiled once for a sandbox, however many jobs run it.

It is compiled by a job of its own in which nothing of it runs, so that what this tells of it is the compiler's, and is
found by the hash of all that it is made of: no candidate can put another program in its place. It lies in a folder of
this machine's that candidates see read-only and can't list (`LocalSandbox.kept`), and is gone with the sandbox.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from pathlib import Path
from typing import Final

from tdgen.protocols import Sandbox
from tdgen.types import FileJob, FileReport, Job, Layer, Limits, Observation, Probe, Report
from tdgen.values.decode import decode

MARK: Final = "# program "
"""Begins the last line of what stands for code, which names its program."""
MADE_OF: Final = ("source", "compiler", "flags", "precompiled", "libraries", "suffix", "compiler_mb")
_MOST: Final = 64
"""So many are kept, at some 20 KB in C and 400 in C++: more than a unit has attempts."""
_OPENED: Final = "_driver.opened("


class Building:
    """A sandbox that has the programs of a job's modules compiled before it runs the job, if they are not kept."""

    def __init__(self, sandbox: Sandbox, folder: str) -> None:
        self._sandbox, self._folder = sandbox, Path(folder)
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._kept: dict[str, None] = {}

    def run(self, job: Job) -> Report:
        """The job's report; where its program's compiler does not end, that is what each probe is seen to do."""
        for source in dict.fromkeys(one.source for one in job.others):
            self._keep(source, job.limits)
        if endless := self._keep(job.source, job.limits):
            seen = (endless.model_copy(update={"name": probe.name}) for probe in job.probes)
            return Report(observations=tuple(seen))
        return self._sandbox.run(job)

    def _keep(self, source: str, limits: Limits) -> Observation | None:
        """Have a module's program be kept, if it has one; how the compiler ended, where it did not end by itself."""
        above, _, name = source.rpartition(MARK)
        name = name.strip()
        if not above:
            return None
        with self._locks[name]:
            is_kept = name in self._kept
            if not is_kept:
                text = f"{above.rpartition(_OPENED)[0]}_program = _driver.program(_setup)\n"
                probe = Probe(name="program", call="_program")
                job = Job(module="compiling", source=text, probes=(probe,), limits=limits)
                (seen,) = self._sandbox.run(job).observations
                if seen.status != "returned":
                    return seen
                program, fault, refused = decode(seen.value)
                files = [(name, program, 0o755)] if program else []
                files.append((f"{name}.json", json.dumps([fault, refused]).encode(), 0o644))  # the program is there
                for file, data, mode in files:  # each whole or not at all
                    part = self._folder / f"{file}.part"
                    part.write_bytes(data)
                    part.chmod(mode)
                    part.rename(self._folder / file)
            self._kept.pop(name, None)
            self._kept[name] = None  # the last to go
        for other in list(self._kept)[:-_MOST]:
            self._kept.pop(other, None)
            for old in (self._folder / f"{other}.json", self._folder / other):
                old.unlink(missing_ok=True)
        return None

    def run_files(self, job: FileJob) -> FileReport:
        """As the sandbox does."""
        return self._sandbox.run_files(job)

    def layers(self) -> tuple[Layer, ...]:
        """What the sandbox enforces."""
        return self._sandbox.layers()

    def describe(self) -> str:
        """The sandbox in a line."""
        return self._sandbox.describe()

    def close(self) -> None:
        """Close the sandbox, and with it all that is kept."""
        self._sandbox.close()
