"""What the host makes of a child's frames and end, with a server that plays its part.

What reading a frame will take is known before it is read, whatever the frame is made of.

What a user opens is there in each kind of sandbox, and nothing beside it.
"""

from __future__ import annotations

import errno
import json
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from unittest.mock import Mock

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox.conformance import check
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.inside import identity, landlock
from tdgen.sandbox.inside.confine import Confinement
from tdgen.sandbox.inside.messages import Order, frame
from tdgen.sandbox.interpreter import Interpreter
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.server import WHOLE, Allowance, Answers, Opened, Plan, ServerLost, Used, converse
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import FileJob, Job, Limits, Observation, Probe

ENDED = {"run": 1, "status": 0, "cpu_s": 0.5, "peak_kb": 10, "written_kb": 4, "began": True}


class Played:
    """A server whose children say what they are told to, and end as they are told to."""

    plan = Plan(kind="probes", interpreter=Interpreter(program="python", version=(3, 12, 0), readable=()), wanted=())

    def __init__(self, said: list[bytes], ended: dict[str, Any]) -> None:
        self._said, self._ended = said, ended
        self.enforced: dict[str, str] = {}
        self.killed, self.waited = False, False

    @contextmanager
    def child(self, order: Order) -> Iterator[Answers]:
        """A child that says its pieces, then nothing more."""
        pieces = iter([*self._said, b""])
        yield lambda seconds: next(pieces)

    def kill_child(self) -> None:
        """Take note."""
        self.killed = True

    def has_ended(self, seconds: float) -> bool:
        """It has."""
        return True

    def ending(self, timeout: float) -> dict[str, Any]:
        """As told, and take note."""
        self.waited = True
        return self._ended

    def interrupt(self) -> None:
        """Nothing to do."""

    hang_up = wait = kill = interrupt


def hear(server: Played, *, most: int = 9) -> Any:
    """Converse until there were `most` frames."""
    heard: list[Any] = []

    def accept(content: dict[str, Any]) -> bool:
        heard.append(content)
        return "bad" not in content

    order = Order({"start": 0}, b"{}")
    return converse(server, order, accept, Allowance(), wall_s=5, restart=False, is_done=lambda: len(heard) == most)


def test_a_child_that_has_said_all_is_not_waited_for() -> None:
    """It is killed, whatever it still does, and its own word is taken for what it used."""
    used = {"cpu_s": 0.25, "peak_kb": 7, "written_kb": 3}
    server = Played([frame({"n": 1}) + frame({"used": used}) + b"more"], ENDED)
    assert hear(server, most=2).used == Used(0.25, 7, 3)
    assert (server.killed, server.waited) == (True, False)


@pytest.mark.parametrize("used", [None, [], {"cpu_s": "1", "peak_kb": -1, "written_kb": True}, {"cpu_s": 10**400}])
def test_what_can_not_have_been_used_counts_as_nothing(used: Any) -> None:
    """A candidate may write its own last frame."""
    assert hear(Played([frame({"used": used})], ENDED), most=1).used == Used()


def test_a_child_that_ends_before_is_told_of_by_the_kernel() -> None:
    """Its frames may claim what they like."""
    server = Played([frame({"used": {"cpu_s": 9}})], {**ENDED, "status": 9})
    ending = hear(server)
    assert (ending.fault, ending.manner, ending.used) == ("", "killed by SIGKILL", Used(0.5, 10, 4))
    assert (server.killed, server.waited) == (False, True)


@pytest.mark.parametrize("said", [frame({"bad": 1}), frame([1]), b"\x01\0\0\0{", b"\xff\xff\xff\xff"])
def test_a_child_that_tells_nonsense_is_killed(said: bytes) -> None:
    """A frame that is refused, is no object, no JSON, or too large."""
    server = Played([said], ENDED)
    assert hear(server).fault == "garbled"
    assert server.killed


def test_a_child_that_never_began_says_nothing_of_the_job() -> None:
    """A layer that can't be put on is an error; a child that ended before that is the server's fault."""
    with pytest.raises(SandboxError, match="OSError: no seccomp"):
        hear(Played([], {"run": 1, "broken": "OSError: no seccomp"}))
    with pytest.raises(ServerLost):
        hear(Played([], {**ENDED, "began": False}))


COUNT = 20_000
FRAMES: dict[str, Any] = {
    "empty lists": [[]] * COUNT,
    "tables of one item": [{"": 0}] * COUNT,
    "tables of different items": [{f"key {n}": n} for n in range(COUNT)],
    "nested lists": [[[[n]]] for n in range(COUNT)],
    "tagged values": [{"$": "tuple", "items": [n]} for n in range(COUNT)],
    "short texts": [f"text {n}" for n in range(COUNT)],
    "numbers": [n + 0.5 for n in range(COUNT)],
    "one text": "x" * 10 * COUNT,
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_costs_about_what_it_takes(name: str) -> None:
    """Never much less, so that nothing gets by; not many times as much, so that nothing is refused for nothing."""
    body = json.dumps(FRAMES[name], separators=(",", ":")).encode()
    tracemalloc.start()
    try:
        held = json.loads(body)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held
    assert 0.6 * taken < Allowance().cost(body) < 5 * taken


@pytest.mark.parametrize("text", ["," * 100_000, '"[{:' * 20_000, "\\" * 50_000, '\\"' * 30_000, '"'])
def test_what_stands_in_a_text_is_only_text(text: str) -> None:
    """Commas, brackets, quotes and backslashes there make no values."""
    body = json.dumps([text]).encode()
    assert Allowance().cost(body) < len(body) + 1000


@pytest.mark.parametrize("item", [b"[],", b'{"":0},', b'"",', b"1,"])
def test_the_largest_frames_of_many_small_values_are_refused(item: bytes) -> None:
    """Each of them would take more than a whole job may."""
    assert Allowance().cost(b"[" + item * (8_000_000 // len(item)) + b"0]") > WHOLE


LOOPBACK = Opened(loopback=True)
SERVER = """
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.path.encode())

    def log_message(self, *told):
        pass

server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
port = server.server_address[1]
"""
CLIENT = """
import asyncio, http.client, socket, time, urllib.request

def got(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return answer.read().decode()

def by_http_client(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    return connection.getresponse().read().decode()

async def by_asyncio(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.0\\r\\n\\r\\n".encode())
    text = await reader.read()
    writer.close()
    return text.decode().splitlines()[-1]

def by_datagrams(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as one, socket.socket(family, socket.SOCK_DGRAM) as other:
        one.bind((address, 0))
        other.sendto(b"sent", one.getsockname())
        return one.recv(10).decode()

def reach(address, kind):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, kind) as link:
        link.settimeout(5)
        link.connect((address, 80))

def listen_on(port, seconds):
    with socket.create_server(("127.0.0.1", port)):
        time.sleep(seconds)

def knock_at(port, seconds):
    until, answered = time.monotonic() + seconds, False
    while time.monotonic() < until and not answered:
        with socket.socket() as link:
            answered = link.connect_ex(("127.0.0.1", port)) == 0
        time.sleep(0.01)
    return answered
"""


@pytest.fixture(scope="module", params=["local", "docker"])
def opening(request: pytest.FixtureRequest) -> Iterator[Callable[[Opened], WarmSandbox]]:
    """Makes a sandbox of each kind in which that is opened; the same one for the same."""
    request.getfixturevalue(request.param)
    kind: Any = {"local": LocalSandbox, "docker": DockerSandbox}[request.param]
    made: dict[Opened, WarmSandbox] = {}

    def make(opened: Opened) -> WarmSandbox:
        if opened not in made:
            made[opened] = kind(opened=opened)
        return made[opened]

    yield make
    for sandbox in made.values():
        sandbox.close()


def observed(sandbox: WarmSandbox, source: str, call: str, setup: str = "", **limits: Any) -> Observation:
    """What one call does after its setup."""
    probe = Probe(name="p", call=call, setup=setup)
    job = Job(module="m", source=source, probes=(probe,), limits=Limits(**{"wall_s": 20, **limits}))
    return sandbox.run(job).observations[0]


def refusal(observation: Observation) -> tuple[str, str]:
    """The exception that it ended with, and what that says."""
    assert observation.raised is not None, observation
    return observation.raised.type, observation.raised.message


@pytest.mark.parametrize("rooted", [True, False])
def test_what_is_kept_may_be_started_only_where_it_is_shown(monkeypatch: pytest.MonkeyPatch, rooted: bool) -> None:
    """Without a root of its own a server would find a folder of the machine's under that name."""
    granted = Mock(return_value=0)
    monkeypatch.setattr(landlock, "abi", lambda: 6)
    monkeypatch.setattr(landlock, "ruleset", granted)
    confinement = Confinement(("Landlock",), "/nowhere", (), 1, compiles=True, kept="/tmp/programs")
    confinement._rooted = rooted
    confinement._prepare()
    assert granted.call_args.args[3] == (("/kept",) if rooted else ())


class TestLoopback:
    """`--allow-loopback`: a function that talks to a server is tested against one that its case's setup starts."""

    @pytest.fixture
    def ask(self, opening) -> Callable[..., Observation]:
        """Evaluates a call beside a server of its case's own."""
        return lambda call, opened=LOOPBACK: observed(opening(opened), CLIENT, call, SERVER)

    @pytest.mark.parametrize(
        "call", ["got(port, '/page')", "by_http_client(port, '/page')", "asyncio.run(by_asyncio(port, '/page'))"]
    )
    def test_a_server_answers(self, ask, call: str) -> None:
        """By what people use to talk to one."""
        assert ask(call).value == "/page"

    @pytest.mark.parametrize(("family", "address"), [("AF_INET", "127.0.0.1"), ("AF_INET6", "::1")])
    def test_datagrams(self, ask, family: str, address: str) -> None:
        """By both versions of the internet protocol."""
        assert ask(f"by_datagrams(socket.{family}, {address!r})").value == "sent"

    def test_without_the_option_there_is_no_server(self, ask) -> None:
        """The setup fails, and the case is not run."""
        seen = ask("got(port, '/page')", Opened())
        assert (seen.status, seen.detail) == ("not_run", "the setup failed: PermissionError")

    @pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM"])
    @pytest.mark.parametrize("address", ["192.0.2.1", "10.0.0.1", "172.17.0.1", "169.254.169.254", "2001:db8::1"])
    def test_no_other_address_is_reached(self, ask, address: str, kind: str) -> None:
        """There is no way to it: not to the internet, this machine's network, or a cloud's own services."""
        kind_of_error, message = refusal(ask(f"reach({address!r}, socket.{kind})"))
        assert kind_of_error == "builtins.OSError"
        assert "Network is unreachable" in message or "Cannot assign requested address" in message

    @pytest.mark.parametrize(
        "call",
        [
            "socket.socket(socket.AF_UNIX)",
            "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
            "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
            "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)",
            "socket.socket().setsockopt(socket.IPPROTO_TCP, 31, b'tls')",
        ],
        ids=["unix, abstract ones too", "netlink", "raw", "another protocol", "another option"],
    )
    def test_other_sockets_are_refused(self, ask, call: str) -> None:
        """As without the option."""
        assert refusal(ask(call))[0] == "builtins.PermissionError"

    def test_runs_at_once_do_not_meet(self, opening) -> None:
        """One listens while the other knocks at the same port."""
        sandbox = opening(LOOPBACK)
        calls = ["listen_on(4711, 1.0)", "knock_at(4711, 1.0)"]
        with ThreadPoolExecutor(2) as pool:
            listening, knocking = pool.map(lambda call: observed(sandbox, CLIENT, call), calls)
        assert (listening.status, knocking.value) == ("returned", False)

    def test_nothing_is_left_to_the_next_run(self, opening) -> None:
        """What listened when a run ended listens no more, on whichever server the next one is."""
        sandbox = opening(LOOPBACK)
        listening = "[kept := socket.create_server(('127.0.0.1', 4712))] and 'listens'"
        assert observed(sandbox, CLIENT, listening).value == "listens"
        assert observed(sandbox, CLIENT, "knock_at(4712, 0.0) or knock_at(4712, 0.2)").value is False
        test = "from m import knock_at\ndef test_knocks():\n    assert not knock_at(4712, 0.2)\n"
        assert observed(sandbox, CLIENT, listening).value == "listens"
        report = sandbox.run_files(FileJob(files={"m.py": CLIENT, "test_m.py": test}, tests=("test_m.py",)))
        assert report.passed, report.log

    def test_pytest_files(self, opening) -> None:
        """Rendered tests have the loopback too."""
        test = f"from m import got\n{SERVER}\ndef test_page():\n    assert got(port, '/f') == '/f'\n"
        files = {"m.py": CLIENT, "test_m.py": test}
        report = opening(LOOPBACK).run_files(FileJob(files=files, tests=("test_m.py",)))
        assert report.passed, report.log

    def test_what_else_holds(self, opening, sampled: Callable[[str], None]) -> None:
        """Of the conformance suite, all but what says that nothing listens or is sent within a run's own network."""
        sampled("socket|connects|listens|datagram|asks for a name|descriptor|outside|kernel|namespaces")
        results = check(opening(LOOPBACK))
        assert {result.program for result in results if not result.held} <= {"listens", "sends a datagram"}

    def test_it_is_told(self, opening) -> None:
        """In the line that describes the sandbox."""
        said = opening(LOOPBACK).describe()
        assert said.endswith("; network off but for its own loopback")


def test_a_machine_that_grants_no_network_of_ones_own_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line with the way out, and no run on a network that others are on."""

    def refuse() -> None:
        raise PermissionError(errno.EPERM, "unshare")

    monkeypatch.setattr(identity, "enter_own_network", refuse)
    with pytest.raises(RuntimeError, match=r"--allow-loopback: this machine grants .* take --sandbox docker"):
        Confinement((), "/nowhere", (), 1, loopback=True).enter_child()


STARTER = """
import os, signal, subprocess, time

def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=10, **options).stdout

def in_time():
    try:
        subprocess.run(["sleep", "60"], timeout=0.2)
    except subprocess.TimeoutExpired:
        return "ended"

def leave_something():
    subprocess.Popen(["sh", "-c", "(trap '' HUP TERM INT; while :; do echo x >> ../left; sleep 0.05; done) &"])
    time.sleep(0.3)
    return os.path.exists("../left")

def fork_until_refused():
    count = 0
    try:
        while True:
            if os.fork() == 0:
                time.sleep(60)
            count += 1
    except OSError:
        return count
"""
WARMING = """
import os, sys, types

pid = os.posix_spawn("/usr/bin/sleep", ["sleep", "60"], {})
sys.modules["ready"] = types.SimpleNamespace(pid=pid)
"""
REACHING = """
import os, ready, signal

def reached():
    found = []
    for pid in range(1, os.getpid() + 60):
        try:
            if pid != os.getpid():
                os.kill(pid, signal.SIGSTOP)
                found.append(pid)
        except OSError:
            pass
    return found
"""
ESCAPES = """
import os, socket, subprocess

def attempt(act):
    code = f"import os, socket; {act}"
    return subprocess.run(["python3", "-c", code], capture_output=True, text=True, timeout=10).stderr.splitlines()[-1]
"""


class TestPrograms:
    """`--allow-run`: they start, confined as the code that starts them, and end with its run."""

    @pytest.fixture
    def run(self, opening) -> Callable[..., Observation]:
        """Evaluates a call where a few programs are opened."""
        sandbox = opening(Opened(programs=("echo", "sort", "sh", "sleep")))
        return lambda call, **limits: observed(sandbox, STARTER, call, **limits)

    def test_output_and_input(self, run) -> None:
        """As usual."""
        assert run("run('echo', 'hello')").value == "hello\n"
        assert run("run('sort', '-n', input='10\\n9\\n')").value == "9\n10\n"

    def test_a_shell_that_is_opened(self, run) -> None:
        """`shell=True` finds it where Python looks."""
        assert run("run('echo $((6*7)); read x; echo $x', shell=True, input='y')").value == "42\ny\n"

    def test_another_program_is_not_there(self, run) -> None:
        """It can't be found, or not be executed."""
        raised = run("run('env')").raised
        assert raised is not None
        assert raised.type in ("builtins.FileNotFoundError", "builtins.PermissionError")

    def test_a_timeout_ends_it(self, run) -> None:
        """What was started can be killed again."""
        assert run("in_time()").value == "ended"

    def test_nothing_outlives_its_run(self, run) -> None:
        """Not even what ignores signals and has no parent any more: nothing can leave its session."""
        assert run("leave_something()").value is True
        assert run("[time.sleep(0.3), os.path.exists('../left')][1]").value is False

    def test_what_a_child_did_while_it_waited_is_there(self, opening) -> None:
        """Done anew for each run, behind its walls; what fails there is passed over."""
        warming = "import sys, types\nsys.modules['ready'] = types.SimpleNamespace(said=[])\nopen('/etc/shadow')"
        sandbox = opening(Opened(programs=("echo",), warming=warming))
        for _ in range(3):
            seen = observed(sandbox, "import ready\n", "[ready.said.append(1), ready.said][1]")
            assert seen.value == [1]

    def test_what_waits_is_out_of_reach(self, opening) -> None:
        """A run can stop what was started for it, and nothing that another child has started already."""
        sandbox = opening(Opened(programs=("sleep",), warming=WARMING))
        assert observed(sandbox, REACHING, "reached() == [ready.pid]").value is True
        assert observed(sandbox, REACHING, "os.waitpid(ready.pid, os.WNOHANG | os.WUNTRACED)[0]").value == 0

    def test_nothing_leaves_its_session(self, run) -> None:
        """By which all of it is found."""
        for call in ("os.setsid()", "os.setpgid(0, 0)", "subprocess.Popen(['echo'], start_new_session=True)"):
            raised = run(call).raised
            assert raised is not None
            assert raised.type in ("builtins.PermissionError", "subprocess.SubprocessError"), call

    def test_processes_are_bounded(self, run) -> None:
        """By the limit that bounds threads too, and the next run has all of them again."""
        assert 0 < run("fork_until_refused()", processes=8).value <= 12
        assert run("run('echo', 'again')").value == "again\n"

    def test_the_server_is_out_of_reach(self, run) -> None:
        """Signals reach only what the run itself started."""
        raised = run("os.kill(os.getppid(), signal.SIGKILL)").raised
        assert raised is not None
        assert raised.type == "builtins.PermissionError"

    @pytest.mark.parametrize(
        "act",
        [
            "socket.socket()",
            "socket.socket(socket.AF_UNIX)",
            "open('/etc/shadow')",
            "open('/tmp/x', 'w')",
            "os.setuid(0)",
            "os.setsid()",
            "os.listdir('/')",
        ],
    )
    def test_a_program_is_confined_as_well(self, opening, act: str) -> None:
        """The filter and the rules go along."""
        sandbox = opening(Opened(programs=("python3",)))
        seen = observed(sandbox, ESCAPES, f"attempt({act!r})")
        assert isinstance(seen.value, str), seen
        assert seen.value.startswith(("PermissionError", "FileNotFoundError", "OSError: [Errno 30]")), seen

    def test_a_program_that_is_not_here(self, opening) -> None:
        """One line names it."""
        with pytest.raises(SandboxError, match="--allow-run no-such-program: there is no such program"):
            observed(opening(Opened(programs=("no-such-program",))), STARTER, "1")

    def test_what_else_holds(self, opening, sampled: Callable[[str], None]) -> None:
        """Of the conformance suite, all but what says that no process is started or signalled.

        A signal to all that it may reach goes out; whether any other process is there just then is chance.
        """
        sampled("forks|shell|program|process|signal|thread|traces|descriptor|outside|kernel")
        results = check(opening(Opened(programs=("echo", "sh"))))
        through = {result.program for result in results if not result.held}
        assert through - {"signals others"} == {"forks", "forks past Python", "runs a shell"}

    def test_it_is_told(self, opening) -> None:
        """In the line that describes the sandbox."""
        assert opening(Opened(programs=("echo", "sh"))).describe().endswith("; network off; may start echo, sh")
