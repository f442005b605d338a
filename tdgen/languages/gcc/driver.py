"""Compiled code as functions of Python: compiled once in a process, with sanitizers, and run in forks of the program.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
from typing import Any

from tdgen.languages.bridge import Code, Unwritable
from tdgen.languages.program import LOST, Program, new_nonce, program_at

_MIB = 1024 * 1024
_MOST_TOLD = 1500
_UNDEFINED = {"__module__": "undefined"}
_KEPT = "/kept"
"""Where the sandbox shows programs that are kept: `tdgen.sandbox.inside.mounts.KEPT`."""
_BUILT: dict[str, tuple[_Running | None, str, set[str]]] = {}
_UNWRITTEN, _NOT_THERE = 87, 64
_SOURCE = re.compile(r"\S*\bsolution\.c:|(?: on(?: address)?)? 0x[0-9a-f]+")  # addresses differ from run to run


def opened(setup: dict[str, Any], namespace: dict[str, Any]) -> None:
    """Bind the planned names in `namespace` to functions that run the program of `setup`."""
    key = setup["program"]
    if key not in _BUILT:
        _BUILT[key] = _begun(setup)
    program, fault, refused = _BUILT[key]
    if not program or str(setup["variant"]) in refused:
        raise type("CompileError", (Exception,), {"__module__": os.path.basename(setup["compiler"])})(fault)  # noqa: PTH119

    program.begin()
    keeps = "__screened__" in namespace or any("members" in unit for unit in setup["units"].values())
    faults: list[BaseException] = []

    def ask(name: str, values: Any) -> Any:
        unit = setup["calls"][name]
        given = b"".join(packed(value, shape, setup["fields"]) for value, shape in zip(values, unit["plain"]))  # noqa: B905
        if not setup["has_nul"] and b"\0" in given:
            raise Unwritable("a text with a NUL in it can't be passed")
        try:
            return _asked(program, name, given, setup)
        except _Undefined as fault:
            faults.append(fault)
            raise
        except _Gone:  # an object that ended with its process: so does what is asked of it
            if faults:
                raise faults[-1] from None
            os._exit(LOST)
        finally:
            if not keeps:
                program.begin()

    Code(setup, namespace, ask)


def _begun(setup: dict[str, Any]) -> tuple[_Running | None, str, set[str]]:
    """The program, at work, or what the compiler says against the source; and which of its versions are left out.

    It is the one that is kept, where one is: see `tdgen.languages.gcc.building`.
    """
    path = f"{_KEPT}/{setup['program']}"
    try:
        with open(f"{path}.json", encoding="utf-8") as file:  # noqa: PTH123
            fault, refused = json.load(file)
    except OSError:
        path, fault, refused = _built(setup)
    if not fault and not os.path.exists(path):  # noqa: PTH110 - newer ones took its place
        path, fault, refused = _built(setup)
    if fault:
        return None, fault, set(refused)
    most = resource.getrlimit(resource.RLIMIT_CPU)[0]
    half = int(max(1, most - setup["overhead_s"], most / 2) / 2) or 1  # of what a case has beside the compiler, mostly
    seconds = setup["call_s"] or (half if most > 0 else 30)
    return _Running(path, setup["environment"], seconds), "it does not compile", set(refused)


def program(setup: dict[str, Any]) -> tuple[bytes, str, list[str]]:
    """The program as bytes, none where there is none, and the rest as above: nothing of it is run."""
    path, fault, refused = _built(setup)
    if fault:
        return b"", fault, refused
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read(), fault, refused


def _built(setup: dict[str, Any]) -> tuple[str, str, list[str]]:
    """Where the program is, if it is; what the compiler says against the source, and the versions that are left out."""
    source = setup["source"]
    path, fault, log = _compiled(source, setup)
    refused = sorted(set(re.findall(r"version_(\d+)\.c", log))) if fault else []
    if refused:
        numbers = "|".join(refused)
        source = re.sub(rf"/\*tdgen from ({numbers})\*/.*?/\*tdgen to \1\*/", "", source, flags=re.DOTALL)
        path, fault, log = _compiled(source, setup)
    return path, fault, refused


def _compiled(source: str, setup: dict[str, Any]) -> tuple[str, str, str]:
    """Where the program is, if it is, and what the compiler says against the source, in short and as it said it."""
    above = os.path.dirname(os.getcwd())  # noqa: PTH109, PTH120 - what a probe leaves in its own folder is looked at
    path, program = f"{above}/code.{setup['suffix']}", f"{above}/{setup['program']}"
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
        file.write(source)
    most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (setup["compiler_mb"] * _MIB, most[1]))
    try:
        ready = setup["precompiled"]
        first = ["-include", ready] if ready and os.path.exists(f"{ready}.gch") else []  # noqa: PTH110
        words = [program_at(setup["compiler"]), *setup["flags"], *first, path, "-o", program, *setup["libraries"]]
        with open(f"{above}/log", "w+b") as file:  # noqa: PTH123
            place = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": above}
            status = subprocess.run(words, stdout=file, stderr=subprocess.STDOUT, env=place).returncode  # noqa: S603
            file.seek(0)
            log = file.read(_MIB).decode("utf-8", "replace")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, most)
    if status == 0:
        return program, "", log
    errors = (
        list(dict.fromkeys(line for line in log.splitlines() if "error: " in line or "undefined reference" in line))
        or log.splitlines()[-1:]
        or [f"it ended with {status}"]
    )
    if "undefined reference" in errors[0]:
        errors.insert(1, "no function has that name and these types: its head is to be the contract's")
    message = "\n".join(errors[:3]).replace(f"{path}:", "").replace("solution.c:", "line ")
    return program, message[:_MOST_TOLD], log


class _Running(Program):
    """A program at work, which makes calls in forks of itself, and the files that these write to."""

    def __init__(self, path: str, environment: dict[str, str], seconds: int) -> None:
        self.seconds = seconds
        self._is_used = self._is_ending = False  # whether calls were made in the process there is, and its end is due
        folder = os.path.dirname(os.getcwd())  # noqa: PTH109, PTH120
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC
        self._files = [os.open(f"{folder}/{end}", flags) for end in ("out", "err", "told")]
        streams = tuple(zip(self._files, (1, 2, 3)))  # noqa: B905 - Python 3.9
        super().__init__(path, lambda: [str(seconds)], environment, ends=(0, 4), streams=streams)

    def begin(self) -> None:
        """Have the next call made in a process of its own, which is made at once."""
        if self._is_used:
            self._is_used, self._is_ending = False, True
            try:
                self.write(b"0\n")
            except Program.Gone:
                os._exit(LOST)

    def call(self, given: bytes, nonce: bytes) -> tuple[int | None, list[bytes]]:
        """What was printed and told, and how its process ended, where it did so before it had answered."""
        try:
            if self._is_ending:
                self.read(b"\n")
                self._is_ending = False
            for fd in self._files:
                os.ftruncate(fd, 0)
                os.lseek(fd, 0, os.SEEK_SET)
            self.write(b"%d\n%s" % (len(given), given))
            answer = self.read(b"\n")
        except Program.Gone:
            os._exit(LOST)
        except BaseException:  # whoever asks was interrupted: what it says next is the answer to this
            os.kill(self.pid, signal.SIGKILL)
            _BUILT.clear()
            raise
        if answer != nonce and not answer.isdigit():
            os._exit(LOST)
        self._is_used = answer == nonce
        status = None if self._is_used else os.waitstatus_to_exitcode(int(answer))
        return status, [os.pread(fd, 16 * _MIB, 0) for fd in self._files]


class _Undefined(BaseException):
    """What ended the process in which a call was made."""


class _Gone(BaseException):
    """A call names an object that is not there."""


def _asked(program: _Running, name: str, given: bytes, setup: dict[str, Any]) -> Any:
    """One call: how it ended, and what it printed. Where the code ended its process, so does this one."""
    unit, nonce = setup["calls"][name], new_nonce()
    order = b"%s\n%d\n%d\n%s" % (nonce, setup["variant"], unit["number"], given)
    status, (printed, complained, answer) = program.call(order, nonce)
    log = complained.decode("utf-8", "replace")
    if report := _report(log):
        raise type("Sanitizer", (_Undefined,), _UNDEFINED)(report)
    if status == -signal.SIGXCPU:
        raise type("Timeout", (_Undefined,), _UNDEFINED)(f"no result within {program.seconds} s")
    if status == -signal.SIGABRT and log.strip():
        raise type("Aborted", (_Undefined,), _UNDEFINED)(log.strip()[-_MOST_TOLD:])
    if status == _UNWRITTEN:
        return ["unwritten", name], [], "", ""
    if status == _NOT_THERE:
        raise _Gone
    try:
        if status is not None or answer[:32] != nonce:
            os._exit(LOST)
        outcome, after = json.loads(answer[32:])
    except ValueError:  # cut off: it is more than is read
        os._exit(LOST)
    if outcome[0] == "lost":
        report = f"memory is lost: {outcome[1][1]} bytes that it allocated are neither freed nor given back"
        raise type("Sanitizer", (_Undefined,), _UNDEFINED)(report)
    return outcome, after, printed.decode("utf-8", "replace"), log


def _report(log: str) -> str:
    """What a sanitizer says of the run, in a line or a few; empty where none does."""
    lines = log.splitlines()
    for number, line in enumerate(lines):
        said = line if "runtime error: " in line else ""
        if "ERROR: AddressSanitizer" in line:
            where = [
                one.partition(" in ")[2]
                for one in lines[number : number + 30]
                if "solution.c:" in one.partition(" in ")[2]
            ]
            places = " / ".join(map(str.strip, where[:3]))
            said = f"{line.partition('ERROR: ')[2].partition(' (pc')[0].partition(' at pc')[0]} {places}"
        if said:
            return _SOURCE.sub(lambda found: "line " if found[0].endswith(":") else "", said)[:_MOST_TOLD]
    return ""


def packed(value: Any, shape: Any, fields: dict[str, Any]) -> bytes:
    """A tagged value as the program reads it; Unwritable where it is none of the shape."""
    kind = shape[0]
    if kind == "maybe":
        return b"0\n" if value is None else b"1\n" + packed(value, shape[1], fields)
    if kind in ("int", "bool") and isinstance(value, bool):
        return b"%d\n" % value
    if kind == "str" and isinstance(value, str):
        try:
            data = value.encode("utf-8")
        except UnicodeEncodeError:
            raise Unwritable("a lone surrogate is no text in UTF-8") from None
        return b"%d\n%s" % (len(data), data)
    if isinstance(value, list):
        return _packed_parts(value, shape, fields)
    raise Unwritable(f"{value!r} is no {kind}, as the contract says")


def _packed_parts(plain: Any, shape: Any, fields: dict[str, Any]) -> bytes:
    kind, tag, inner = shape[0], plain[0], plain[1]
    if kind == "float" and tag == "n":
        return float(inner).hex().encode() + b"\n"
    if kind in ("int", "byte") and tag == "n" and inner.lstrip("-").isdigit():
        if not -(2**63) <= int(inner) < 2**63:
            raise Unwritable(f"{inner} is beyond what 64 bits hold")
        return b"%d\n" % int(inner)
    if kind in ("list", "set") and tag in ("l", "s", "y"):
        items = [["n", str(byte)] for byte in bytes.fromhex(inner)] if tag == "y" else inner
        return b"%d\n" % len(items) + b"".join(packed(item, shape[1], fields) for item in items)
    if kind == "dict" and tag == "m":
        pairs = (packed(k, shape[1], fields) + packed(v, shape[2], fields) for k, v in inner)
        return b"%d\n" % len(inner) + b"".join(pairs)
    if kind == "tuple" and tag == "l" and len(inner) == len(shape[1]):
        return b"".join(packed(item, of, fields) for item, of in zip(inner, shape[1]))  # noqa: B905 - Python 3.9
    if kind == "object" and tag == "h" and inner in fields[shape[1]] and plain[2] >= 0:
        return b"%d\n" % plain[2]
    if kind == "record" and tag == "r" and inner == shape[1]:
        return b"".join(packed(value, fields[inner][name], fields) for name, value in plain[2])
    raise Unwritable(f"a value is no {kind}, as the contract says")
