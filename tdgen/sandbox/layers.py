"""The layers of the local sandbox by name, which of them are in force, and which are the least there must be."""

from __future__ import annotations

from typing import Any

from tdgen.sandbox.inside.orders import Order
from tdgen.sandbox.observing import printable
from tdgen.sandbox.server import NOTHING, Allowance, Opened, Server, ServerLost, converse
from tdgen.types import Layer, Limits

ALL = (
    "seccomp",
    "Landlock",
    "mount namespace",
    "rlimits",
    "no_new_privs",
    "capabilities",
    "unprivileged user",
    "user namespace",
    "pid namespace",
    "network namespace",
    "ipc namespace",
    "uts namespace",
)
_ALWAYS = ("seccomp", "rlimits", "no_new_privs", "unprivileged user")
_EITHER = ("Landlock", "mount namespace")
_PROBE_S = 5.0

_ORDER = Order({"limits": Limits().model_dump(), "layers": True}, b"{}")


def found(server: Server, names: tuple[str, ...] = ALL) -> tuple[Layer, ...]:
    """Try in a confined child what it can't do, and tell layer by layer which of `names` are in force."""
    answers: list[dict[str, Any]] = []

    def accept(content: dict[str, Any]) -> bool:
        answers.append(content)
        return len(answers) == 1

    converse(server, _ORDER, accept, Allowance(), wall_s=_PROBE_S, restart=False)
    if not answers:
        raise ServerLost("the probe of the layers told nothing")
    details = {**server.enforced, **answers[0]}
    return tuple(
        Layer(name=name, enforced=name in details, detail=printable(str(details.get(name, "")))) for name in names
    )


def missing(layers: tuple[Layer, ...]) -> tuple[str, ...]:
    """What is lacking of the least that there must be; empty where it is enough."""
    enforced = {layer.name for layer in layers if layer.enforced}
    lacking = [name for name in _ALWAYS if name not in enforced]
    if not enforced.intersection(_EITHER):
        lacking.append(" or ".join(_EITHER))
    return tuple(lacking)


def describe(kind: str, layers: tuple[Layer, ...], opened: Opened = NOTHING) -> str:
    """One line such as `local: seccomp, Landlock ABI 7, mount namespace, rlimits, …, uid 65534; network off`."""
    enforced = {layer.name: layer.detail for layer in layers if layer.enforced}
    if not enforced:
        return f"{kind}: nothing is enforced"
    short = {"Landlock": f"Landlock {enforced.get('Landlock', '')}", "capabilities": "no capabilities"}
    short["unprivileged user"] = enforced.get("unprivileged user", "")
    names = ", ".join(short.get(name, name) for name in enforced)
    network = str(opened) if "seccomp" in enforced or "network namespace" in enforced else "network open"
    return f"{kind}: {names}; {network}"
