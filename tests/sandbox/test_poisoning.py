"""A run leaves nothing that the next one on the same server could meet; where it could, the server is dropped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox.inside.messages import Order, frame
from tdgen.sandbox.interpreter import Interpreter
from tdgen.sandbox.server import Answers, Kind, Plan, Server, ServerGone, ServerLost
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import FileJob, FileReport, Job, Probe

PLAN = Plan(kind="probes", interpreter=Interpreter(program="python", version=(3, 12, 0), readable=()), wanted=())
TEST = "import os\n{}\ndef test():\n    {}\n    assert sorted(os.listdir()) == ['.tmp', 'test_it.py'], os.listdir()\n"


def run_test(sandbox: WarmSandbox, on_import: str = "pass", in_test: str = "pass") -> FileReport:
    """A test file that looks at what lies around it, once it has done this."""
    return sandbox.run_files(FileJob(files={"test_it.py": TEST.format(on_import, in_test)}, tests=("test_it.py",)))


@pytest.mark.parametrize(
    "act",
    [
        "os.chmod('.', 0)",
        "os.chmod('.', 0o300)",
        "os.umask(0o777)",
        "[os.mkdir(name) for name in ('kept', '.hidden')]",
        "os.rename('test_it.py', 'conftest.py')",
    ],
)
@pytest.mark.parametrize("place", ["on_import", "in_test"])
def test_a_test_file_can_not_spoil_the_next_run(sandbox: WarmSandbox, act: str, place: str) -> None:
    """Neither when it is imported nor later: the next ones find their own files and no others."""
    for _ in range(3):  # as many as there may be servers at least
        run_test(sandbox, **{place: act})
    for _ in range(3):
        report = run_test(sandbox)
        assert report.passed, report.log


@pytest.mark.parametrize(
    "act", ["os.chmod('..', 0)", "os.rename('../0', '../1')", "os.mkdir('../1')", "os.environ = 0"]
)
def test_a_case_can_not_spoil_the_next_case(sandbox: WarmSandbox, act: str) -> None:
    """The next is run in a process of its own where there is no place for it; it counts as any other."""
    source = f"import os\ndef f(n):\n    if n == 0:\n        {act}\n    return sorted(os.listdir())\n"
    probes = tuple(Probe(name=str(n), call=f"f({n})") for n in range(3))
    for _ in range(2):
        seen = sandbox.run(Job(module="m", source=source, probes=probes)).observations
        assert [one.value for one in seen[1:]] == [[], []]


def test_expected_sources_can_not_spoil_the_next_ones(sandbox: WarmSandbox) -> None:
    """What is evaluated without any candidate is code as well."""
    poison = Job(module="m", source="", probes=(Probe(name="p", call="[os.chmod('..', 0), os.chmod('.', 0)]"),))
    plain = Job(module="m", source="", probes=(Probe(name="p", call="1 + 1"),))
    for _ in range(3):
        sandbox.run(poison)
    assert [sandbox.run(plain).observations[0].value for _ in range(3)] == [2, 2, 2]


class Dropped:
    """A server that is found to have ended: before it is given a job (`gone`), or with it."""

    plan = PLAN

    def __init__(self, error: type[ServerLost] | None) -> None:
        self._error = error
        self.enforced: dict[str, str] = {}

    @contextmanager
    def child(self, order: Order) -> Iterator[Answers]:
        """One answer, unless it has ended."""
        if self._error:
            raise self._error
        used = {"cpu_s": 0.0, "peak_kb": 1, "written_kb": 0}
        answer = frame({"index": 0, "status": "returned", "value": 2, "last": True, "used": used})
        yield lambda seconds: answer

    def has_ended(self, seconds: float) -> bool:
        """It has."""
        return True

    def ending(self, timeout: float) -> dict[str, Any]:
        """Nothing to tell."""
        return {}

    def kill_child(self) -> None:
        """Nothing to do."""

    interrupt = hang_up = wait = kill = kill_child


class Replaced(WarmSandbox):
    """A sandbox whose servers are those that it is given, one after the other."""

    kind = "replaced"

    def __init__(self, errors: list[type[ServerLost] | None]) -> None:
        servers: list[Server] = [Dropped(error) for error in errors]
        self.left = servers
        super().__init__(2, lambda plan: servers.pop(0))

    def _plan(self, kind: Kind, hash_seed: int) -> Plan:
        return PLAN


ONE = Job(module="m", source="", probes=(Probe(name="p", call="1 + 1"),))


@pytest.mark.parametrize(
    "errors",
    [[ServerGone, ServerGone, ServerGone, ServerGone, None], [ServerLost, None], [ServerGone, ServerLost, None]],
)
def test_a_job_is_done_by_another_server(errors: list[type[ServerLost] | None]) -> None:
    """Servers that had ended before they were given it say nothing of it, however many there are."""
    with Replaced(errors) as sandbox:
        assert sandbox.run(ONE).observations[0].value == 2


@pytest.mark.parametrize("error", [ServerLost, ServerGone])
def test_a_job_that_no_server_does_is_an_error(error: type[ServerLost]) -> None:
    """And not tried for ever: on as many servers as there may be, and one more."""
    with Replaced([error] * 20) as sandbox, pytest.raises(SandboxError, match="died twice"):
        sandbox.run(ONE)
    assert 20 - len(sandbox.left) <= sandbox._pool.most + 1 < 20
