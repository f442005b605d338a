"""Whatever a process sends, and whatever a case says, nothing is raised but what is documented.

Values are drawn in batches from a seed that Hypothesis draws, as it would take minutes to draw each part by itself.
TDGEN_FUZZ_VALUES sets how many.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from tdgen.judge import Expected, agree, judge
from tdgen.judge.compare import differences
from tdgen.pytest_files import render_suite
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.observing import observation
from tdgen.types import Case, FunctionSpec, Job, Limits, Parameter, Plan, Probe, Returns, Suite, Value
from tdgen.values.decode import decode
from tdgen.values.encode import encode
from tdgen.values.equality import Relation
from tdgen.values.readers import READERS, Unreadable
from tdgen.values.show import LIMIT, show_wire


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalSandbox]:
    """One for all runs."""
    with LocalSandbox() as found:
        yield found


VALUES = int(os.environ.get("TDGEN_FUZZ_VALUES", "4000"))
BATCH = 200
SEEDS = st.integers(0, 2**64 - 1)

TAGS = [*READERS, "tuple", "set", "frozenset", "dict", "deque", "dataclass", "namedtuple", "exception", "iterator"]
TAGS += ["sub", "ref", "slice", "enum", "class", "opaque", "ndarray", "index", "series", "frame", "numpy"]
TAGS += ["nat", "nothing"]
NAMES = [
    "items",
    "fields",
    "parts",
    "class",
    "name",
    "v",
    "hex",
    "b64",
    "base",
    "value",
    "args",
    "key",
    "offset",
    "zone",
]
NAMES += ["n", "dtype", "shape", "index", "values", "columns", "kind", "flags", "re", "im"]
NAMES += ["what", "more", "fold", "maxlen"]
LEAVES = [
    None,
    True,
    0,
    1,
    -1,
    2**53,
    10**400,
    sys.hash_info.modulus,
    1.5,
    -0.0,
    1e308,
    float("inf"),
    "",
    "a",
    "\ud800",
]
LEAVES += ["nan", "0x" + "f" * 3000, "-0x1", "9" * 2000, "1e999999999", "int64", "datetime64[ns]", "Timestamp", "NaT"]
LEAVES += ["Europe/Berlin", "\x1b[2J", "PosixPath", "IPv4Network", "Ellipsis", "builtins.dict_keys", "([", [], {}]
HONEST = [
    1,
    -2.5,
    "text",
    (1, "a"),
    {1, 2},
    {"a": [1]},
    frozenset({(1, 2)}),
    b"x",
    range(3),
    slice(1, None),
    1j,
    len,
    ValueError("a"),
]
KINDS = [
    "value",
    "value",
    "value",
    "raised",
    "stdout",
    "detail",
    "status",
    "mutated",
    "after",
    "files",
    "seconds",
    "steps",
]
PIECES = [
    "1",
    "-2.5",
    "'a'",
    "[1, 2]",
    "{1: 'a'}",
    "{1, 2}",
    "(1,)",
    "1j",
    "None",
    "Decimal('sNaN')",
    "Decimal('1e999')",
]
PIECES += [
    "float('nan')",
    "date(1, 1, 1)",
    "datetime(9999, 12, 31)",
    "range(3)",
    "x",
    "f(1)",
    "{",
    "lambda: 1",
    "yield 1",
    "'\0'",
]
PIECES += [
    "0x1" + "0" * 5000,
    "*[1]",
    "**{}",
    "x=1",
    "print('a')",
    "b'a'",
    "Path('a')",
    "iter([1])",
    "'\\ud800'",
    "1 +",
]


def hostile(random: Random, depth: int = 0) -> Any:
    """A node of a wire: mostly of the form of one, its parts mostly of other forms."""
    draw = random.random()
    if draw < 0.25 or depth > 5:
        return random.choice(LEAVES)
    if draw < 0.35:
        return encode(random.choice(HONEST))
    if draw < 0.45:
        return [hostile(random, depth + 1) for _ in range(random.randrange(4))]
    names = random.sample(NAMES, random.randrange(1, 6))
    wire = {name: hostile(random, depth + 1) for name in names}
    if random.random() < 0.6:
        wire["items"] = [hostile(random, depth + 1) for _ in range(random.randrange(3))]
    if random.random() < 0.3:
        wire["class"] = "m.A"
    return {"$": random.choice(TAGS) if random.random() < 0.95 else hostile(random, depth + 1), **wire}


def mutated(random: Random, wire: Any) -> Any:
    """A wire with a part of it replaced."""
    if type(wire) is list and wire and random.random() < 0.8:
        place = random.randrange(len(wire))
        return [*wire[:place], mutated(random, wire[place]), *wire[place + 1 :]]
    if type(wire) is dict and wire and random.random() < 0.8:
        name = random.choice([*wire])
        return {**wire, name: mutated(random, wire[name])}
    return hostile(random, 4)


def drawn(random: Random) -> Any:
    """A wire, hostile or honest with a slip."""
    return hostile(random) if random.random() < 0.6 else mutated(random, encode(HONEST[: random.randrange(12)]))


@settings(deadline=None, max_examples=max(1, VALUES // BATCH))
@given(seed=SEEDS)
def test_no_value_raises_what_is_not_documented(seed):
    """It is read or Unreadable, told in a short line, compared with another and with itself, and judged."""
    random = Random(seed)
    spec = FunctionSpec(name="f", purpose="", returns=Returns(type="list"))
    case = Case(name="c", function="f", expectation=Value(source="1"))
    before: Any = 1
    for _ in range(BATCH):
        wire = drawn(random)
        relation = Relation(
            unordered=random.random() < 0.5, iterated=random.random() < 0.5, exact_int=random.random() < 0.5
        )
        try:
            shown = show_wire(wire)
            assert len(shown) <= LIMIT
            assert shown.isprintable()
            differences([1, 2.5], wire, relation)
            seen = observation(Probe(name="c"), {"status": "returned", random.choice(KINDS): wire}, Limits())
            other = observation(Probe(name="c"), {"status": "returned", "value": before}, Limits())
            verdict = judge(case, spec, seen, Expected(value=1))
            json.loads(verdict.model_dump_json())
            agree(seen, other, case.done, spec)
            try:
                decode(wire)
                differences(wire, before, relation)
                before = wire
            except Unreadable:
                pass
        except Exception:
            note(f"the wire: {wire!r:.2000}")
            raise


@settings(deadline=None, max_examples=max(1, VALUES // 1000))
@given(seed=SEEDS)
def test_no_case_breaks_the_file_that_is_written(seed):
    """Where it can't stand in a test, that is a ValueError and nothing else."""
    random = Random(seed)
    for _ in range(10):
        sources = [random.choice(PIECES) for _ in range(random.randrange(4))]
        annotation = random.choice(
            ["int", "list[int]", "Any", "float | None", " | ".join(["A"] * random.choice([2, 1500]))]
        )
        spec = FunctionSpec(
            name="f",
            purpose="",
            parameters=(Parameter(name="x", type="int"),),
            returns=Returns(type=annotation, unordered=random.random() < 0.3),
        )
        call = " + ".join(["f(1)"] * random.choice([1, 601])) if random.random() < 0.2 else ""
        cases = tuple(
            Case(
                name=f"c{n}",
                function="f",
                arguments=tuple(sources),
                call=call,
                expectation=Value(source=random.choice(PIECES)),
            )
            for n in range(2)
        )
        with contextlib.suppress(ValueError):
            render_suite(Suite(function="f", cases=cases), spec, Plan(module="m", functions=(spec,)))


CANDIDATE = """
import os, struct
def f(frames):
    for fd in range(3, 24):
        for frame in frames:
            try:
                os.write(fd, frame)
            except OSError:
                break
    return 1
"""


@settings(deadline=None, max_examples=max(1, VALUES // 1000))
@given(seed=SEEDS)
def test_no_bytes_break_a_run(sandbox, seed):
    """Whatever a candidate writes where its observation should come from: there is one observation for each probe."""
    random = Random(seed)
    frames = []
    for _ in range(3):
        told = {"index": random.randrange(3), "status": "returned", random.choice(KINDS): drawn(random)}
        body = json.dumps(told).encode() if random.random() < 0.8 else random.randbytes(random.randrange(40))
        size = len(body) if random.random() < 0.9 else random.randrange(2**32)
        frames.append(size.to_bytes(4, "big") + body)
    probes = tuple(Probe(name=str(n), call=f"f({frames!r})") for n in range(2))
    report = sandbox.run(Job(module="m", source=CANDIDATE, probes=probes, limits=Limits(wall_s=0.3, cpu_s=2.0)))
    assert [one.name for one in report.observations] == ["0", "1"]
    report.model_dump(mode="python")
