"""A rendered test passes where the judge would: on right implementations, and on none that is wrong in one respect.

But for what Python's `==` takes for equal: True is 1 to it, and 1.0 is 1.
"""

from __future__ import annotations

import pytest

from tdgen.judge import Oracle, candidate_probe
from tdgen.specs.declarations import declare_types
from tdgen.types import After, Check, ExpectedException, Job, Logged, SharedType, Tolerance, Value, World

NONE = Value(source="None")
FULL = SharedType(name="Full", kind="exception", base="OverflowError")
CASES = {
    "printed": {"expectation": NONE, "stdout": "1\n"},
    "printed_nothing": {"expectation": NONE, "stdout": ""},
    "written": {"expectation": NONE, "files": {"out/a.txt": "é\n"}},
    "changed": {"expectation": NONE, "world": World(files={"a.txt": "old"}), "files": {"a.txt": "new\r\n"}},
    "read": {"expectation": Value(source="'x'"), "world": World(stdin="x\ny\n")},
    "environment": {"expectation": Value(source="'x'"), "world": World(environment={"NAME": "x"})},
    "clock": {"expectation": Value(source="'2024-02-29 12:00:01'"), "world": World(clock="2024-02-29T12:00:01")},
    "seed": {"expectation": Value(source="random.Random(3).random()"), "world": World(seed=3)},
    "raised": {"expectation": ExpectedException(type="ValueError", match="^a .b.$")},
    "raised_own": {"expectation": ExpectedException(type="Full")},
    "raised_by_name": {"expectation": ExpectedException(type="json.JSONDecodeError")},
    "after": {
        "setup": "items = [1, 2]",
        "call": "f(items)",
        "expectation": NONE,
        "after": (After(expression="items", source="[2, 1]"),),
    },
    "after_close": {
        "setup": "items = [0.1]",
        "call": "f(items)",
        "expectation": Value(source="1.0", tolerance=Tolerance(rel=0.1)),
        "after": (After(expression="items[0]", source="0.3"),),
    },
    "expected_of_setup": {
        "setup": "items = [3, 1, 2]",
        "call": "f(items)",
        "expectation": Value(source="sorted(items)"),
    },
    "alias_of_setup": {"setup": "items = [3, 1]", "call": "f(items)", "expectation": Value(source="items")},
    "variable_like_a_module": {
        "setup": "dt = datetime.datetime(2024, 2, 29)",
        "call": "f(dt.year)",
        "expectation": Value(source="dt.year + datetime.timedelta(1).days"),
    },
    "check": {"arguments": ("[3, 1, 2]",), "expectation": Check(source="sorted(x) == result")},
    "check_of_setup": {
        "setup": "items = [3, 1, 2]",
        "call": "f(items)",
        "expectation": Check(source="len(items) == 3 and result == sorted(items)"),
    },
    "check_of_default": {"expectation": Check(source="result == x + 5")},
    "check_with_steps": {"expectation": Check(source="result = result * 2\nassert result\nresult == 4")},
    "check_that_returns": {"expectation": Check(source="if result == 2:\n    return True\nreturn False")},
    "called": {"call": "[f(1), f(2)]", "expectation": Value(source="[2, 3]")},
    "exit": {"expectation": ExpectedException(type="SystemExit")},
    "logged_after_setup": {
        "setup": "f(1)",
        "call": "f(2)",
        "expectation": NONE,
        "logs": (Logged(logger="kit", level="INFO", message="2"),),
    },
}
PROGRAMS = [
    ("printed", "print(1)", True),
    ("printed", "print(1, end='')", False),
    ("printed", "print(1); return 0", False),
    ("printed_nothing", "pass", True),
    ("printed_nothing", "print()", False),
    (
        "written",
        "import os; os.mkdir('out'); p = open('out/a.txt', 'w', encoding='utf-8'); p.write('é\\n'); p.close()",
        True,
    ),
    (
        "written",
        "import os; os.mkdir('out'); p = open('out/a.txt', 'w', encoding='utf-8'); p.write('e\\n'); p.close()",
        False,
    ),
    ("written", "pass", False),
    ("changed", "p = open('a.txt', 'w', newline=''); p.write('new\\r\\n'); p.close()", True),
    ("changed", "p = open('a.txt', 'w'); p.write('new\\n'); p.close()", False),
    ("changed", "pass", False),
    ("read", "return input()", True),
    ("read", "import sys; return sys.stdin.readline().strip()", True),
    ("read", "import sys; return sys.stdin.buffer.readline().decode().strip()", True),
    ("read", "import sys; return sys.stdin.read()", False),
    ("environment", "import os; return os.environ['NAME']", True),
    ("environment", "import os; return os.environ.get('OTHER')", False),
    ("clock", "return f'{datetime.now()}'", True),
    ("clock", "return f'{dt.datetime.today():%Y-%m-%d %H:%M:%S}'", True),
    ("clock", "return f'{datetime.combine(date.today(), datetime.now(dt.timezone.utc).time())}'", True),
    (
        "clock",
        "import time; return str(datetime.fromtimestamp(time.time(), dt.timezone.utc).replace(tzinfo=None))",
        True,
    ),
    ("clock", "import time; return time.strftime('%Y-%m-%d %H:%M:%S')", True),
    ("clock", "import time; return time.strftime('%Y-%m-%d %H:%M:%S', time.localtime())", True),
    ("clock", "return str(now())[:19]", False),
    ("clock", "return str(datetime(2024, 2, 29, 12, 0, 1)) if isinstance(datetime(2024, 1, 1), datetime) else 0", True),
    ("seed", "import random; return random.random()", True),
    ("seed", "import random; random.random(); return random.random()", False),
    ("raised", "raise ValueError('a \\'b\\'')", True),
    ("raised", "raise UnicodeError('a \\'b\\'')", True),
    ("raised", "raise ValueError('a b')", False),
    ("raised", "raise TypeError('a \\'b\\'')", False),
    ("raised", "return ValueError('a \\'b\\'')", False),
    ("raised_own", "raise Full", True),
    ("raised_own", "raise OverflowError", False),
    ("raised_by_name", "import json; json.loads('{')", True),
    ("raised_by_name", "raise ValueError", False),
    ("after", "x.reverse()", True),
    ("after", "pass", False),
    ("after", "x.reverse(); x[0] = 2.0", True),
    ("after", "x.reverse(); x[1] = True", None),
    ("after_close", "x[0] = 0.31; return 1.05", True),
    ("after_close", "x[0] = 0.1; return 1.05", False),
    ("after_close", "x[0] = 0.3; return True", None),
    ("expected_of_setup", "return sorted(x)", True),
    ("expected_of_setup", "x.sort(); return x", True),
    ("expected_of_setup", "x[:] = []; return x", False),
    ("alias_of_setup", "return [3, 1]", True),
    ("alias_of_setup", "return x", True),
    ("alias_of_setup", "x.sort(); return x", False),
    ("variable_like_a_module", "return x + 1", True),
    ("variable_like_a_module", "return x", False),
    ("check", "return sorted(x)", True),
    ("check", "x.sort(); return x", True),
    ("check", "r = sorted(x); x.clear(); return r", True),
    ("check", "x.clear(); return x", False),
    ("check_of_setup", "r = sorted(x); x.clear(); return r", True),
    ("check_of_setup", "return x", False),
    ("check_of_default", "return x + y", True),
    ("check_of_default", "return x", False),
    ("check_with_steps", "return 2", True),
    ("check_with_steps", "return 0", False),
    ("check_with_steps", "return 3", False),
    ("check_with_steps", "raise AssertionError", False),
    ("check_that_returns", "return 2", True),
    ("check_that_returns", "return 3", False),
    ("called", "return x + 1", True),
    ("called", "return x", False),
    ("exit", "raise SystemExit(3)", True),
    ("exit", "return", False),
    ("logged_after_setup", "import logging; logging.getLogger('kit').info(x)", True),
    ("logged_after_setup", "pass", False),
]
IMPORTS = "import datetime as dt\nfrom datetime import date, datetime\n\n"


@pytest.mark.parametrize(("name", "body", "right"), PROGRAMS)
def test_the_file_says_what_the_judge_says(name, body, right, scenario, run, sandbox):
    """One case, one implementation: the judge's verdict, the file's, and the right one; None: the file is looser."""
    case = {"arguments": ("2",), "name": name} | CASES[name]
    if "call" in case:
        del case["arguments"]
    made = scenario("f", {"x": "object", "y": "int = 5"}, "object", [case], types=(FULL,))
    source = f"{IMPORTS}\ndef now(clock=datetime(1999, 1, 1)):\n    return clock\n\n\ndef f(x, y=5):\n    {body}\n"
    report = run(made, source)
    assert report.complete, report.log
    tested = report.passed
    assert (_judged(made, source, sandbox), tested) == (bool(right), right is not False), report.log


def _judged(made, source, sandbox) -> bool:
    types = declare_types(made.plan)
    oracle = Oracle(sandbox, made.plan.module, types)
    probes = tuple(map(candidate_probe, made.suite.cases))
    seen = sandbox.run(Job(module=made.plan.module, source=types + source, probes=probes)).observations
    verdicts = oracle.verdicts(made.spec, made.suite.cases, seen, oracle.expectations(made.suite.cases))
    return all(verdict.passed for verdict in verdicts)
