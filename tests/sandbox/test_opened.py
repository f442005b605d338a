"""What a user opens by name is there in each kind of sandbox, and nothing beside it."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from threading import Thread
from typing import Any

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox.conformance import check
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.hosts import read_hosts
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.opened import Opened
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import FileJob, Job, Limits, Observation, Probe

MEGABYTES = 3_000_000
CLIENT = """
import asyncio, http.client, json, socket, ssl, threading, urllib.request

def got(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()

def posted(url, size):
    with urllib.request.urlopen(url, data=b"y" * size, timeout=10) as answer:
        return int(answer.read())

def by_http_client(host, port):
    connection = http.client.HTTPConnection(host, port, timeout=10)
    answers = []
    for path in ("/one", "/two"):
        connection.request("GET", path)
        answers.append(connection.getresponse().read().decode())
    return answers

def by_socket(address):
    with socket.create_connection(address, timeout=10) as link:
        peer = link.getpeername()
        link.sendall(b"GET /raw HTTP/1.0\\r\\n\\r\\n")
        return peer[1], link.makefile().read().splitlines()[-1]

async def by_asyncio(host, port):
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(b"GET /async HTTP/1.0\\r\\n\\r\\n")
    text = await reader.read()
    writer.close()
    return text.decode().splitlines()[-1]

def over_tls(port, authority):
    context = ssl.create_default_context(cadata=authority)
    with urllib.request.urlopen(f"https://localhost:{port}/tls", context=context, timeout=10) as answer:
        return answer.read().decode()

def at_once(url, count):
    found = []
    threads = [threading.Thread(target=lambda: found.append(got(url))) for _ in range(count)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return found

def unread_first(url):
    big = urllib.request.urlopen(url + "/big", timeout=10)
    small = got(url + "/small")
    return small, len(big.read())

def connect(host, port):
    socket.create_connection((host, port), timeout=5).close()

def connect_past_the_module(address):
    import _socket
    _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM).connect(address)

def ask_the_relay(host, port):
    socket.socket.line.connect(host, port, 5)
"""


class Handler(BaseHTTPRequestHandler):
    """Answers with the path it was asked for, or how much came."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._say(b"x" * MEGABYTES if self.path == "/big" else self.path.encode())

    def do_POST(self) -> None:
        self._say(str(len(self.rfile.read(int(self.headers["Content-Length"])))).encode())

    def _say(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *told: Any) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    """The port of an HTTP server on this machine."""
    yield from serve(ThreadingHTTPServer(("127.0.0.1", 0), Handler))


def serve(made: ThreadingHTTPServer) -> Iterator[int]:
    """Its port, while it serves."""
    made.daemon_threads = True
    thread = Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made.server_address[1]
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost and its key, in one file, signed by itself."""
    folder = tmp_path_factory.mktemp("tls")
    made = subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", "key", "-out", "certificate"),
        ],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("openssl makes no certificate here")
    return folder


@pytest.fixture(scope="module")
def tls_server(authority: Path) -> Iterator[int]:
    """The port of the same by TLS."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "certificate", authority / "key")
    made.socket = context.wrap_socket(made.socket, server_side=True)
    yield from serve(made)


@pytest.fixture(scope="module")
def neighbour() -> Iterator[socket.socket]:
    """Somebody else who listens on this machine, and whom nobody opened."""
    with socket.create_server(("127.0.0.1", 0)) as made:
        made.settimeout(0)
        yield made


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


def observed(sandbox: WarmSandbox, source: str, call: str, **limits: Any) -> Observation:
    """What one call does."""
    job = Job(
        module="m", source=source, probes=(Probe(name="p", call=call),), limits=Limits(**{"wall_s": 20, **limits})
    )
    return sandbox.run(job).observations[0]


class TestHosts:
    """`--allow-net`: by what people use to talk to a host."""

    @pytest.fixture
    def ask(self, opening, server: int, tls_server: int) -> Callable[[str], Observation]:
        """Evaluates a call where the two servers are opened by the name localhost."""
        hosts = read_hosts([f"localhost:{server}", f"localhost:{tls_server}"])
        sandbox = opening(Opened(hosts=hosts))
        return lambda call: observed(sandbox, CLIENT, call)

    def test_urllib(self, ask, server: int) -> None:
        """A page."""
        assert ask(f"got('http://localhost:{server}/page')").value == "/page"

    def test_http_client(self, ask, server: int) -> None:
        """Two requests on one connection."""
        assert ask(f"by_http_client('localhost', {server})").value == ["/one", "/two"]

    def test_a_socket(self, ask, server: int) -> None:
        """That knows whom it talks to."""
        assert ask(f"list(by_socket(('localhost', {server})))").value == [server, "/raw"]

    def test_asyncio(self, ask, server: int) -> None:
        """With an event loop."""
        assert ask(f"asyncio.run(by_asyncio('localhost', {server}))").value == "/async"

    def test_tls(self, ask, tls_server: int, authority: Path) -> None:
        """To the host itself: the certificate is checked inside, by its name."""
        text = (authority / "certificate").read_text()
        assert ask(f"over_tls({tls_server}, {text!r})").value == "/tls"

    def test_tls_with_a_stranger_is_refused(self, ask, tls_server: int) -> None:
        """As on any machine."""
        raised = ask(f"got('https://localhost:{tls_server}/')").raised
        assert raised is not None
        assert "CERTIFICATE_VERIFY_FAILED" in raised.message

    def test_megabytes_in_both_directions(self, ask, server: int) -> None:
        """Whole, however they are cut on their way."""
        assert ask(f"len(got('http://localhost:{server}/big'))").value == MEGABYTES
        assert ask(f"posted('http://localhost:{server}/', {MEGABYTES})").value == MEGABYTES

    def test_several_at_once(self, ask, server: int) -> None:
        """From several threads."""
        assert ask(f"at_once('http://localhost:{server}/x', 6)").value == ["/x"] * 6

    def test_one_that_is_not_read_stops_no_other(self, ask, server: int) -> None:
        """Each connection waits for itself alone."""
        assert ask(f"list(unread_first('http://localhost:{server}'))").value == ["/small", MEGABYTES]

    @pytest.mark.parametrize("way", ["connect", "ask_the_relay"])
    def test_no_other_service_of_this_machine(self, ask, neighbour: socket.socket, way: str) -> None:
        """Not by its name, not by its address, and not by asking the relay oneself."""
        port = neighbour.getsockname()[1]
        for host in ("localhost", "127.0.0.1"):
            raised = ask(f"{way}({host!r}, {port})").raised
            assert raised is not None
            assert (raised.type, "is not opened" in raised.message) == ("builtins.PermissionError", True)
        with pytest.raises(BlockingIOError):
            neighbour.accept()

    def test_no_socket_of_the_systems_own(self, ask, server: int) -> None:
        """The filter of system calls is as it was, for the opened host too."""
        raised = ask(f"connect_past_the_module(('127.0.0.1', {server}))").raised
        assert raised is not None
        assert raised.type == "builtins.PermissionError"

    @pytest.mark.parametrize(
        "call", ["socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "socket.create_server(('127.0.0.1', 0))"]
    )
    def test_nothing_but_connecting(self, ask, call: str) -> None:
        """No datagram, no server."""
        raised = ask(call).raised
        assert raised is not None
        assert raised.type == "builtins.PermissionError"

    def test_other_names_are_not_known(self, ask) -> None:
        """Nobody is asked for them; the line says what is opened."""
        raised = ask("socket.getaddrinfo('example.org', 443)").raised
        assert raised is not None
        assert raised.type == "socket.gaierror"
        assert "example.org is not opened: the sandbox opens only localhost" in raised.message

    def test_pytest_files(self, opening, server: int) -> None:
        """Rendered tests reach it too."""
        test = f"from m import got\ndef test_page():\n    assert got('http://localhost:{server}/f') == '/f'\n"
        files = {"m.py": CLIENT, "test_m.py": test}
        report = opening(Opened(hosts=read_hosts([f"localhost:{server}"]))).run_files(
            FileJob(files=files, tests=("test_m.py",))
        )
        assert report.passed, report.log

    @pytest.mark.timeout(400)  # the whole suite, in a row
    def test_nothing_else_gets_weaker(self, opening) -> None:
        """The whole conformance suite holds where a host is opened."""
        results = check(opening(Opened(hosts=read_hosts(["example.org"]))))
        assert [result for result in results if not result.held] == []

    def test_it_is_told(self, opening, server: int) -> None:
        """In the line that describes the sandbox."""
        said = opening(Opened(hosts=read_hosts(["example.org"]))).describe()
        assert said.endswith("; network off but for example.org")


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

    @pytest.mark.timeout(400)  # the whole suite, in a row
    def test_what_else_holds(self, opening) -> None:
        """Of the conformance suite, all but what says that no process is started or signalled.

        A signal to all that it may reach goes out; whether any other process is there just then is chance.
        """
        results = check(opening(Opened(programs=("echo", "sh"))))
        through = {result.program for result in results if not result.held}
        assert through - {"signals others"} == {"forks", "forks past Python", "runs a shell"}

    def test_it_is_told(self, opening) -> None:
        """In the line that describes the sandbox."""
        assert opening(Opened(programs=("echo", "sh"))).describe().endswith("; network off; may start echo, sh")
