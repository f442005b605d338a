"""The local sandbox's servers: replaced when they die, gone when it is closed; and the layers that they tell of."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox.local import LocalSandbox, UnsafeSandbox
from tdgen.sandbox.server import ServerLost
from tdgen.types import Job, Limits, Probe

pytestmark = pytest.mark.slow  # each opens a sandbox of its own


def test_a_server_that_dies_is_replaced() -> None:
    """A run whose server is killed is repeated on another one, and nobody notices."""
    with LocalSandbox() as sandbox:
        slow = "import time\ndef f():\n    time.sleep(0.3)\n    return 1"
        job = Job(module="m", source=slow, probes=(Probe(name="p", function="f"),))
        sandbox.run(job)
        (server,) = sandbox._pool._idle
        threading.Timer(0.1, server._launcher.kill, (server._number,)).start()
        assert sandbox.run(job).observations[0].value == 1


def test_servers_of_one_kind_have_one_launcher() -> None:
    """It ends with the last sandbox that has a server of it; a launcher that is gone is replaced."""
    job = Job(module="m", source="", probes=(Probe(name="p", call="os.getppid()"),))
    with LocalSandbox() as first, LocalSandbox() as second:
        for sandbox in (first, second):
            sandbox.run(job)
        [launcher], [other] = ({server._launcher for server in sandbox._pool._idle} for sandbox in (first, second))
        assert launcher is other
        launcher.end()
        with LocalSandbox() as third:
            assert third.run(job).observations[0].status == "returned"
            assert {server._launcher for server in third._pool._idle} != {launcher}


def test_servers_that_keep_dying_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that loses its server twice ends with one line, not with a third try."""
    tries = []

    def die(*_: object) -> None:
        tries.append(1)
        raise ServerLost

    monkeypatch.setattr("tdgen.sandbox.observing.Evaluation.completed", die)
    with LocalSandbox() as sandbox, pytest.raises(SandboxError, match="died twice"):
        sandbox.run(Job(module="m", source="", probes=()))
    assert len(tries) == 2


def test_a_run_has_no_way_to_the_server_however_many_files_the_host_has_open() -> None:
    """What the host and the server say to each other goes over a descriptor that no child inherits."""
    open_sockets = (
        "import os, stat\ndef f():\n    found = []\n    for fd in range(3, 1024):\n"
        "        try:\n            if stat.S_ISSOCK(os.fstat(fd).st_mode):\n                found.append(fd)\n"
        "        except OSError:\n            pass\n    return found"
    )
    job = Job(module="m", source=open_sockets, probes=(Probe(name="p", function="f"),))
    with contextlib.ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(Path(os.devnull).open())
        sandbox = stack.enter_context(LocalSandbox())
        assert sandbox.run(job).observations[0].value == []


def test_closing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `close` no server runs, no file is left, and another run is refused."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    sandbox = LocalSandbox()
    sandbox.run(Job(module="m", source="", probes=(Probe(name="p", call="1"),)))
    lives = [os.dup(server._life) for server in sandbox._pool._idle]
    assert list(tmp_path.iterdir())
    sandbox.close()
    sandbox.close()
    for life in lives:
        assert os.read(life, 1) == b"", "the server holds the other end"
        os.close(life)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run(Job(module="m", source="", probes=(Probe(name="p", call="1"),)))


def test_a_closed_sandbox_does_not_wait_for_a_hanging_run() -> None:
    """Closing from another thread ends what runs."""
    sandbox = LocalSandbox()
    job = Job(module="m", source="", probes=(Probe(name="p", call="time.sleep(60)"),), limits=Limits(wall_s=60))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(sandbox.run, job)
        while not sandbox._pool._at_work:
            time.sleep(0.01)
        sandbox.close()
        with pytest.raises(SandboxError):
            running.result(timeout=20)


def test_layers_are_found_by_trying(local: LocalSandbox) -> None:
    """Here, with every layer granted, the least that there must be is in force."""
    enforced = {layer.name for layer in local.layers() if layer.enforced}
    assert {"seccomp", "rlimits", "no_new_privs", "capabilities", "unprivileged user"} <= enforced
    assert enforced & {"Landlock", "mount namespace"}


@pytest.mark.parametrize("layer", ["seccomp", "Landlock", "rlimits", "capabilities"])
def test_a_layer_left_out_is_not_claimed(layer: str) -> None:
    """`layers` does not repeat what was intended: it tells what is so."""
    with LocalSandbox(without=(layer,)) as sandbox:
        found = {each.name: each.enforced for each in sandbox.layers()}
    assert not found[layer]


def test_one_line_describes_it(local: LocalSandbox) -> None:
    """The kind, the layers, and the network's state."""
    line = local.describe()
    assert line.startswith("local: seccomp, ")
    assert line.endswith("; network off")


def test_the_unsafe_sandbox_claims_nothing() -> None:
    """It runs, and says that it enforces nothing."""
    with UnsafeSandbox() as sandbox:
        assert not [layer for layer in sandbox.layers() if layer.enforced]
        assert sandbox.describe() == "unsafe: nothing is enforced"
        assert sandbox.run(Job(module="m", source="", probes=(Probe(name="p", call="1"),))).observations[0].value == 1


def test_a_lone_surrogate_goes_both_ways() -> None:
    """What a candidate returned can be bound in another run, whatever text it is."""
    with LocalSandbox() as sandbox:
        source = "def f():\n    return chr(0xD800)"
        seen = sandbox.run(Job(module="m", source=source, probes=(Probe(name="p", function="f"),)))
        again = Probe(name="q", call="len(result)", given={"result": seen.observations[0].value})
        assert sandbox.run(Job(module="m", source="", probes=(again,))).observations[0].value == 1
