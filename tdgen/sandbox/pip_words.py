"""What pip says when it fails, in one line that a user can act on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tdgen.errors import InputError, SandboxError, TdgenError

_NONE_FITS: Final = re.compile(r"satisfies the requirement (.+?) \(from versions: (.*?)\)")
_OFFLINE: Final = ("connection broken by", "NewConnectionError", "Could not fetch URL", "Name or service not known")
_SHOWN: Final = 5


def refusal(stderr: str, wanted: Sequence[str], version: str) -> TdgenError:
    """Why these requirements could not be installed for that version of Python, and what to do.

    SandboxError where the package index is out of reach, else InputError.
    """
    asked = f"--allow {', '.join(wanted)}"
    if any(sign in stderr for sign in _OFFLINE):
        return SandboxError(f"{asked}: the package index can't be reached: is there a network?")
    if fits := _NONE_FITS.search(stderr):
        return InputError(_no_wheel(fits[1], fits[2], version))
    if "ResolutionImpossible" in stderr:
        return InputError(f"{asked}: these contradict each other, or what they need does: allow other versions")
    lines = [line.removeprefix("ERROR: ").strip() for line in stderr.splitlines() if line.startswith("ERROR: ")]
    said = lines[-1] if lines else (stderr.strip().splitlines() or ["it said nothing"])[-1]
    return InputError(f"{asked}: pip can't install it: {said[:300]}")


def _no_wheel(requirement: str, versions: str, version: str) -> str:
    """No distribution fits: because none has the version, or there is no wheel at all."""
    there = [name for name in versions.split(", ") if name not in ("", "none")]
    if there:
        shown = ", ".join(["…"] * (len(there) > _SHOWN) + there[-_SHOWN:])
        return f"--allow {requirement}: of that version there is no wheel for Python {version}; there are {shown}"
    return (
        f"--allow {requirement}: there is no wheel of it for Python {version} on Linux (sources are not built): "
        "is the name right?"
    )
