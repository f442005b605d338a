"""Starting a broker in a container: the inside's programs travel as text over the line to it.

They are removed as soon as they are loaded: nothing of this machine is mounted, and the daemon may be on another one.
"""

from __future__ import annotations

import json
import struct
from functools import cache
from pathlib import Path
from typing import Any

from tdgen.sandbox.docker.container import Container
from tdgen.sandbox.docker.line import Line
from tdgen.sandbox.inside import scratch
from tdgen.sandbox.server import STAND_INS, Plan

_BOOT = """
import json, os, struct, sys, types
from importlib import import_module

def take(size):
    data = b""
    while len(data) < size:
        piece = os.read(0, size - len(data))
        if not piece:
            sys.exit(1)
        data += piece
    return data

order = json.loads(take(struct.unpack("!I", take(4))[0]))
os.environ.clear()
os.environ.update(order["environment"])
put_in_order(Path(order["folder"]))
sys.dont_write_bytecode = True
for name, text in order["programs"].items():
    path = os.path.join(order["unpacked"], name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
sys.path[:] = [path for path in sys.path if path]
for name, folder in order["stand_ins"].items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(order["unpacked"], folder)]
import_module("tdgen.sandbox.inside.broker").main(order["config"], order["unpacked"])
"""


@cache
def programs() -> dict[str, str]:
    """The source of everything that may run inside, by its path below the package."""
    root = Path(__file__).parents[2]
    folders = [root / STAND_INS[name] for name in ("tdgen.sandbox.inside", "tdgen.values")]
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in paths}


def command(plan: Plan) -> list[str]:
    """What a container is to execute for it."""
    return [plan.interpreter.program, "-s", "-S", "-c", Path(scratch.__file__).read_text(encoding="utf-8") + _BOOT]


def order(plan: Plan, folder: str, config: dict[str, Any]) -> bytes:
    """What the broker reads first: all that it needs, to be unpacked in `folder`."""
    told = {
        "programs": programs(),
        "stand_ins": STAND_INS,
        "environment": plan.environment(),
        "folder": folder,
        "unpacked": f"{folder}/broker",
        "config": config,
    }
    text = json.dumps(told).encode("ascii")
    return struct.pack("!I", len(text)) + text


def execute(container: Container, slot: tuple[str, int], plan: Plan) -> Line:
    """A process in the container that waits for its order. ServerLost where the container is gone."""
    return container.execute(command(plan), slot[1], plan.environment())
