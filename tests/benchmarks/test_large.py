"""The generated project of many lines is what its table says it measures."""

from __future__ import annotations

from pathlib import Path

from projects.large import generate, read

from tdgen.project.filling import read_filling
from tdgen.project.index import read_index
from tdgen.project.root import find_project


def test_it_has_so_many_lines_and_one_stub(tmp_path: Path):
    """Each module imports the one before it, and the last has what is to be written."""
    module = generate(tmp_path / "project", 2_000)
    sources = read_index(find_project(module)).sources
    numbered = [name for name in sources if name.rpartition(".")[2].removeprefix("m").isdigit()]
    lines = sum(len(sources[name].file.read_text().splitlines()) for name in numbered)
    assert 0.9 < lines / 2_000 < 1.2
    task = read_filling([str(module)])
    assert task.names == ("whole",)
    assert len([one for one in sources if task.index.leads_to(task.module.name, one)]) >= len(numbered) - 1


def test_what_is_read_again_comes_from_what_was_kept(tmp_path: Path):
    """The second reading finds the index of the first, and both are told with the memory that they took."""
    module = generate(tmp_path / "project", 2_000)
    kept = tmp_path / "index"
    first = read(module, kept)
    held = {path: path.stat().st_mtime_ns for path in kept.rglob("*") if path.is_file()}
    again = read(module, kept)
    assert held
    assert {path: path.stat().st_mtime_ns for path in kept.rglob("*") if path.is_file()} == held
    assert min(*first, *again) > 0
