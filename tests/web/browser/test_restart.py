"""A service that is killed in the middle, and one that takes its place while somebody looks on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tdgen.models.scripted import ScriptedModel

CHAIN = 6


@pytest.fixture
def script(solver, write, tmp_path) -> Path:
    """Answers for functions that each need the one before, so that they are built one after the other."""
    functions = [
        write.function(
            f"step_{number}(value: int) -> int",
            cases=[write.returns(f"step_{number}({n})", str(n + number + 1)) for n in (0, 1, 5)],
            tries=[f"def step_{number}(value: int) -> int:\n    return value + {number + 1}"],
            uses=[f"step_{number - 1}"] if number else [],
        )
        for number in range(CHAIN)
    ]
    model: ScriptedModel = solver.model(*functions)
    path = tmp_path / "script.json"
    model._script.save(path)
    return path


@pytest.fixture
def start(tmp_path, script, monkeypatch, forker):
    """`tdgen serve` in a process of its own, and the port that it says."""
    for name in [name for name in os.environ if name.startswith(("TDGEN_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    started = []

    def call(port: int) -> tuple[subprocess.Popen[str], int]:
        cache = tmp_path / "served"
        options = ["--trust", "quick", "--script", str(script), "--cache-dir", str(cache), "--budget", "calls=100"]
        command = [sys.executable, "-m", "tdgen", "serve", "--port", str(port), *options]
        process = forker.start(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=tmp_path)
        started.append(process)
        said = process.stderr.readline()
        return process, int(re.search(r"http://127\.0\.0\.1:(\d+)/", said)[1])

    yield call
    for process in started:
        process.kill()
        process.communicate()


def test_a_killed_service_is_gone_on_with(start, page):
    """The page waits for the next one, which builds what was not built; nothing was paid for twice."""
    first, port = start(0)
    page.open(f"http://127.0.0.1:{port}/")
    page.type("#prose", "Steps.")
    page.click(".compose button[type=submit]")
    page.until(lambda: len(page.all(".functions li.green")) >= 1, "nothing got green")
    first.send_signal(signal.SIGKILL)
    first.wait()
    page.says("#line", "broken")
    start(port)
    page.says(".run-head .badge", "all green")
    assert len(page.all(".functions li.green")) == CHAIN
    assert page.text("#line") == ""
    page.click(".timeline summary")
    page.says(".log", "went on after the service was restarted")
    assert page.all(".figures dd")[1].text == str(2 * CHAIN + 1 - replayed(page))
    page.driver.get_log("browser")  # that nobody answered for a while is in the console


def replayed(page) -> int:
    """How many answers the second service took from the journal of the first."""
    noted = [line.text for line in page.all(".log li") if "an unfinished run left" in line.text]
    return int(re.search(r"left (\d+) answer", noted[-1])[1])
