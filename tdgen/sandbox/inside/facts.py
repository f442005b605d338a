"""What an interpreter tells of itself, here or on the other side: where it is, what it reads, which wheels fit it.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def facts() -> dict[str, Any]:
    """As plain data. `libc` is the C library as it names itself, empty where that is not glibc."""
    system = os.uname()
    return {
        "program": program(),
        "version": sys.version_info[:3],
        "prefixes": [sys.base_prefix, sys.base_exec_prefix],
        "library": os.path.dirname(os.__file__),  # noqa: PTH120 - pathlib takes longer to load than all else here
        "implementation": sys.implementation.name,
        "abi_flags": sys.abiflags,
        "system": sys.platform,
        "machine": system.machine,
        "libc": _libc(),
        "kernel": f"{system.release} {system.version}",
    }


def program() -> str:
    """The interpreter itself, also where an environment's runs."""
    return getattr(sys, "_base_executable", None) or sys.executable


def _libc() -> str:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, OSError, ValueError):
        return ""


def tell() -> None:
    """Print them as one line of JSON."""
    print(json.dumps(facts()), flush=True)  # noqa: T201 - read on the other side
