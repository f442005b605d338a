"""`--cluster` of commands with many lines, and `tdgen worker`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from typer import Argument, Option

from tdgen.errors import MissingExtra
from tdgen.terminal.output import say

if TYPE_CHECKING:
    from tdgen.cluster import Cluster
    from tdgen.settings import Settings

OnCluster = Annotated[
    str | None,
    Option(
        "--cluster",
        metavar="ADDRESS",
        help="Solve the lines on a dask cluster: tcp://host:8786, or local:N for N processes here.",
        show_default=False,
    ),
]
Scheduler = Annotated[str, Argument(metavar="ADDRESS", help="The scheduler: tcp://host:8786.")]
Threads = Annotated[int, Option("--threads", metavar="N", min=1, max=64, help="Lines at once.")]

_PATHS: Final = ("cache_dir", "script", "transcript")


@contextmanager
def on_cluster(
    address: str | None, settings: Settings, at_once: int | None
) -> Iterator[tuple[Cluster | None, Settings]]:
    """The cluster, where one is named, and the settings as its workers can use them: their paths from the root."""
    if address is None:
        yield None, settings
        return
    try:
        from tdgen.cluster import connected
    except ImportError as error:
        raise MissingExtra("--cluster", "cluster") from error
    paths = {name: str(Path(given).absolute()) for name in _PATHS if (given := getattr(settings, name))}
    settings = settings.changed(**paths)
    with connected(address, settings, at_once or settings.concurrency, partial(say, style="bad")) as cluster:
        yield cluster, settings


def worker(address: Scheduler, *, threads: Threads = 4) -> int:
    """Work for a dask scheduler: solve the lines of `tdgen batch --cluster` and `tdgen eval --cluster`.

    The sandboxes are opened when the first run asks for this worker, with the run's settings, and closed with it. A
    worker that dies is started anew. Ctrl-C ends it when its lines have gone back to the scheduler. Start the scheduler
    by `dask scheduler`.

    \b
    dask scheduler --host 10.0.0.5
    tdgen worker tcp://10.0.0.5:8786 --threads 4
    tdgen batch specs.jsonl -o results --cluster tcp://10.0.0.5:8786

    \b
    Exit codes: 0 ended, 2 bad usage, 4 no scheduler or no sandbox,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    try:
        from tdgen.cluster.worker import work_for
    except ImportError as error:
        raise MissingExtra("tdgen worker", "cluster") from error
    from tdgen.settings import load_settings

    return work_for(address, threads, load_settings({}))
