"""What the processes of a benchmark take of the processor, while they run: those that wait for work, too."""

from __future__ import annotations

import os
from pathlib import Path


def processor_seconds(*, own: bool = True) -> float:
    """The seconds of what descends from this process, and of what that waited for; of this one too, where it is `own`.

    So what ended as a child of this process counts with its own alone.
    """
    parents: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def is_ours(pid: int) -> bool:
        while pid in parents:
            pid = parents[pid][0]
            if pid == os.getpid():
                return True
        return False

    return sum(spent for pid, (_, spent) in parents.items() if is_ours(pid) or (own and pid == os.getpid()))
