"""`tdgen doctor`: whether a solve could run here, and what to do where it can't."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tdgen.cli import options
from tdgen.cli.speaking import Line, Style, give_json, give_lines, one_line

if TYPE_CHECKING:
    from tdgen.checkup import Checkup, Finding

NOT_READY = 4


@options.settings(options.MODEL, options.SANDBOX, options.CACHE)
def doctor(*, json: options.Json = False, flags: dict[str, Any]) -> int:
    """Try the model's endpoint, each kind of sandbox and the cache: what works, and what to do where it does not.

    What a sandbox enforces is found by trying it, layer by layer. The exit code is 0 where a solve could run, else 4.

    \b
    tdgen doctor
    tdgen doctor --base-url http://localhost:11434/v1 --model qwen3-coder
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.checkup import examine
    from tdgen.settings import load_settings

    found = examine(load_settings(flags))
    if json:
        give_json({"ready": found.ready, **found.model_dump(mode="json")})
    else:
        give_lines(list(_lines(found)))
    return 0 if found.ready else NOT_READY


def _lines(found: Checkup) -> Iterator[Line]:
    for finding in found.findings:
        yield from _finding_lines(finding)
    yield Line("a solve can run" if found.ready else "no solve can run yet", "good" if found.ready else "bad")


def _finding_lines(finding: Finding) -> Iterator[Line]:
    mark = "works" if finding.works else "fails" if finding.needed else "no"
    style: Style = "good" if finding.works else "bad" if finding.needed else "faint"
    yield Line(f"{finding.what:<15}{mark:<7}{one_line(finding.told)}", style)
    for layer in finding.layers:
        detail = f" ({one_line(layer.detail)})" if layer.detail else ""
        yield Line(f"      {'enforced' if layer.enforced else 'not here':<10}{layer.name}{detail}", "faint")
