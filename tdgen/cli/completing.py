"""What a shell is offered at the Tab key: kept solutions' keys, levels, kinds, and the models that were used before.

Only what lies on this machine is looked at, and what goes wrong offers nothing: a shell has no room for an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typer import Context

from tdgen.errors import TdgenError

if TYPE_CHECKING:
    from tdgen.cache import Row

COMPLETE: Final = "_TDGEN_COMPLETE"
"""The variable by which a shell asks."""
MOST: Final = 200
LONGEST: Final = 60

Complete = Callable[..., list[tuple[str, str]]]
"""Called with the context and what was typed of a word; gives words, each with what it stands for."""


def completed(command: Any, instruction: str) -> int:
    """Answer a shell that asks for words (`complete_bash`) or for its script (`source_bash`); the exit code."""
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    completion_init()
    return shell_complete(command, {}, "tdgen", COMPLETE, instruction)


def one_of(*words: str) -> Complete:
    """Always the same words."""
    return lambda incomplete: [(word, "") for word in words if word.startswith(incomplete)]


def keys(ctx: Context, incomplete: str) -> list[tuple[str, str]]:
    """Kept solutions' keys, the newest first, each with its instruction."""
    from tdgen.cli.speaking import one_line
    from tdgen.cli.summary import short

    found = ((short(row.key), one_line(row.instruction, LONGEST)) for row in _rows(ctx))
    return [(key, told) for key, told in found if key.startswith(incomplete)][:MOST]


def keys_and_folders(ctx: Context, incomplete: str) -> list[tuple[str, str]]:
    """Kept solutions' keys, and the folders here that a solution was written to."""
    return keys(ctx, incomplete) + [(name, "folder") for name in _packages() if name.startswith(incomplete)]


def models(ctx: Context, incomplete: str) -> list[tuple[str, str]]:
    """The models that solved something before."""
    names = dict.fromkeys(row.model for row in _rows(ctx) if row.model)
    return [(name, "") for name in names if name.startswith(incomplete)][:MOST]


def _rows(ctx: Context) -> list[Row]:
    from tdgen.runtime import Runtime
    from tdgen.settings import load_settings

    with suppress(TdgenError, OSError):
        runtime = Runtime(load_settings({"cache_dir": ctx.params.get("cache_dir")}))
        try:
            return runtime.solutions.rows()
        finally:
            runtime.close()
    return []


def _packages() -> Iterator[str]:
    with suppress(OSError):
        found = [path.parents[0] for path in Path().glob("*/tdgen.json")]
        found += [path.parents[1] for path in Path().glob("*/.tdgen/record.json")]
        yield from sorted({path.name for path in found})
