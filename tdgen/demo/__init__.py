"""The recorded instruction that `tdgen demo` solves: the real pipeline and sandbox, with answers kept in a file.

`script.json` holds what a language model answered to this very instruction, word for word, a wrong first attempt
included.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from tdgen.settings import Budget, Settings


def demo_instruction() -> str:
    """The prose that was given to the model."""
    return resources.files("tdgen.demo").joinpath("instruction.txt").read_text(encoding="utf-8")


def demo_settings(cache_dir: str | Path) -> Settings:
    """Settings that answer from the recording, trust level quick, and keep their cache in `cache_dir`.

    The wrong attempt in it is no single edit away from a right one: half a second of searching shows that.
    """
    return Settings(
        base_url="",
        api_key="",
        script=str(resources.files("tdgen.demo").joinpath("script.json")),
        trust="quick",
        search_seconds=0.5,
        cache_dir=str(cache_dir),
        budget=Budget(seconds=None),
    )
