"""Code in JavaScript as functions of Python: calls go to a Node process, which is started once and kept.

Each probe has a context of its own there. Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import json
import resource
from typing import Any, Callable  # noqa: UP035 - Python 3.9

from tdgen.languages.bridge import Code
from tdgen.languages.program import Program, new_nonce, program_at

_MIB = 1024 * 1024
_LEAST, _MOST = 64, 4096
_running: dict[str, Node] = {}


class Node:
    """One Node process, which holds one context at a time."""

    def __init__(self, setup: dict[str, Any], limit: Callable[[], None] | None = None) -> None:
        def words() -> list[str]:
            heap = resource.getrlimit(resource.RLIMIT_AS)[0] // _MIB - setup["overhead"]
            return [
                f"--max-old-space-size={min(max(heap, _LEAST), _MOST)}",
                "--disallow-code-generation-from-strings",
                "--no-warnings",
                "--v8-pool-size=0",
                "-e",
                setup["host"],
            ]

        self.program = Program(program_at(setup["program"]), words, {"TZ": "UTC", "LANG": "C.UTF-8"}, limit)
        self.waited = limit is not None

    def ask(self, **order: Any) -> Any:
        """What it answers to an order."""
        nonce = new_nonce()
        text = json.dumps({**order, "nonce": nonce.decode()})
        try:
            return json.loads(self.program.ask(text.encode(), nonce).decode("utf-8", "surrogatepass"))
        except BaseException:  # whoever asks was interrupted: what it says next is the answer to this
            _running.pop("node", None)
            self.program.close()
            raise


def warm(setup: dict[str, Any], limit: Callable[[], None], scratch: str) -> None:
    """Start Node before there is a job."""
    _running["waiting"] = Node(setup, limit)


def opened(setup: dict[str, Any], namespace: dict[str, Any]) -> None:
    """Bind the planned names in `namespace` to functions that call the code of `setup`, in a fresh context."""
    waiting = _running.pop("waiting", None)
    if "node" not in _running:
        _running["node"] = waiting if waiting and waiting.program.serves() else Node(setup)
    node = _running["node"]
    said = node.ask(op="open", **{key: setup[key] for key in ("source", "above", "names")})
    if said[0] == "fault":
        where = f"line {said[3]}: " if said[3] > 0 else ""
        raise type(said[1], (Exception,), {"__module__": "javascript"})(f"{where}{said[2]}")

    def ask(name: str, values: Any) -> Any:
        outcome, *others = node.ask(op="call", name=name, given=json.dumps(values), isAsync=name in setup["async"])
        if outcome[0] == "pending":
            outcome = ["raised", "NeverSettled", "it gave a promise that never settles", []]
        elif outcome[0] == "unreadable":
            outcome = ["opaque", outcome[1]]
        elif outcome[0] == "raised" and not code.knows(outcome[1]):
            # a slip within is told with its line, from the stack that the engine wrote: no case expects its message
            line = "".join(outcome[4:]).partition("solution:")[2].partition(":")[0]
            if line.isdigit():
                outcome = [*outcome[:2], f"{outcome[2]} (line {line})", outcome[3]]
        return outcome[:4], *others

    code = Code(setup, namespace, ask)
