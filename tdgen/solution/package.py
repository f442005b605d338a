"""A solution as the files of a folder: laid out, formatted by the user's settings, written with its record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from tdgen.errors import InputError
from tdgen.ruff import DEFAULTS, format_files, style_at
from tdgen.saving import RECORD, Place, Record
from tdgen.solution.layouts import DISPENSABLE, Layout, importable, is_users, laid_out, layout_for, layout_named
from tdgen.solution.readme import readme as readme_text
from tdgen.solution.stored import same_but_for_time, stored
from tdgen.types.record import SolutionRecord


def package_files(
    solution: SolutionRecord, layout: Layout, *, readme: bool = False, style: tuple[str, ...] = DEFAULTS
) -> dict[str, str]:
    """The files by their paths, formatted; the user's own tests and what is no Python stay as they are."""
    files = laid_out(solution, layout_named(layout) or "package")
    own = {name for name in files if is_users(name)}
    formatted = format_files({name: text for name, text in files.items() if name not in own}, style)
    return files | formatted | ({"README.md": readme_text(solution)} if readme else {})


def write_package(
    solution: SolutionRecord, place: Place, layout: Layout | None = None, *, readme: bool = False
) -> list[str]:
    """Write the files and the record, and give the files' paths; InputError where something would be lost.

    Where no layout is asked for the folder keeps the one that it has.
    """
    record = place.record()
    if layout is None:
        kept: list[Layout] = [name for name in get_args(Layout) if record and name == record.content.get("layout")]
        layout = kept[0] if kept else layout_for(place.folder, solution)
    check_place(place, solution.plan.module)
    if layout == "package" and "." not in solution.plan.module and not importable(place.folder):
        raise InputError(f"Python can't import a package from {place.folder}: name another folder, or --layout flat")
    files = package_files(solution, layout, readme=readme, style=style_at(place.folder))
    content = {"layout": layout, "solution": stored(solution, files)}
    if record is not None and same_but_for_time(record.content, content):
        content = dict(record.content)
    return place.write(files, content, dispensable=DISPENSABLE)


def check_place(place: Place, module: str) -> None:
    """InputError where a module in a package can't be written to a folder; ask before any work is paid for."""
    package, dot, name = module.rpartition(".")
    if not dot:
        return
    if (place.folder / "__init__.py").is_file():
        raise InputError(
            f"{place.folder} is a package, so that {module} would be a module of another name there: name the folder "
            f"that {package.partition('.')[0]} is in"
        )
    record = place.record()
    held = record.content.get("solution", {}).get("plan", {}).get("module", "") if record else ""
    if held not in ("", module):
        raise InputError(
            f"tdgen wrote {held} to {place.folder}, and would remove it: name another folder, or --out PATH/{name}.py "
            "for the module alone"
        )


def with_record(solution: SolutionRecord, files: Mapping[str, str]) -> dict[str, str]:
    """The files, and beside them the record of a folder that holds them."""
    texts = {name: text.encode("utf-8", "backslashreplace") for name, text in files.items()}
    return {**files, RECORD: Record.of(texts, {"solution": stored(solution, files)}).text}
