"""The conformance suite: every kind of sandbox must hold the hostile programs and run the awkward ones.

It is product code, so that a user can run it on the machine that counts. Each program runs as any candidate would; then
the sandbox must still be in order, and what lies outside untouched.

Beside them stand classes that lie about equality, class, hash, attributes or length. What is compared has left the
sandbox as plain data: a class's own methods say nothing of it. The cases are those of a till, as a test author would
write them, and one of them asks for a text that stands nowhere in the process.
"""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tdgen.protocols import Sandbox
from tdgen.sandbox.programs import Awkward, Hostile, HostileClass, awkward, hostile, hostile_classes
from tdgen.types import Job, Limits, Observation, Probe, Wire
from tdgen.types.cases import plain_world
from tdgen.values.decode import decode
from tdgen.values.equality import Relation, agrees
from tdgen.values.readers import Unreadable

REFUSAL = ("builtins.ValueError", "not enough")
_EXACT = Relation(exact_int=True)
_TWICE = "till = Till(1)\ntill.pay_in(5)"


@dataclass(frozen=True)
class Asked:
    """A case: its probe, the value that the call must give (None where it must refuse), and the values afterwards."""

    probe: Probe
    value: Any
    after: tuple[Any, ...] = ()

    def passes(self, observation: Observation) -> bool:
        """Whether what was observed is what the case asks for."""
        if self.value is None:
            raised = observation.raised if observation.status == "raised" else None
            right = raised is not None and REFUSAL[0] in raised.types and raised.message == REFUSAL[1]
        else:
            right = observation.status == "returned" and _is(self.value, observation.value)
        return right and len(observation.after) == len(self.after) and all(map(_is, self.after, observation.after))


def _is(expected: Any, observed: Wire) -> bool:
    """Whether a value that came out of the sandbox is the expected one."""
    try:
        return agrees(expected, decode(observed), _EXACT)
    except Unreadable:
        return False


def cases() -> tuple[Asked, ...]:
    """The cases of a till, in the order in which one job runs them; the word to be sealed is another each time."""
    word = f"held-out-{secrets.token_hex(8)}"
    return (
        _case("starts with", "till = Till(7)", "till.balance", 7),
        _case("pays in", _TWICE, "till.pay_in(2)", 8, {"till.balance": 8}),
        _case("refuses", "till = Till(5)", "till.take(6)", None, {"till.balance": 5}),
        _case("entries", _TWICE + "\ntill.pay_in(2)", "till.entries", [5, 2]),
        _case("lists", _TWICE + "\ntill.pay_in(2)", "[entry for entry in till.entries]", [5, 2]),
        _case("shows", "till = Till(5)", "repr(till)", "Till(5)"),
        _case("seals", "till = Till()", f"till.seal('{word[::-1]}')", word),
        _case("kinds", "", "[isinstance(5, Till), issubclass(int, Till), type(Till(1)) is Till]", [False, False, True]),
        _case("as a set", "till = Till(7)", "{till.balance, 8}", {7, 8}),
        _case("as a key", "till = Till(7)", "{till.balance: 'x'}", {7: "x"}),
        _case("pickled", "import pickle\ntill = Till(7)", "pickle.loads(pickle.dumps(till)).balance", 7),
        _case("as a base", "class Own(Till):\n    pass\nown = Own(4)", "own.pay_in(2)", 6, {"type(own) is Own": True}),
        _case("shares nothing", "one, other = Till(1), Till(9)\none.pay_in(2)", "other.entries", []),
        _case("starts anew", "till = Till()", "till.entries", []),
    )


def _case(name: str, setup: str, call: str, value: Any, after: dict[str, Any] | None = None) -> Asked:
    after = after or {}
    return Asked(Probe(name=name, setup=setup, call=call, after=tuple(after)), value, tuple(after.values()))


def passed(sandbox: Sandbox, source: str, limits: Limits) -> frozenset[str]:
    """The names of the cases that a module passes, all of them evaluated in one job."""
    asked = cases()
    job = Job(module="till", source=source, probes=tuple(case.probe for case in asked), limits=limits)
    observations = {one.name: one for one in sandbox.run(job).observations}
    return frozenset(case.probe.name for case in asked if case.passes(observations[case.probe.name]))


LIMITS = Limits(wall_s=1.0, cpu_s=2.0, memory_mb=256, file_mb=16, output_kb=256)
_IMPATIENT = LIMITS.model_copy(update={"wall_s": 0.5})
_SECRET_MODE = 0o666
_AFTERWARDS = """
import fcntl, json, os, stat, time
def is_free():  # the device is everybody's: others share it, or hold it for a moment; what is left stays
    for _ in range(50):
        try:
            with open(os.devnull, 'r+') as null:
                fcntl.flock(null, fcntl.LOCK_SH | fcntl.LOCK_NB)
                fcntl.lockf(null, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return True
        except OSError:
            time.sleep(0.01)
    return False
with open('room', 'wb') as file:
    file.write(bytes(1 << 20))
found = [
    sorted(os.listdir('..')) == ['0', '0.tmp'],
    stat.S_IMODE(os.stat('..').st_mode) == 0o700,
    json.loads('1') == 1,
    is_free(),
    not any(fcntl.fcntl(fd, fcntl.F_GETFL) & (os.O_APPEND | os.O_NONBLOCK) for fd in (0, 1, 2)),
]
"""


@dataclass(frozen=True)
class Result:
    """What came of one program; `held` also where an awkward one did as it should. `why` says what was wrong."""

    program: str
    held: bool
    why: str = ""


@dataclass(frozen=True)
class Site:
    """What lies outside for the hostile to reach for, and listeners that notice who does."""

    secret: Path
    token: str
    listeners: tuple[socket.socket, ...]
    names: dict[str, Any]

    def touched(self) -> str:
        """What was done to it, or nothing."""
        if not self.secret.exists() or self.secret.read_text() != self.token:
            return "the file outside was changed"
        facts = self.secret.stat()
        if facts.st_mode & 0o777 != _SECRET_MODE or facts.st_mtime == 1:
            return "the mode or time of the file outside was changed"
        if sorted(path.name for path in self.secret.parent.iterdir()) != ["secret", "socket"]:
            return "something was made outside"
        for listener in self.listeners:
            try:
                listener.accept() if listener.type == socket.SOCK_STREAM else listener.recv(1)
            except BlockingIOError:
                continue
            return "somebody connected from inside"
        return ""


@contextmanager
def site() -> Iterator[Site]:
    """A folder with a secret in it, and sockets that listen on it, by TCP, and in the abstract."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tdgen-outside-")))
        token, abstract = secrets.token_hex(16), f"tdgen-{secrets.token_hex(8)}"
        (folder / "secret").write_text(token)
        folder.chmod(0o777)
        (folder / "secret").chmod(_SECRET_MODE)
        addresses: list[tuple[int, Any]] = [
            (socket.AF_INET, ("127.0.0.1", 0)),
            (socket.AF_UNIX, str(folder / "socket")),
            (socket.AF_UNIX, f"\0{abstract}"),
        ]
        listeners = []
        for family, address in addresses:
            listener = stack.enter_context(socket.socket(family))
            listener.bind(address)
            listener.listen()
            listener.settimeout(0)
            listeners.append(listener)
        names = {"secret": str(folder / "secret"), "folder": str(folder), "pid": os.getpid(), "abstract": abstract}
        names.update(tcp=listeners[0].getsockname()[1], socket=str(folder / "socket"))
        yield Site(folder / "secret", token, tuple(listeners), names)


PROJECT_MODULE = "shop.pricing"
_PROJECT = {
    "shop/__init__.py": "from .pricing import attempt\n",
    "shop/pricing.py": "def attempt(site):\n    return 'the module is the project's own'\n",
    "shop/money.py": "REAL = True\nKEPT = []\n",
}


@dataclass(frozen=True)
class Project(Site):
    """A user's project to reach for, with a secret beside it. `files` is all that is in it, as it was made."""

    root: Path
    files: dict[str, tuple[int, bytes]]

    def touched(self) -> str:
        """What was done to it, or to what lies beside it, or nothing."""
        return "the project was changed" if _files(self.root) != self.files else super().touched()


@contextmanager
def project() -> Iterator[Project]:
    """A project in a folder of its own, with links to what lies outside."""
    with site() as outside, tempfile.TemporaryDirectory(prefix="tdgen-project-") as folder:
        root = Path(folder, "a project")
        (root / "shop").mkdir(parents=True)
        for path in (Path(folder), root, root / "shop"):
            path.chmod(0o777)
        for name, text in _PROJECT.items():
            (root / name).write_text(text)
            (root / name).chmod(_SECRET_MODE)
        (root.parent / "secret").write_text(outside.token)
        (root / "out").symlink_to(outside.secret)
        (root / "above").symlink_to(root.parent)
        names = {**outside.names, "project": str(root), "file": str(root / "shop" / "money.py")}
        yield Project(outside.secret, outside.token, outside.listeners, names, root, _files(root))


def _files(root: Path) -> dict[str, tuple[int, bytes]]:
    """The modes and contents of all files and folders, by path."""
    paths = [path for path in sorted(root.rglob("*")) if not path.is_symlink()]
    return {str(path): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"") for path in paths}


def try_hostile(
    sandbox: Sandbox, program: Hostile, outside: Site, limits: Limits = _IMPATIENT, module: str = "hostile"
) -> Result:
    """Run a hostile program: is it held, does it leave nothing, and does the sandbox still work?

    What comes to the end of its time is held, however near it was to getting out.
    """
    call, later = f"attempt({outside.names!r})", f"held-out-{secrets.token_hex(8)}"
    probes = (Probe(name=f"{later} 1", call=call), _held_out(call, later))
    report = sandbox.run(Job(module=module, source=program.source, probes=probes, limits=limits))
    if [observation.name for observation in report.observations] != [probe.name for probe in probes]:
        return Result(program.name, held=False, why="there is not one observation for each probe")
    first, second = report.observations
    why = escape(program, first) or outside.touched()
    if not why and later in first.model_dump_json(exclude={"name"}):
        why = "it told of a case before that was run"
    if not why and not second.is_evidence:
        why = f"the next case was not run: {second.detail}"
    if not why and outside.token in report.model_dump_json():
        why = "the report holds what lies outside"
    return Result(program.name, held=not why, why=why) if why else _afterwards(sandbox, program)


def _held_out(call: str, secret: str) -> Probe:
    """A probe of which nothing may be known before it is run."""
    world = plain_world().model_copy(update={"files": {f"{secret}.txt": secret}, "environment": {"LATER": secret}})
    return Probe(
        name=f"{secret} 2",
        call=call,
        setup=f"held = '{secret}'",
        world=world,
        after=(f"'{secret}'",),
        given={"given": secret},
    )


def escape(program: Hostile, observation: Observation) -> str:
    """How it got through, or nothing."""
    if observation.status in program.ends or (observation.status, observation.value) == ("returned", "held"):
        too_much = len(observation.stdout) > LIMITS.output_kb * 1024
        return "it was allowed to print too much" if too_much else ""
    said = observation.raised.message if observation.raised else observation.detail
    return f"it {observation.status} {str(observation.value)[:80]} {said}".strip()


def _afterwards(sandbox: Sandbox, program: Hostile | HostileClass) -> Result:
    """Whether the next job finds nothing of `program` and everything in order."""
    probe = Probe(name="afterwards", setup=_AFTERWARDS, call="all(found)", after=("found",))
    observation = sandbox.run(Job(module="next", source="remembered = 1", probes=(probe,), limits=LIMITS)).observations[
        0
    ]
    in_order = (observation.status, observation.value) == ("returned", True)
    return Result(program.name, held=in_order, why="" if in_order else f"it left something: {observation}")


def try_class(sandbox: Sandbox, program: HostileClass) -> Result:
    """Run a hostile class: is every lie of it seen through, and does it leave nothing?"""
    passing = sorted(program.lies & passed(sandbox, program.source, LIMITS))
    if passing:
        return Result(program.name, held=False, why=f"it passes for right where it lies: {', '.join(passing)}")
    return _afterwards(sandbox, program)


def try_awkward(sandbox: Sandbox, program: Awkward) -> Result:
    """Run an awkward program: does it return what it should?"""
    probe = Probe(name=program.name, function="attempt")
    observation = sandbox.run(
        Job(module="awkward", source=program.source, probes=(probe,), limits=LIMITS)
    ).observations[0]
    right = (observation.status, observation.value) == ("returned", program.value)
    return Result(
        program.name,
        held=right,
        why="" if right else f"{observation.status} {observation.value} {observation.raised} {observation.detail}",
    )


def check(sandbox: Sandbox) -> tuple[Result, ...]:
    """Every program, in order. Takes some ten seconds: a few of them hang until they are ended."""
    with site() as outside:
        held = tuple(try_hostile(sandbox, program, outside) for program in hostile())
    held += tuple(try_class(sandbox, program) for program in hostile_classes())
    return held + tuple(try_awkward(sandbox, program) for program in awkward())
