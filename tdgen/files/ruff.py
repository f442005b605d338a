"""The ruff binary: formatting what tdgen writes, and reading generated code without running it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from tdgen.errors import UnreachableError

TIMEOUT_S: Final = 30
DEFAULTS: Final = ("--isolated",)
"""The arguments that have ruff format by its own defaults: 88 columns, double quotes."""
_REMEMBERED: Final = 128
"""A solve formats each of its texts two or three times: this many are those of some that are at work at once."""


class Remark(NamedTuple):
    """One thing ruff found: its rule's code, the line (from 1), and what it says."""

    code: str
    line: int
    message: str


@lru_cache(maxsize=_REMEMBERED)
def format_source(source: str) -> str:
    """`source` formatted by ruff's defaults; formatting twice changes nothing.

    ValueError where it isn't Python. A call costs one short process, once for the same text, and may be made from many
    threads at once.
    """
    done = _run(["format", *DEFAULTS, "--quiet", "-"], source)
    if done.returncode != 0:
        raise ValueError(f"ruff can't format this: {done.stderr.decode(errors='replace').strip()[:300]}")
    return done.stdout.decode()


def format_lines(source: str, first: int, last: int, style: Sequence[str]) -> str:
    """`source` with what stands in these lines, from 1, formatted as `style` says; as it is where that can't be."""
    done = _run(["format", *style, "--quiet", "--no-cache", "--range", f"{first}-{last + 1}", "-"], source)
    return done.stdout.decode() if done.returncode == 0 else source


def style_at(folder: Path) -> tuple[str, ...]:
    """The arguments that have ruff format as the user's own settings for `folder` say, else by its defaults.

    The nearest ruff.toml, .ruff.toml or pyproject.toml counts that has settings of ruff or black in it; in a
    pyproject.toml with both ruff's do. Settings that ruff itself can't use (such as those that require another version
    of it) count as none.
    """
    for style in (_style_in(place) for place in (folder.absolute(), *folder.absolute().parents)):
        if style:
            return style if _run(["format", *style, "-"], "").returncode == 0 else DEFAULTS
    return DEFAULTS


def format_files(sources: Mapping[str, str], style: Sequence[str]) -> dict[str, str]:
    """Python sources by path, formatted in one process as `style` says; what is no Python stays as it is."""
    with tempfile.TemporaryDirectory(prefix="tdgen-ruff-") as scratch:
        paths = {name: Path(scratch, f"{number}.py") for number, name in enumerate(sources)}
        for name, path in paths.items():
            path.write_bytes(sources[name].encode("utf-8", "surrogatepass"))
        _run(["format", *style, "--quiet", "--no-cache", "--no-force-exclude", *map(str, paths.values())], "")
        return {name: path.read_bytes().decode("utf-8", "surrogatepass") for name, path in paths.items()}


def _style_in(folder: Path) -> tuple[str, ...]:
    """The arguments that name the settings in a folder; none where it has none."""
    for name in (".ruff.toml", "ruff.toml"):
        if (folder / name).is_file():
            return ("--config", str(folder / name))
    project = folder / "pyproject.toml"
    try:
        tools = tomllib.loads(project.read_text(encoding="utf-8")).get("tool", {})
    except (OSError, ValueError):
        return ()
    if not isinstance(tools, dict):
        return ()
    if "ruff" in tools:
        return ("--config", str(project))
    return ("--isolated", *_black(tools["black"])) if isinstance(tools.get("black"), dict) else ()


def _black(settings: Mapping[str, Any]) -> Iterator[str]:
    """Black's settings as arguments of ruff's."""
    width = settings.get("line-length")
    if isinstance(width, int) and 1 <= width <= 320:
        yield from ("--config", f"line-length={width}")
    if settings.get("skip-string-normalization") is True:
        yield from ("--config", 'format.quote-style="preserve"')
    if settings.get("skip-magic-trailing-comma") is True:
        yield from ("--config", "format.skip-magic-trailing-comma=true")


def lint(source: str, select: Sequence[str], *, python: str = "") -> tuple[Remark, ...]:
    """What ruff's rules `select` find in `source`; comments that would silence them are not obeyed."""
    target = ["--target-version", "py" + python.replace(".", "")] if python else []
    chosen = ["--select", ",".join(select), "--ignore-noqa", "--output-format", "json", "--stdin-filename", "source.py"]
    done = _run(["check", "--isolated", "--no-cache", "--exit-zero", *target, *chosen, "-"], source)
    try:
        remarks = json.loads(done.stdout)
    except ValueError:
        raise UnreachableError(
            f"ruff does not work here: {done.stderr.decode(errors='replace').strip()[:300]}"
        ) from None
    return tuple(
        Remark(item["code"] or "syntax", item["location"]["row"], " ".join(item["message"].split())) for item in remarks
    )


def ruff() -> str:
    """The path of the ruff that came with this Python, else the one on PATH; UnreachableError where there is none."""
    beside = Path(sys.executable).with_name("ruff")
    program = str(beside) if beside.is_file() else shutil.which("ruff")
    if not program:
        raise UnreachableError("ruff was not found; install it beside tdgen: pip install ruff")
    return program


def _run(arguments: list[str], source: str) -> subprocess.CompletedProcess[bytes]:
    """One short process. Bytes, so that a carriage return inside a literal stays what it is."""
    command = [ruff(), *arguments]
    return subprocess.run(  # noqa: S603 - our own ruff, the source only on its stdin
        command, input=source.encode(), capture_output=True, timeout=TIMEOUT_S, check=False
    )
