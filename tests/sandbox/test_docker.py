"""The docker sandbox's container: what it is started with, what becomes of it, and what is said where it can't be."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox.conformance import check
from tdgen.sandbox.docker import DockerSandbox, build_image, image
from tdgen.sandbox.docker.server import DockerServer
from tdgen.sandbox.server import ServerLost
from tdgen.types import FileJob, Job, Limits, Probe

ONE = Job(module="m", source="", probes=(Probe(name="p", call="1"),))


def slow(seconds: float, *, wall_s: float = 60) -> Job:
    """A job that takes a while and then returns 1."""
    source = f"import time\ndef f():\n    time.sleep({seconds})\n    return 1"
    return Job(module="m", source=source, probes=(Probe(name="p", function="f"),), limits=Limits(wall_s=wall_s))


def is_soon(state: Callable[[], bool]) -> bool:
    """Whether `state` comes to be within ten seconds."""
    end = time.monotonic() + 10
    while not state() and time.monotonic() < end:
        time.sleep(0.02)
    return state()


def container_of(sandbox: DockerSandbox) -> str:
    """The id of its container, which is started if it must be."""
    return sandbox.container_id


def containers(client: Any, **filters: str) -> list[str]:
    """The ids of all containers that there are."""
    return [each["Id"] for each in client.api.containers(all=True, filters=filters)]


def test_the_container_is_locked(docker: DockerSandbox, docker_client: Any) -> None:
    """No network, no capability, nothing writable but scratch, no root, bounded: as the daemon tells it."""
    facts = docker_client.api.inspect_container(container_of(docker))
    host = facts["HostConfig"]
    assert host["NetworkMode"] == "none"
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["SecurityOpt"] == ["no-new-privileges"]
    assert host["ReadonlyRootfs"] is True
    assert host["Privileged"] is False
    assert (host["IpcMode"], host["Init"], host["AutoRemove"]) == ("none", True, True)
    assert host["Memory"] == host["MemorySwap"] > 0
    assert host["PidsLimit"] > 0
    assert host["NanoCpus"] > 0
    assert not facts["Mounts"]
    assert not host["Binds"]
    assert int(facts["Config"]["User"].split(":")[0]) >= 1000


def test_every_process_inside_is_an_unprivileged_user(docker: DockerSandbox, docker_client: Any) -> None:
    """Init, the first process, brokers, servers and their children."""
    docker.run(ONE)
    rows = docker_client.api.top(container_of(docker), "-eo pid,uid,comm")["Processes"]
    assert len(rows) >= 5
    assert all(int(row[1]) >= 1000 for row in rows)


def test_layers_are_found_by_trying(docker: DockerSandbox) -> None:
    """The container's own, and in it a child's."""
    enforced = {layer.name for layer in docker.layers() if layer.enforced}
    ours = {"seccomp", "rlimits", "no_new_privs", "capabilities", "unprivileged user"}
    containers = {"mount namespace", "pid namespace", "network namespace", "read-only root", "cgroup limits"}
    assert ours | containers <= enforced


@pytest.mark.parametrize("layer", ["seccomp", "rlimits", "Landlock"])
def test_a_layer_left_out_is_not_claimed(docker_client: Any, layer: str) -> None:
    """`layers` does not repeat what was intended: it tells what is so."""
    with DockerSandbox(without=(layer,)) as sandbox:
        found = {each.name: each.enforced for each in sandbox.layers()}
    assert not found[layer]


def test_one_line_describes_it(docker: DockerSandbox) -> None:
    """The kind, the layers, and the network's state."""
    line = docker.describe()
    assert line.startswith("docker: seccomp, ")
    assert line.endswith("; network off")


def test_servers_have_users_and_folders_of_their_own(docker: DockerSandbox) -> None:
    """Two runs at once are different users in different folders, so that neither reaches what the other does."""
    probe = Probe(name="p", call="[os.getuid(), os.getcwd(), time.sleep(0.3)][:2]")
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(docker.run, [Job(module="m", source="", probes=(probe,))] * 2)
    first, second = one.observations[0].value, two.observations[0].value
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert first[0] != second[0]
    assert first[1] != second[1]


def test_a_server_leaves_its_place_empty(docker_client: Any) -> None:
    """However it is ended, in the middle of a run too: nothing of it runs, and nothing it wrote is there any more."""
    source = "import time, os\ndef f():\n    os.umask(0o777)\n    os.makedirs('../kept')\n    time.sleep(60)"
    hanging = Job(module="m", source=source, probes=(Probe(name="p", function="f"),), limits=Limits(wall_s=60))
    with DockerSandbox() as sandbox:
        sandbox.run(ONE)
        container = docker_client.containers.get(container_of(sandbox))

        def held() -> list[str]:
            slots = [path.split()[0] for path in container.attrs["HostConfig"]["Tmpfs"]]
            user = container.attrs["HostConfig"]["Tmpfs"][slots[0]].rpartition("uid=")[2].split(",")[0]
            return list(container.exec_run(["ls", "-A", slots[0]], user=user).output.decode().split())

        with ThreadPoolExecutor(1) as pool:
            doomed = pool.submit(sandbox.run, hanging)
            assert is_soon(lambda: "kept" in held())
            (server,) = sandbox._pool._at_work
            assert isinstance(server, DockerServer)
            server.kill()
            assert held() == []
            doomed.cancel()
            sandbox.close()
            with pytest.raises(SandboxError):
                doomed.result()


def test_the_sandboxs_own_programs_are_not_there(docker: DockerSandbox) -> None:
    """They came over the line, and are gone before any candidate runs."""
    probe = Probe(name="p", call="[os.path.exists('../../programs'), __import__('tdgen')]")
    seen = docker.run(Job(module="m", source="", probes=(probe,))).observations[0]
    assert seen.raised is not None
    assert seen.raised.types[0] == "builtins.ModuleNotFoundError"
    probe = Probe(name="p", call="os.path.exists('../../programs')")
    assert docker.run(Job(module="m", source="", probes=(probe,))).observations[0].value is False


def test_large_jobs_and_answers_pass(docker: DockerSandbox) -> None:
    """Megabytes in both directions, whatever pieces docker cuts them into."""
    source = f"TEXT = {'x' * 3_000_000!r}\ndef f(n):\n    return [TEXT[:n]] * 3"
    report = docker.run(Job(module="m", source=source, probes=(Probe(name="p", call="f(300_000)"),)))
    assert report.observations[0].value == ["x" * 300_000] * 3


def test_packages_of_the_users_choice_are_there(docker_client: Any, tmp_path: Path) -> None:
    """A folder of packages is mounted read-only, and nothing else of this machine is."""
    tmp_path.chmod(0o755)
    (tmp_path / "lent.py").write_text("VALUE = 5\n")
    probes = (
        Probe(name="import", call="__import__('lent').VALUE"),
        Probe(name="write", call="open(__import__('lent').__file__, 'a')"),
    )
    with DockerSandbox(packages=lambda target: str(tmp_path)) as sandbox:
        imported, written = sandbox.run(Job(module="m", source="", probes=probes)).observations
    assert imported.value == 5
    assert written.raised is not None
    assert written.raised.types[0] in ("builtins.PermissionError", "builtins.OSError")


def test_a_server_that_dies_is_replaced(docker_client: Any) -> None:
    """A run whose server is cut off is repeated on another one in the same container, and nobody notices."""
    with DockerSandbox() as sandbox:
        sandbox.run(ONE)
        before = container_of(sandbox)
        (server,) = sandbox._pool._idle
        threading.Timer(0.2, server.interrupt).start()
        assert sandbox.run(slow(0.5)).observations[0].value == 1
        assert container_of(sandbox) == before


def test_a_container_that_dies_is_replaced(docker_client: Any) -> None:
    """A run whose container is killed is repeated in a new one, though several servers died with it."""
    with DockerSandbox() as sandbox:
        sandbox.run(ONE)
        sandbox.run_files(FileJob(files={"test_a.py": "def test(): pass\n"}, tests=("test_a.py",)))
        before = container_of(sandbox)
        threading.Timer(0.2, docker_client.api.kill, (before,)).start()
        assert sandbox.run(slow(0.5)).observations[0].value == 1
        assert container_of(sandbox) != before
        assert sandbox.run_files(FileJob(files={"test_a.py": "def test(): pass\n"}, tests=("test_a.py",))).passed


def test_containers_that_keep_dying_are_an_error(docker_client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that loses its container twice ends with one line that says how it ended."""

    def die(self: DockerServer, *_: object) -> None:
        docker_client.api.kill(self.plan.place)
        raise ServerLost

    monkeypatch.setattr(DockerServer, "child", die)
    with DockerSandbox() as sandbox, pytest.raises(SandboxError, match=r"container ended twice.*137"):
        sandbox.run(ONE)


def test_a_container_out_of_memory_says_so(docker_client: Any) -> None:
    """What a run writes counts as memory: the container's bound holds, and the run is told to have died or refused."""
    source = "def f():\n    return len(bytearray(400 * 2**20))"
    job = Job(module="m", source=source, probes=(Probe(name="p", function="f"),), limits=Limits(memory_mb=1000))
    with DockerSandbox(memory_mb=200) as sandbox:
        seen = sandbox.run(job).observations[0]
        assert (seen.status, "probably for the memory it took" in seen.detail) == ("died", True)
        assert sandbox.run(ONE).observations[0].value == 1


def test_closing_leaves_nothing(docker_client: Any) -> None:
    """After `close` there is no container, and another run is refused."""
    sandbox = DockerSandbox()
    sandbox.run(ONE)
    container = container_of(sandbox)
    sandbox.close()
    sandbox.close()
    assert is_soon(lambda: container not in containers(docker_client))
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run(ONE)


def test_a_container_ends_with_the_process_that_started_it(docker_client: Any) -> None:
    """Where nobody closes anything (the process was killed), the end of the line is enough."""
    sandbox = DockerSandbox()
    sandbox.run(ONE)
    container = container_of(sandbox)
    sandbox._containers.current()._line.close()
    assert is_soon(lambda: container not in containers(docker_client))
    sandbox.close()


def test_a_lost_server_ends_inside_too(docker: DockerSandbox, docker_client: Any) -> None:
    """A server that is hung up on leaves no process in the container, even with a child that hangs."""
    docker.run(ONE)
    container = container_of(docker)

    def processes() -> int:
        return len(docker_client.api.top(container, "-eo pid")["Processes"])

    time.sleep(0.5)  # the next children come to be while the last report is read
    before = processes()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(docker.run, slow(60, wall_s=1.0))
        assert running.result(timeout=20).observations[0].status == "timeout"
    with docker._pool.lease(docker._plan("probes", 1)):
        assert processes() > before
        (server,) = docker._pool._at_work
    docker._pool._idle.remove(server)
    server.kill()
    assert is_soon(lambda: processes() <= before)


def test_a_closed_sandbox_does_not_wait_for_a_hanging_run(docker_client: Any) -> None:
    """Closing from another thread ends what runs."""
    sandbox = DockerSandbox()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(sandbox.run, slow(60))
        while not sandbox._pool._at_work:
            time.sleep(0.01)
        sandbox.close()
        with pytest.raises(SandboxError):
            running.result(timeout=20)


@pytest.mark.parametrize("python", ["3.99", "2.7"])
def test_another_python_than_the_images_is_told_so(docker_client: Any, python: str) -> None:
    """A version can be asked for; the image has it or not."""
    with DockerSandbox(python) as sandbox, pytest.raises(SandboxError, match=r"the image has .*sandbox build --base"):
        sandbox.run(ONE)


def test_a_python_of_this_machine_is_none_of_the_images() -> None:
    """A path means nothing in a container."""
    with pytest.raises(SandboxError, match="name a version"):
        DockerSandbox("/usr/bin/python3")


def test_no_daemon_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line says where it looked and what to do."""
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(SandboxError, match=r"no docker daemon answers at unix:///nowhere/docker.sock: .*start it"):
        DockerSandbox()


def test_no_image_is_one_line(docker_client: Any) -> None:
    """The line names the command that makes it."""
    with (
        DockerSandbox(image="tdgen-no-such-image") as sandbox,
        pytest.raises(SandboxError, match="tdgen sandbox build"),
    ):
        sandbox.run(ONE)


def test_no_runtime_is_one_line(docker_client: Any) -> None:
    """A runtime that docker does not know is named before anything is started, with those that it has."""
    with pytest.raises(SandboxError, match=r"docker has no runtime no-such-runtime here \(it has .*runc.*\): install"):
        DockerSandbox(runtime="no-such-runtime")


def test_a_runtime_that_does_not_start_is_one_line(docker_client: Any) -> None:
    """One that need not be listed is found missing by its first container."""
    with (
        DockerSandbox(runtime="io.containerd.nobody.v1") as sandbox,
        pytest.raises(SandboxError, match=r"docker (has no working runtime|says: .*) ?io.containerd.nobody.v1"),
    ):
        sandbox.run(ONE)


def test_the_runtime_in_force_is_known(docker_client: Any, docker: DockerSandbox) -> None:
    """Its name is there to be told; one that shares the machine's kernel claims no kernel of its own."""
    default = docker_client.info()["DefaultRuntime"]
    assert docker.runtime == default
    assert default in docker.runtimes
    with DockerSandbox(runtime=default) as sandbox:
        assert sandbox.run(ONE).observations[0].value == 1
        (kernel,) = (layer for layer in sandbox.layers() if layer.name == "kernel of its own")
    assert kernel.enforced is (default in ("runsc", "kata"))
    assert default in kernel.detail


@pytest.mark.timeout(400)  # the whole suite, in a row
def test_gvisor_lets_nothing_out_but_what_only_landlock_would_hold(
    docker_client: Any, sampled: Callable[[str], None]
) -> None:
    """A kernel of its own, without Landlock: there the image's folders can be listed, and its first process be read.

    A process takes long to start there, so not every program is tried.
    """
    if "runsc" not in docker_client.info()["Runtimes"]:
        pytest.skip("docker has no runtime runsc: .ci/docker installs one")
    sampled("lists folders|reads of other processes")
    with DockerSandbox(runtime="runsc") as sandbox:
        assert sandbox.run(ONE).observations[0].value == 1
        enforced = {layer.name for layer in sandbox.layers() if layer.enforced}
        escaped = {result.program for result in check(sandbox) if "escaped" in result.why}
    assert {"seccomp", "rlimits", "capabilities", "kernel of its own"} <= enforced
    assert escaped <= {"lists folders", "reads of other processes"}


def test_another_kernel_is_told(docker_client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the container's kernel is not the daemon's: found by asking both."""
    real = image.daemon
    monkeypatch.setattr(image, "daemon", lambda client: real(client)._replace(kernel="4.4.0"))
    with DockerSandbox() as sandbox:
        (layer,) = (layer for layer in sandbox.layers() if layer.name == "kernel of its own")
    assert layer.enforced


def test_an_image_without_python_is_one_line(docker_client: Any) -> None:
    """Its build or its start says so, and no container stays behind."""
    docker_client.api.import_image_from_data(b"\0" * 10240, repository="tdgen-empty")
    try:
        with DockerSandbox(image="tdgen-empty") as sandbox, pytest.raises(SandboxError, match="python3"):
            sandbox.run(ONE)
        assert is_soon(lambda: not containers(docker_client, ancestor="tdgen-empty"))
    finally:
        docker_client.images.remove("tdgen-empty", force=True)


def test_a_base_that_is_not_there_is_one_line(docker_client: Any) -> None:
    """What can't be built is said in docker's words."""
    with pytest.raises(SandboxError, match="tdgen-no-such-base"):
        build_image("tdgen-no-such-base", "tdgen-never")
