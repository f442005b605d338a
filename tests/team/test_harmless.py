"""Which code can do nothing to the process that it runs in."""

from __future__ import annotations

import pytest

from tdgen.team.harmless import is_harmless, is_harmless_case
from tdgen.types import After, World

PLAIN = '''"""Words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence


def often(words: Sequence[str], most: int = 3) -> list[str]:
    """The words that come most often."""
    found = Counter(word.lower() for word in words if re.fullmatch(r"[a-z]+", word))
    if most < 0:
        raise ValueError(f"{most} is less than none")
    ranked = sorted(found.items(), key=lambda item: (-found.get(item[0], 0), item[0]))
    return [word for word, _ in ranked[: math.floor(most)]]
'''


def test_what_computes_with_plain_values_is():
    """Functions over numbers, texts and containers, with the errors that they raise."""
    assert is_harmless(PLAIN)


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import re as __builtins__",
        "from re import enum",
        "from math import *",
        "from . import other",
        "def f(x): return x.__class__",
        "def f(x): return '{0.__class__}'.format(x)",
        "def f(x): return f'{x.__class__}'",
        "def f(x): return getattr(x, 'y')",
        "def f(x): return type(x)",
        "def f(x): return (y for y in x).gi_frame",
        "import re\nre.match = None",
        "import math\ndel math.pi",
        "import re\nfor re.match in [1]: pass",
        "import re\n[0 for re.match in [1]]",
        "class A: pass",
        "def f(): exec('1')",
        "def g(eval): pass\ndef f(): return eval('1')",
        "def f(): return __import__('os')",
        "__builtins__ = {}",
        "def f(__name__): pass",
        "def f():\n    global __doc__\n    __doc__ = 1",
        "from functools import wraps\n@wraps\ndef f(): pass",
        "async def f(): pass",
        "with open('a') as f: pass",
        "def f(x):\n    match x:\n        case str(y): return y",
        "try:\n    1\nexcept ValueError as __builtins__:\n    pass",
        "(",
        "(" * 5000,
        "print('told')",
        "raise SystemExit",
    ],
)
def test_what_may_reach_further_is_not(source):
    """Attributes that lead elsewhere, names of builtins that do, what is set on a module, classes, odd syntax."""
    assert not is_harmless(source)


@pytest.mark.parametrize(
    ("changed", "is_so"),
    [
        ({"arguments": ("[1, 'a']", "most=2")}, True),
        ({"call": "sorted(f(1))", "after": (After(expression="result", source="1"),)}, True),
        ({"setup": "x = 1"}, False),
        ({"arguments": ("socket",)}, False),
        ({"call": "[f(socket) for socket in (1, 2)]"}, False),
        ({"call": "f.__globals__"}, False),
        ({"world": World(clock="2024-01-01T00:00:00")}, False),
        ({"logs": ()}, False),
        ({"after": (After(expression="error.__traceback__", source="1"),)}, False),
    ],
)
def test_a_case_is_where_it_calls_and_sets_nothing_up(make_case, changed, is_so):
    """Names that it binds, or that nobody binds, would be imported."""
    assert is_harmless_case(make_case(**changed), ["f"]) is is_so
