"""`tdgen fill` killed while the model is asked: nothing is half-written, and what was paid for stays."""

import json
import signal
from pathlib import Path

import pytest

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    "src/shop/prices.py": 'def double(n: int) -> int:\n    """Return double of n."""\n    raise NotImplementedError\n',
    "tests/test_prices.py": "from shop import prices\n\n\ndef test_double():\n    assert prices.double(4) == 8\n",
}
ASKED = ("plan", "cases", "implement")


def contents():
    """Each file of the project."""
    files = (path for top in ("src", "tests") for path in Path(top).rglob("*") if path.is_file())
    return {str(path): path.read_text() for path in files if "__pycache__" not in path.parts}


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("answered", range(len(ASKED)))
def test_a_killed_fill_goes_on(start, finished, tdgen, endpoint, one_function, bare_environment, answered: int):
    """No file is another; the same command asks for what was not answered, and for nothing else, and writes it all."""
    answers = one_function | {"plan": one_function["plan"] | {"module": "shop.prices", "examples": []}}
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    bare_environment(Path())
    before = contents()
    line = ("fill", "src/shop/prices.py", "--trust", "quick", "--apply")

    endpoint.will(*[answers[purpose] for purpose in ASKED[:answered]], None)
    process = start(*line)
    for _ in range(answered + 1):
        assert endpoint.asked.acquire(timeout=100)
    process.kill()
    assert finished(process).code == -signal.SIGKILL
    assert contents() == before

    endpoint.bodies.clear()
    endpoint.will(*[answers[purpose] for purpose in ASKED[answered:]])
    ran = tdgen(*line)
    assert ran.code == 0, ran.err
    assert len(endpoint.bodies) == len(ASKED) - answered, json.dumps(endpoint.bodies)[-2000:]
    assert "return 2 * n" in Path("src/shop/prices.py").read_text()
    assert {*contents()} > {*before}
