"""`tdgen doctor` and `tdgen sandbox`: whether a solve could run here, and what a kind of sandbox needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option, Typer

from tdgen.cli import options
from tdgen.cli.options import Command
from tdgen.terminal.output import Line, Style, give, give_json, give_lines, one_line, say

if TYPE_CHECKING:
    from tdgen.client.checkup import Checkup, Conformance

NOT_READY = 4

SandboxCheck = Annotated[
    bool, Option("--sandbox-check", help="Run hostile and awkward programs in the sandbox, and nothing else.")
]


@options.settings(options.MODEL, options.SANDBOX, options.CACHE)
def doctor(*, sandbox_check: SandboxCheck = False, json: options.Json = False, flags: dict[str, Any]) -> int:
    """Try the model's endpoint, each kind of sandbox and the cache: what works, and what to do where it does not.

    What a sandbox enforces is found by trying it, layer by layer. The exit code is 0 where a solve could run, else 4.
    With --sandbox-check it is 0 where every hostile program is contained and every awkward one passes, else 4.

    \b
    tdgen doctor
    tdgen doctor --base-url http://localhost:11434/v1 --model qwen3-coder
    tdgen doctor --sandbox-check
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.client.checkup import examine
    from tdgen.settings import load_settings

    settings = load_settings(flags)
    if sandbox_check:
        from tdgen.client.checkup import check_sandbox

        conformance = check_sandbox(settings)
        if json:
            give_json({"passed": conformance.passed, **conformance.model_dump(mode="json")})
        else:
            give_lines(list(_conformance_lines(conformance)))
        return 0 if conformance.passed else NOT_READY
    checkup = examine(settings)
    if json:
        give_json({"ready": checkup.ready, **checkup.model_dump(mode="json")})
    else:
        give_lines(list(_lines(checkup)))
    return 0 if checkup.ready else NOT_READY


def _conformance_lines(conformance: Conformance) -> Iterator[Line]:
    yield Line(one_line(conformance.sandbox), "faint")
    for shortfall in conformance.uncontained:
        yield Line(f"not contained  {shortfall.program}: {one_line(shortfall.why, 300)}", "bad")
    for shortfall in conformance.failing:
        yield Line(f"not passing    {shortfall.program}: {one_line(shortfall.why, 300)}", "bad")
    hostile, awkward = conformance.hostile, conformance.awkward
    contained, passing = hostile - len(conformance.uncontained), awkward - len(conformance.failing)
    counts = f"{contained} of {hostile} hostile programs contained, {passing} of {awkward} awkward ones pass"
    yield Line(f"{counts}, in {conformance.seconds:.1f} s", "good" if conformance.passed else "bad")


def _lines(checkup: Checkup) -> Iterator[Line]:
    for finding in checkup.findings:
        mark = "works" if finding.works else "fails" if finding.needed else "no"
        style: Style = "good" if finding.works else "bad" if finding.needed else "faint"
        yield Line(f"{finding.what:<14} {mark:<7}{one_line(finding.told)}", style)
        for layer in finding.layers:
            detail = f" ({one_line(layer.detail)})" if layer.detail else ""
            yield Line(f"      {'enforced' if layer.enforced else 'not here':<10}{layer.name}{detail}", "faint")
    yield Line("a solve can run" if checkup.ready else "no solve can run yet", "good" if checkup.ready else "bad")


sandbox = Typer(
    name="sandbox",
    rich_markup_mode=None,
    no_args_is_help=True,
)
Base = Annotated[str, Option("--base", metavar="IMAGE", help="An image with a python3 of 3.11 or later.")]
Tag = Annotated[str, Option("--tag", metavar="NAME", help="What to call the image that is made.")]


@sandbox.callback()
def group() -> None:
    """What a kind of sandbox needs before it can be used.

    \b
    tdgen sandbox build
    """  # noqa: D301 - \b keeps the line below it apart


@sandbox.command(cls=Command)
def build(base: Base = "python:3.12-slim", tag: Tag = "tdgen-sandbox") -> int:
    """Make the image that the docker sandbox runs in.

    \b
    tdgen sandbox build
    tdgen sandbox build --base python:3.13-slim
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.sandbox.docker import build_image

    say(f"building {tag} on {base}", "faint")
    built = build_image(base, tag)
    give(f"{tag} is built: {built}")
    return 0
