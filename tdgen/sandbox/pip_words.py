"""What pip says when it fails, in one line that a user can act on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_NONE_FITS: Final = re.compile(r"satisfies the requirement (.+?) \(from versions: (.*?)\)")
_OFFLINE: Final = ("connection broken by", "NewConnectionError", "Could not fetch URL", "Name or service not known")
_SHOWN: Final = 5


def complaint(stderr: str, wanted: Sequence[str], version: str) -> str:
    """Why these requirements could not be installed for that version of Python, and what to do."""
    asked = f"--allow {', '.join(wanted)}"
    lines = [line.removeprefix("ERROR: ").strip() for line in stderr.splitlines() if line.startswith("ERROR: ")]
    if fits := _NONE_FITS.search(stderr):
        return _no_wheel(fits[1], fits[2], version, is_offline=any(sign in stderr for sign in _OFFLINE))
    if any(sign in stderr for sign in _OFFLINE):
        return f"{asked}: the package index can't be reached: try again with a network, or set PIP_FIND_LINKS"
    if "ResolutionImpossible" in stderr:
        return f"{asked}: these contradict each other, or what they need does: allow other versions"
    said = lines[-1] if lines else (stderr.strip().splitlines() or ["it said nothing"])[-1]
    return f"{asked}: pip can't install it: {said[:300]}"


def _no_wheel(requirement: str, versions: str, version: str, *, is_offline: bool) -> str:
    """No distribution fits: because nobody could be asked, or none has the version, or there is no wheel at all."""
    if is_offline:
        return f"--allow {requirement}: the package index can't be reached: try again with a network"
    there = [name for name in versions.split(", ") if name not in ("", "none")]
    if there:
        return f"--allow {requirement}: there is no such version of it as a wheel for Python {version}; there are " + (
            ", ".join(["…"] * (len(there) > _SHOWN) + there[-_SHOWN:])
        )
    return (
        f"--allow {requirement}: there is no wheel of it for Python {version} on this machine (sources are not built): "
        "is the name right?"
    )
