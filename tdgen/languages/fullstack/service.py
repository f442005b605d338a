"""The service as a page has it: an application in a process of its own, which answers the page's requests.

Its code never runs in the process that drives the browser and tells what a page shows; what comes back from it is the
text of answers. Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import types
from typing import Any

from tdgen.languages.program import LOST, MOST_LINE

_running: dict[str, Process] = {}


class Process:
    """A fork that runs a module's source and asks the applications that its functions make. It ends with this one."""

    def __init__(self, source: str, contract: str) -> None:
        ask, self._out = os.pipe()
        self._in, answer = os.pipe()
        self._waiting = b""
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _serve(source, contract, ask, answer)
            finally:
                os._exit(LOST)
        os.close(ask)
        os.close(answer)

    def ask(self, **order: Any) -> Any:
        """What it says to an order. Where it ends, or says what is no answer, this process ends too."""
        data = memoryview(json.dumps(order).encode() + b"\n")
        try:
            while data:
                data = data[os.write(self._out, data) :]
            while b"\n" not in self._waiting:
                more = os.read(self._in, 1 << 16)
                if not more or len(self._waiting) > MOST_LINE:
                    os._exit(LOST)
                self._waiting += more
            line, _, self._waiting = self._waiting.partition(b"\n")
            kind, content = json.loads(line)
        except (OSError, ValueError, TypeError):
            os._exit(LOST)
        return str(kind), content

    def close(self) -> None:
        """End it."""
        os.close(self._out)
        os.close(self._in)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class Application:
    """What a page is served by: an application that the other process made."""

    def __init__(self, process: Process, number: int) -> None:
        self._process, self._number = process, number

    def answered(self, method: str, url: str, headers: dict[str, str], body: str | None) -> dict[str, Any]:
        """Its answer: status, headers and body. One that raises answers as a server does for it."""
        kind, answer = self._process.ask(app=self._number, method=method, url=url, headers=headers, body=body or "")
        if kind != "answer":
            answer = [500, [["content-type", "text/plain"]], "Internal Server Error"]
        status, pairs, text = answer
        wanted = {str(name): str(value) for name, value in pairs if str(name).lower() in ("content-type", "location")}
        return {"status": int(status), "headers": wanted, "body": str(text)}


def opened(setup: dict[str, Any], namespace: dict[str, Any]) -> None:
    """Bind the names of what makes an application to functions that have the other process make it."""
    before = _running.pop("service", None)
    if before:
        before.close()

    def process() -> Process:
        if "service" not in _running:
            for package in setup["packages"]:  # once in this process: each case's fork has them then
                importlib.import_module(package)
            _running["service"] = Process(setup["source"], setup["contract"])
        return _running["service"]

    def maker(name: str) -> Any:
        def make(*given: Any, **named: Any) -> Application:
            kind, content = process().ask(make=name, given=given, named=named)
            if kind == "unwritten":
                raise namespace["_Unwritten"](f"{name} is not written yet")
            if kind != "made":
                raise type(content[0] if str(content[0]).isidentifier() else "Error", (Exception,), {})(str(content[1]))
            return Application(process(), int(content))

        return make

    for name in setup["makers"]:
        namespace[name] = maker(name)


def _serve(source: str, contract: str, ask: int, answer: int) -> None:
    """Be the service: nothing is open here but the two pipes, so that it reaches no browser and tells no result."""
    os.dup2(ask, 3)
    os.dup2(answer, 4)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.closerange(5, 4096)
    sys.stdout = sys.stderr = os.fdopen(0, "w", encoding="utf-8")
    orders = os.fdopen(3, encoding="utf-8")  # before the code is run, which may take anything away
    asking: dict[str, Any] = {"__name__": "contract"}
    exec(compile(contract, "contract", "exec"), asking)  # noqa: S102 - a file of this package
    module = sys.modules["service"] = types.ModuleType("service")  # where dataclasses look for the names of their types
    held = vars(module)
    failed: list[BaseException] = []
    try:
        exec(compile(source, "service", "exec"), held)  # noqa: S102 - the code that is judged
    except BaseException as error:  # noqa: BLE001 - told to whoever asks
        failed.append(error)
    apps: list[Any] = []
    for line in orders:
        result = _done(json.loads(line), held, apps, asking["ask"], failed)
        os.write(4, json.dumps(result).encode() + b"\n")


def _done(order: dict[str, Any], held: dict[str, Any], apps: list[Any], ask: Any, failed: list[BaseException]) -> Any:
    try:
        if failed:
            raise failed[0]
        if "make" in order:
            apps.append(held[order["make"]](*order["given"], **order["named"]))
            return ["made", len(apps) - 1]
        app, body = apps[order["app"]], order["body"].encode()
        status, headers, data = ask(app, order["method"], order["url"], order["headers"], body)
        return ["answer", [status, headers, data.decode("utf-8", "replace")]]
    except BaseException as error:  # noqa: BLE001 - as a server has it
        kind = "unwritten" if type(error).__name__ == "_Unwritten" else "raised"
        return [kind, [type(error).__name__, str(error)[:500]]]
