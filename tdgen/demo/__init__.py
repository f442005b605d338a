"""The recorded instructions that `tdgen demo` solves: the real pipeline and sandbox, with answers kept in files.

`script.json` holds what a language model answered to this very instruction, word for word, a wrong first attempt
included. `fullstack/script.json`, of a service and its page, was written by hand for the demo: the service first
answers a number as a text, and the page first sends a name under another key than the contract has.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from tdgen.settings import Budget, Settings


def demo_instruction(*, full_stack: bool = False) -> str:
    """The prose that is solved."""
    return str(_folder(full_stack=full_stack).joinpath("instruction.txt").read_text(encoding="utf-8"))


def demo_settings(cache_dir: str | Path, *, full_stack: bool = False) -> Settings:
    """Settings that answer from the recording, trust level quick, and keep their cache in `cache_dir`.

    The wrong attempt in it is no single edit away from a right one: half a second of searching shows that.
    """
    wanted: dict[str, Any] = {"language": "fullstack", "allow": ("fastapi",)} if full_stack else {}
    return Settings(
        base_url="",
        api_key="",
        script=str(_folder(full_stack=full_stack).joinpath("script.json")),
        trust="quick",
        search_seconds=0.5,
        cache_dir=str(cache_dir),
        budget=Budget(seconds=None),
        **wanted,
    )


def _folder(*, full_stack: bool) -> Any:
    folder = resources.files("tdgen.demo")
    return folder.joinpath("fullstack") if full_stack else folder
