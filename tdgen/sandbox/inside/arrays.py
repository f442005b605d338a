"""Packages for arrays and tables: imported once for many runs, and before a clock stands still.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys

ARRAYS = {"numpy": 100, "pandas": 80}
"""Packages that take so long to import (0.06 and 0.25 s) that the server does it, and not each run, where they are
allowed; each with the MiB of addresses that are granted for it, some more than it was seen to take (83 and 56)."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Keeps numeric libraries to one thread: else they take memory for each processor that the machine has."""


def import_arrays() -> None:
    """Import what functions of arrays use, as far as it is there. One that can't be imported says so to who does it."""
    os.environ.update(ONE_THREAD)
    for name in ARRAYS:
        with contextlib.suppress(BaseException):
            importlib.import_module(name)


def import_for_children() -> int:
    """Import them with the numbers that they draw new in each child; how many MiB of addresses they take there."""
    import_arrays()
    random = sys.modules.get("numpy.random")
    if random:
        os.register_at_fork(after_in_child=random.seed)
    return sum(size for name, size in ARRAYS.items() if name in sys.modules)
