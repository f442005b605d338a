"""`tdgen sandbox …`: what a kind of sandbox needs before it can be used."""

from __future__ import annotations

from typing import Annotated

from typer import Option, Typer

from tdgen.cli.grouping import Command
from tdgen.cli.speaking import give, say

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
    from tdgen.sandbox import build_image

    say(f"building {tag} on {base}", "faint")
    built = build_image(base, tag)
    give(f"{tag} is built: {built}")
    return 0
