"""Programs that are opened by name: found with all that must be there for them to start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdgen.sandbox.inside import commands


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    monkeypatch.setattr(commands, "PATH", str(tmp_path))
    return tmp_path


def put(place: Path, name: str, text: str = "") -> str:
    """A program in that folder."""
    (place / name).write_text(text)
    (place / name).chmod(0o755)
    return str(place / name)


def test_by_name_and_by_path(place: Path) -> None:
    """Either is found, each once."""
    tool = put(place, "tool")
    assert commands.find(["tool", tool, "tool"]) == (tool,)


def test_a_script_brings_what_its_first_line_names(place: Path) -> None:
    """And that in turn what its own does."""
    inner = put(place, "inner", "binary")
    middle = put(place, "middle", f"#!{inner} -x\n")
    outer = put(place, "outer", f"#! {middle}\n")
    assert set(commands.find(["outer"])) == {inner, middle, outer}


def test_a_script_that_looks_its_program_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are needed."""
    monkeypatch.setattr(commands, "PATH", f"{place}:/usr/bin")
    tool = put(place, "tool")
    script = put(place, "script", "#!/usr/bin/env tool\n")
    assert {tool, script, "/usr/bin/env"} <= set(commands.find(["script"]))


def test_one_that_is_not_here(place: Path) -> None:
    """Nor one that can't be executed."""
    (place / "text").write_text("")
    for name in ("nobody", "text", "./text", ""):
        with pytest.raises(FileNotFoundError, match="there is no such program"):
            commands.find([name])


def test_what_starts_programs_is_known() -> None:
    """On this machine there is one."""
    assert commands.loaders()
