"""`tdgen watch`, started as a user does: real saves, a real solve answered by a script."""

import signal
import sys
from pathlib import Path

import pytest

pytest.importorskip("watchfiles", reason="tdgen's extra watch is not installed")


def lines_until(process, text):
    """What the process tells, up to a line with this text."""
    lines = []
    while not lines or text not in lines[-1]:
        line = process.stderr.readline().decode()
        assert line, lines
        lines.append(line)
    return lines


def test_a_text_that_is_saved_by_renaming_is_solved(start, finished, said, instruction):
    """Its module and tests are written; Ctrl-C ends the watch."""
    Path("spec.md").write_text("")
    process = start("watch", "spec.md", "-o", "out", "--script", said.green().path, "--trust", "quick")
    lines_until(process, "watching spec.md")
    Path("draft").write_text(instruction)
    Path("draft").replace("spec.md")
    assert any("tdgen solve spec.md" in line for line in lines_until(process, "wrote "))
    assert Path("out/doubling.py").exists()
    process.send_signal(signal.SIGINT)
    ran = finished(process)
    assert (ran.code, ran.last.startswith("ended; ")) == (0, True)


def test_a_text_that_is_saved_again_is_begun_anew(start, finished, said, instruction, endpoint):
    """While a model is waited for: its call is dropped, and the newer text asked about."""
    endpoint.will(None)
    Path("spec.md").write_text("")
    process = start("watch", "spec.md", "--trust", "quick")
    lines_until(process, "watching spec.md")
    Path("spec.md").write_text(instruction)
    assert endpoint.asked.acquire(timeout=100) or endpoint.bodies
    Path("spec.md").write_text("triple(n): three times n")
    lines_until(process, "spec.md was saved again: the newer text is taken")
    lines_until(process, "interrupted: the same command goes on from here")
    lines_until(process, "tdgen solve spec.md")
    process.send_signal(signal.SIGINT)
    assert finished(process).code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none.md"], "tdgen: none.md: there is no such file or folder to watch"),
        (["one.md", "two.md", "-o", "out"], "tdgen: --out is where one text or plan is written: watch it alone"),
        (["one.md", "--apply"], "tdgen: --apply makes changes in a project: watch a module or a folder of it"),
        (["one.md", "--trust", "much"], "tdgen: "),
    ],
)
def test_bad_input_is_one_line(tdgen, arguments, told):
    """Before anything is watched."""
    for name in ("one.md", "two.md"):
        Path(name).write_text("")
    ran = tdgen("watch", *arguments)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert ran.err.startswith(told)


def test_without_its_extra_it_says_what_to_install(tdgen, monkeypatch):
    """One line."""
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    monkeypatch.delitem(sys.modules, "tdgen.watching", raising=False)
    ran = tdgen("watch", "spec.md")
    assert (ran.code, ran.err) == (2, "tdgen: tdgen watch needs tdgen's extra watch: pip install 'tdgen[watch]'\n")
