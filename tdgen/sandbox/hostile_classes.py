"""Classes that lie about equality, class, hash, attributes or length: whether the judge's values see through each.

What is compared has left the sandbox as plain data; a class's own methods say nothing of it. The cases are those of a
till, as a test author would write them, and one of them asks for a text that stands nowhere in the process.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from tdgen.protocols import Sandbox
from tdgen.sandbox.programs import HostileClass
from tdgen.types import Job, Limits, Observation, Probe, Wire
from tdgen.values.decode import decode
from tdgen.values.equality import agrees
from tdgen.values.readers import Unreadable
from tdgen.values.relation import Relation

REFUSAL = ("builtins.ValueError", "not enough")
_EXACT = Relation(exact_int=True)
_TWICE = "till = Till(1)\ntill.pay_in(5)"


@dataclass(frozen=True)
class Asked:
    """A case: its probe, the value that the call must give (None where it must refuse), and the values afterwards."""

    probe: Probe
    value: Any
    after: tuple[Any, ...] = ()

    def passes(self, seen: Observation) -> bool:
        """Whether what was observed is what the case asks for."""
        if self.value is None:
            raised = seen.raised if seen.status == "raised" else None
            right = raised is not None and REFUSAL[0] in raised.types and raised.message == REFUSAL[1]
        else:
            right = seen.status == "returned" and _is(self.value, seen.value)
        return right and len(seen.after) == len(self.after) and all(map(_is, self.after, seen.after))


def _is(expected: Any, seen: Wire) -> bool:
    """Whether a value that came out of the sandbox is the expected one."""
    try:
        return agrees(expected, decode(seen), _EXACT)
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
    seen = {one.name: one for one in sandbox.run(job).observations}
    return frozenset(case.probe.name for case in asked if case.passes(seen[case.probe.name]))


def lies_that_pass(sandbox: Sandbox, program: HostileClass, limits: Limits) -> str:
    """The cases that a class lies about and passes all the same, by name; empty where it is seen through."""
    return ", ".join(sorted(program.lies & passed(sandbox, program.source, limits)))
