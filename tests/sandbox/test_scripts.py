"""A module run as a script: what the interpreter does at its start and its end is what is observed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import Job, Limits, Observation, Probe, World

QUICK = Limits(wall_s=2.0)
Observe = Callable[..., Observation]


def run(observe: Observe, body: str, *words: str, **world: object) -> Observation:
    """What is seen of a script whose main has this body."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    source = f"import sys\n\ndef main():\n{lines}\n\nif __name__ == '__main__':\n    raise SystemExit(main())\n"
    return observe(source, call="main()", world=World(script=words, **world))


def test_a_script_sees_its_command_line_and_its_world(observe: Observe) -> None:
    """Arguments, standard input, files and the environment are there before its first line runs."""
    body = "import os\nprint(sys.argv[1:], sys.stdin.read(), open('a/b.txt').read(), os.environ['HUE'])"
    seen = run(observe, body, "-x", "two words", stdin="in", files={"a/b.txt": "text"}, environment={"HUE": "red"})
    assert (seen.stdout, seen.stderr) == ("['-x', 'two words'] in text red\n", "")
    assert seen.raised is not None
    assert seen.raised.exit_code == 0


@pytest.mark.parametrize(
    ("ending", "code", "printed"),
    [
        ("return None", 0, ""),
        ("return 2", 2, ""),
        ("return True", 1, ""),
        ("return 256", 0, ""),
        ("return -1", 255, ""),
        ("return 10 ** 30", 255, ""),
        ("return 'bad input'", 1, "bad input\n"),
        ("return ['a']", 1, "['a']\n"),
        ("sys.exit('no file')", 1, "no file\n"),
        ("sys.exit()", 0, ""),
    ],
)
def test_an_exit_code_is_what_the_interpreter_makes_of_it(
    observe: Observe, ending: str, code: int, printed: str
) -> None:
    """None is 0, a number its last byte, and all else is printed to standard error and 1."""
    seen = run(observe, ending)
    assert seen.raised is not None
    assert (seen.raised.exit_code, seen.stderr) == (code, printed)


def test_a_script_without_an_exit_ends_with_its_last_line(observe: Observe) -> None:
    """Where nothing raises SystemExit, the module returns."""
    seen = observe("print(__name__)", call="main()", world=World(script=()))
    assert (seen.status, seen.stdout) == ("returned", "__main__\n")


def test_an_exception_is_no_exit(observe: Observe) -> None:
    """What the script does not catch is told as what it is, without an exit code."""
    seen = run(observe, "return 1 // 0")
    assert seen.raised is not None
    assert (seen.raised.type, seen.raised.exit_code) == ("builtins.ZeroDivisionError", None)


def test_a_script_runs_to_its_very_end(observe: Observe) -> None:
    """Threads are waited for, and what is left for the exit is done."""
    body = (
        "import atexit, threading, time\natexit.register(print, 'bye')\n"
        "threading.Thread(target=lambda: (time.sleep(0.05), print('done'))).start()\nprint('main')"
    )
    assert run(observe, body).stdout == "main\ndone\nbye\n"


def test_a_script_that_reads_what_nobody_gives_comes_to_an_end(observe: Observe) -> None:
    """Standard input is empty where the world has none."""
    assert run(observe, "print(repr(sys.stdin.read()))").stdout == "''\n"


def test_each_script_has_a_process_of_its_own(sandbox: WarmSandbox) -> None:
    """What one run leaves behind in the interpreter is not there for the next."""
    source = "import builtins\nprint(getattr(builtins, 'left', 'clean'))\nbuiltins.left = 'dirty'\n"
    probes = tuple(Probe(name=str(n), call="main()", world=World(script=())) for n in range(3))
    seen = sandbox.run(Job(module="kit", source=source, probes=probes, limits=QUICK)).observations
    assert [one.stdout for one in seen] == ["clean\n"] * 3


def test_a_version_takes_the_place_of_the_entry(observe: Observe) -> None:
    """A setup's definitions stand before the lines that call the entry: so versions of one candidate are tried."""
    source = "def main():\n    return 1\n\nif __name__ == '__main__':\n    raise SystemExit(main())\n"
    seen = observe(source, setup="def main():\n    return 3\n", call="main()", world=World(script=()))
    assert seen.raised is not None
    assert seen.raised.exit_code == 3
