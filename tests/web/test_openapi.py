"""The service answers as its OpenAPI document says, whatever is asked: schemathesis makes the requests up."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import FailedHealthCheck, Unsatisfiable

schemathesis = pytest.importorskip(
    "schemathesis", reason="schemathesis makes the requests up; pip install -e '.[dev]' brings it"
)

MODES = tuple(schemathesis.GenerationMode)
BOUNDED = settings(
    deadline=None,
    database=None,
    derandomize=True,
    # Who draws only what the document allows, where something else is wanted, is stopped after fifty draws.
    suppress_health_check=[check for check in HealthCheck if check is not HealthCheck.filter_too_much],
    phases=[Phase.generate],
)


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Any], dict[str, str]]]:
    """The operations of a service that has solved something, and the id and the key of that.

    It runs in a process of its own: schemathesis parses Python while it asks, and Python's parser can't be used by two
    threads at once where one of them doesn't hold our lock.
    """
    script = Path(__file__).parents[2] / "docs" / "tutorial" / "slugs.json"
    given = ["--port", "0", "--script", str(script), "--trust", "quick", "--waiting", "10000"]
    folder = tmp_path_factory.mktemp("served")
    command = [sys.executable, "-m", "tdgen", "serve", *given, "--cache-dir", str(folder / "cache")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=folder, text=True)
    try:
        url = process.stderr.readline().removeprefix("tdgen is at ").split()[0].rstrip("/")
        yield _operations(url), _solved(url, script.with_suffix(".txt").read_text())
    finally:
        process.kill()
        process.communicate()


def _operations(url: str) -> list[Any]:
    return [found.ok() for found in schemathesis.openapi.from_url(f"{url}/openapi.json").get_all_operations()]


def _solved(url: str, instruction: str) -> dict[str, str]:
    with httpx2.Client(base_url=url, timeout=60, trust_env=False) as client:
        identity = client.post("/runs", json={"instruction": instruction}).json()["id"]
        while not (record := client.get(f"/runs/{identity}").json())["ended"]:
            time.sleep(0.05)
    assert record["state"] == "green", record
    return {"identity": identity, "key": record["key"]}


def sent(case: Any, known: dict[str, str], number: int) -> Any:
    """The case, with what a schema can't describe: every other one is about what is there, and tests are Python."""
    if number % 2:
        case.path_parameters = {name: known.get(name, value) for name, value in (case.path_parameters or {}).items()}
    options = case.body.get("options") if isinstance(case.body, dict) else None
    if isinstance(options, dict):
        options.update({name: "" for name in ("tests", "budget") if isinstance(options.get(name), str)})
    return case


@pytest.mark.timeout(400)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_every_answer_is_as_documented(documented, mode):
    """Status, headers, type and shape; what the document allows is taken, what it doesn't is refused."""
    operations, known = documented
    mismatches: list[str] = []
    asked: Counter[str] = Counter()

    def ask(operation: Any) -> None:
        @settings(BOUNDED, max_examples=4 if operation.body else 2)  # about what is there, and about what may not be
        @given(case=operation.as_strategy(generation_mode=mode))
        def validated(case: Any) -> None:
            asked[operation.label] += 1
            try:
                sent(case, known, asked[operation.label]).call_and_validate()
            except BaseExceptionGroup as found:
                mismatches.extend(f"{case.as_curl_command()}: {failure}" for failure in found.exceptions)

        with suppress(Unsatisfiable, FailedHealthCheck):  # what takes nothing can't be asked wrongly
            validated()

    for operation in operations:
        ask(operation)
    if mode is schemathesis.GenerationMode.POSITIVE:
        assert len(asked) == len(operations)
    else:
        assert len(asked) > 5
    assert not mismatches, "\n\n".join(mismatches)
