"""A job that screens many calls of one version: the program that does it in the sandbox, and what that is given."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from importlib.resources import files
from os.path import commonprefix
from typing import Any, Final, Literal

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB, is_in_module
from tdgen.types import Call, Job, Limits, Probe, data_of
from tdgen.values.encode import encode

Channel = Literal["stderr", "logs"]
SCREENED_S: Final = 20.0
"""Hundreds of calls take a tenth of it on a busy machine; one that hangs where no signal comes ends them all."""
_NAME = re.compile(r"[A-Za-z_]\w*")


def can_be_screened(call: Call) -> bool:
    """Whether its world can be made for one call among others: it has no clock and no seed of its own."""
    return call.world.clock is None and call.world.seed is None


def screening_jobs(
    sources: Sequence[str],
    module: str,
    calls: Sequence[Call],
    limits: Limits,
    start: str,
    channels: Collection[Channel],
) -> Iterator[Job]:
    """For each source the job whose one observation is a list of digests, one for each call.

    `start` names what starts a script.
    """
    given = {
        "module": module,
        "names": _imports([text for call in calls for text in (call.setup, call.expression)]),
        "seconds": limits.call_cpu_s or limits.wall_s,
        "waited": limits.wall_s,
        "channels": sorted(channels),
        "calls": _told(calls, module, start),
    }
    wire = {name: encode(value) for name, value in given.items()}
    return (_job("screened", {"source": encode(source), **wire}, limits, SCREENED_S) for source in sources)


def parting_job(
    sources: Sequence[str], module: str, calls: Sequence[Call], limits: Limits, most: int, seconds: float
) -> Job:
    """The job whose one observation is a list with an item for each source after the first: on which calls it parts.

    Of each the first `most` places are told; what is not reached within so many seconds is None.
    """
    begins = commonprefix(list(sources))  # noqa: RUF071 - of texts, character by character
    left = [source[len(begins) :] for source in sources]
    ends = commonprefix([source[::-1] for source in left])[::-1]  # noqa: RUF071
    given = {
        "begins": begins,
        "parts": [source[: len(source) - len(ends)] for source in left],
        "ends": ends,
        "module": module,
        "names": _imports([text for call in calls for text in (call.setup, call.expression)]),
        "seconds": limits.call_cpu_s or limits.wall_s,
        "waited": limits.wall_s,
        "calls": _told(calls, module, ""),
        "most": most,
        "all_seconds": seconds,
    }
    wire = {name: encode(value) for name, value in given.items()}
    return _job("parted", wire, limits, seconds + SCREENED_S)


def _job(function: str, given: dict[str, Any], limits: Limits, seconds: float) -> Job:
    probe = Probe(name=function, call=f"{function}({', '.join(given)})", given=given)
    program = files(__package__).joinpath("screening.py").read_text("utf-8")
    limits = limits.model_copy(update={"wall_s": seconds, "call_cpu_s": 0.0})
    return Job(module="screening", source=program, probes=(probe,), limits=limits)


def _told(calls: Sequence[Call], module: str, start: str) -> str:
    """The calls as JSON: to encode hundreds of them value by value, and rebuild them there, takes as long as a run.

    Bytes are text of Latin-1; a script's call is one of what starts it.
    """
    plain = []
    for call in calls:
        world = call.world
        is_script = world.script is not None
        plain.append(
            {
                "setup": call.setup,
                "function": call.function,
                "arguments": list(call.arguments),
                "call": f"{start}()" if is_script else call.call.strip(),
                "files": {path: data_of(text).decode("latin-1") for path, text in world.files.items()},
                "environment": dict(world.environment),
                "stdin": data_of(world.stdin or "").decode("latin-1"),
                "words": [f"{module}.py", *(world.script or ())] if is_script else [""],
            }
        )
    return json.dumps(plain, ensure_ascii=False)


def _imports(sources: Sequence[str]) -> str:
    """What imports the well-known names that sources have: as a module where something of it is named."""
    whole, lines = "\n".join(sources), []
    for name in dict.fromkeys(_NAME.findall(whole)):
        if name in KNOWN_NAMES and not any(is_in_module(name, part) for part in re.findall(rf"\b{name}\.(\w+)", whole)):
            lines.append(f"from {KNOWN_NAMES[name]} import {name}")
        elif name in STDLIB or name in PACKAGES:
            lines.append(f"import {PACKAGES.get(name, name)} as {name}")
    return "".join(f"try:\n    {line}\nexcept ImportError:\n    pass\n" for line in lines)
