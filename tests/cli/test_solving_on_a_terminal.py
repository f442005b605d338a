"""`tdgen solve` where a person looks on: the live picture comes and goes, and the result is apart from it."""

import fcntl
import os
import pty
import re
import struct
import termios
import threading

import pytest

pytestmark = pytest.mark.usefixtures("warm")


def test_a_whole_run_on_a_terminal(start, said, instruction):
    """The picture moves on stderr, the summary stays, and the result alone is on stdout."""
    question = {"question": "\x1b]0;owned\x07?", "assumption": "no"}
    said.green().say("plan", said.plan | {"questions": [question]})
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    seen: list[bytes] = []

    def read() -> None:
        try:
            while piece := os.read(master, 65536):
                seen.append(piece)
        except OSError:
            return

    environment = os.environ | {"TERM": "xterm-256color", "NO_COLOR": "1"}
    process = start("solve", instruction, "--script", said.path, "--trust", "quick", stderr=slave, env=environment)
    os.close(slave)
    reader = threading.Thread(target=read)
    reader.start()
    out, _ = process.communicate(timeout=60)
    reader.join(10)
    os.close(master)
    shown = b"".join(seen).decode()
    assert process.returncode == 0
    assert out.decode().startswith('"""Doubles and quadruples."""')
    assert "all green: 2 functions" in shown
    assert "\x1b]0;" not in shown
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", shown)
