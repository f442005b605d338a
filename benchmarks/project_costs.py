"""What a case costs in a project beside the same without one, in processor time, side by side."""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tables import table

from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.local import LocalSandbox
from tdgen.types import Job, Probe

ORDERS = """from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    cents: int
    count: int = 1


@dataclass
class Order:
    lines: list[Line] = field(default_factory=list)
"""
GROSS = "def gross(order: Order) -> int:\n    return sum(line.cents * line.count for line in order.lines)\n"
KEPT = "import logging\n\nlogging.root.addHandler(logging.NullHandler())\n"
"""What has each case be evaluated in a copy: an import that adds something elsewhere each time."""
FILES = {"__init__": "", "orders": ORDERS, "kept": KEPT, "prices": "", "handled": ""}
FEW, MANY, ROUNDS = 10, 110, 7
CALL = "gross(Order([Line(3), Line(4, 2)]))"


class Way(NamedTuple):
    """A module to evaluate cases on, in the project or without it."""

    name: str
    module: str
    source: str


WAYS = (
    Way("without a project", "prices", f"{ORDERS}\n\n{GROSS}"),
    Way("in a project", "shop.prices", f"from shop.orders import Line, Order\n\n\n{GROSS}"),
    Way(
        "in a project, by copies",
        "shop.handled",
        f"from shop import kept\nfrom shop.orders import Line, Order\n\n\n{GROSS}",
    ),
)


def processor_s(way: Way, number: int, root: Path) -> float:
    """The processor seconds of two jobs of so many cases, with all that it takes to begin and to end."""
    shown = Mounted(root=str(root), imports=(str(root),)) if "." in way.module else None
    job = Job(
        module=way.module,
        source=way.source,
        probes=tuple(Probe(name=str(place), call=CALL) for place in range(number)),
    )
    began = _used_s()
    with LocalSandbox(mounted=shown) as sandbox:
        for _ in range(2):
            if sandbox.run(job).observations[-1].status != "returned":
                sys.exit(f"{way.name}: a case could not be evaluated")
        launcher = {server._launcher for server in sandbox._pool._idle}  # noqa: SLF001 - what ended counts once it is buried
    time.sleep(0.2)
    launcher.clear()
    return _used_s() - began


def _used_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def project_costs() -> None:
    """Print the table."""
    cases: dict[Way, list[float]] = {way: [] for way in WAYS}
    jobs: dict[Way, list[float]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory(prefix="tdgen-costs-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        (root / "shop").mkdir()
        for name, text in FILES.items():
            (root / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
        for _ in range(ROUNDS):
            for way in WAYS:
                few, many = (processor_s(way, number, root) for number in (FEW, MANY))
                cases[way].append((many - few) / (2 * (MANY - FEW)))
                jobs[way].append(few)
    base = statistics.median(cases[WAYS[0]])
    rows = []
    for way in WAYS:
        case = statistics.median(cases[way])
        rows.append((way.name, 1000 * case, case / base, 1000 * statistics.median(jobs[way])))
    table(
        f"A case, medians of {ROUNDS} rounds, processor ms",
        ("", "each further case", "times", f"sandbox and two jobs of {FEW}"),
        rows,
    )
