"""Commands in a project killed while the model is asked: nothing is half-written, and what was paid for stays."""

import json
import signal
from pathlib import Path
from typing import NamedTuple

import pytest

from tdgen.project.recorded import recorded_text, recorded_units

MODULE = Path("src/shop/prices.py")
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    "tests/test_prices.py": "from shop import prices\n\n\ndef test_double():\n    assert prices.double(4) == 8\n",
    "tests/test_rate.py": "from shop import prices\n\n\ndef test_rate():\n    assert prices.RATE == 20\n",
}
DOCUMENTED = 'RATE = 20\n\n\ndef double(n: int) -> int:\n    """Return double of n."""\n'
MENDED = "```python\n# src/shop/prices.py\ndef double(n: int) -> int:\n    return 2 * n\n```\n"


class Killed(NamedTuple):
    """A command, the module that it finds, what it asks for in turn, what it writes in the end, and a record."""

    line: tuple[str, ...]
    module: str
    asked: tuple[str, ...]
    written: str = "return 2 * n"
    record: str = ""


FILL = Killed(("fill", str(MODULE)), f"{DOCUMENTED}    raise NotImplementedError\n", ("plan", "cases", "implement"))
ADD = Killed(("add", str(MODULE), "double(n: int) -> int: double of n"), "RATE = 20\n", FILL.asked)
CHANGE = Killed(
    ("change", f"{MODULE}::double", "It is double of n."),
    DOCUMENTED.replace("double of n", "n") + "    return n\n",
    FILL.asked,
)
GUARD = Killed(("guard", str(MODULE)), f"{DOCUMENTED}    return n + n\n", ("plan", "cases"), "return n + n")
FIX = Killed(("fix",), f"{DOCUMENTED}    return n + 2\n", ("mended", "plan", "cases"))
_WRITTEN = f"{DOCUMENTED}    return n + n\n"
_RECORDED = {
    key: unit._replace(docs="Return n.") for key, unit in recorded_units(str(MODULE), _WRITTEN, {"double"}, {}).items()
}
SYNC = Killed(("sync",), _WRITTEN, FILL.asked, record=recorded_text(_RECORDED))


def contents():
    """Each file of the project."""
    files = (path for top in ("src", "tests") for path in Path(top).rglob("*") if path.is_file())
    return {str(path): path.read_text() for path in files if "__pycache__" not in path.parts}


@pytest.mark.usefixtures("warm", "unhurried")
@pytest.mark.parametrize(
    ("command", "answered"),
    [(FILL, 2), (ADD, 1), (CHANGE, 1), (GUARD, 1), (FIX, 1), (SYNC, 1)],
    ids=lambda value: value.line[0] if isinstance(value, Killed) else None,
)
def test_a_killed_command_goes_on(
    start, finished, tdgen, endpoint, one_function, bare_environment, command: Killed, answered: int
):
    """No file is another; the same command asks for what was not answered, and for nothing else, and writes it all."""
    plan = one_function["plan"] | {"module": "shop.prices", "examples": []}
    answers = one_function | {"plan": plan, "mended": MENDED}
    record = {"tdgen.json": command.record} if command.record else {}
    for name, text in {**FILES, str(MODULE): command.module, **record}.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    bare_environment(Path())
    before = contents()
    line = (*command.line, "--trust", "quick", "--apply")

    endpoint.will(*[answers[purpose] for purpose in command.asked[:answered]], None)
    process = start(*line)
    for _ in range(answered + 1):
        assert endpoint.asked.acquire(timeout=100)
    process.kill()
    assert finished(process).code == -signal.SIGKILL
    assert contents() == before

    endpoint.bodies.clear()
    endpoint.will(*[answers[purpose] for purpose in command.asked[answered:]])
    ran = tdgen(*line)
    assert ran.code == 0, ran.err
    assert len(endpoint.bodies) == len(command.asked) - answered, json.dumps(endpoint.bodies)[-2000:]
    assert command.written in MODULE.read_text()
    assert contents() != before
