"""What an answer lacks is put right without asking again, where that is plain, and told; all else stays as it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tdgen.languages.python.mending import CodeContext, mended
from tdgen.source.fragment import read_fragment
from tdgen.types import FunctionSpec, Parameter, Plan, Returns

BODY = "def f(x):\n    return x  # as it is\n"


@pytest.fixture(scope="session")
def wanted() -> Callable[..., CodeContext]:
    """The context of `f(x: int) -> int`, in a plan that has others of the same signature."""

    def make(*others: str, packages: tuple[str, ...] = (), **given: frozenset[str]) -> CodeContext:
        ints = {"purpose": "As told.", "parameters": (Parameter(name="x", type="int"),), "returns": Returns(type="int")}
        specs = tuple(FunctionSpec(name=name, **ints) for name in ("f", *others))
        return CodeContext(specs[0], Plan(module="kit", functions=specs, packages=packages), **given)

    return make


def mend(code, wanted, *, done):
    """The mended code, which is told in these words, and which is not mended a second time."""
    found = mended(code, wanted)
    assert [word in sentence for word, sentence in zip(done, found.done, strict=True)] == [True] * len(done)
    assert mended(found.source, wanted) == (found.source, ())
    return found.source


@pytest.mark.parametrize(
    "code",
    [
        BODY,
        "import math\n\n\ndef f(x):\n    return math.sqrt(x)\n",
        "def f(x):\n    return unknown(x)\n",
        "def f(x)\n    return x\n",
        "I would rather talk about it.",
        "",
        "(" * 5000,
        "def f(x): return '\x00'",
        "def f(x): return '\ud800'",
    ],
    ids=range(9),
)
def test_what_needs_no_mending_or_can_not_be_mended_stays(wanted, code):
    """Word for word, and nothing is told of it."""
    assert mended(code, wanted()) == (code, ())


class TestWrapping:
    """What stands around the code, or how it is moved."""

    @pytest.mark.parametrize(
        "code",
        [
            f"Here is the code:\n\n{BODY}\nIt works, as you see (I think).\n",
            f"From what you say:\n{BODY}Hope this helps!",
            f"Sure!\n```python\n{BODY}\n",
        ],
    )
    def test_prose_and_fences_go(self, wanted, code):
        """Before and after the code; a fence that was not closed too."""
        assert mend(code, wanted(), done=["taken away"]).strip() == BODY.strip()

    def test_code_behind_prose_is_no_code_where_it_is_broken(self, wanted):
        """Nothing that defines something is cut off."""
        code = f"Here:\n{BODY}\ndef g(:\n    pass\n"
        assert mended(code, wanted()).done == ()


class TestImports:
    """Imports that are missing, and those of the module itself."""

    @pytest.mark.parametrize(
        ("body", "line"),
        [
            ("math.sqrt(x)", "import math"),
            ("re.sub('a', 'b', x)", "import re"),
            ("defaultdict(list)", "from collections import defaultdict"),
            ("Counter(x)", "from collections import Counter"),
            ("deque()", "from collections import deque"),
            ("reduce(max, x)", "from functools import reduce"),
            ("Decimal(x)", "from decimal import Decimal"),
            ("datetime.now()", "from datetime import datetime"),
            ("datetime.date.today()", "import datetime"),
            ("datetime(2020, 1, 1)", "from datetime import datetime"),
            ("date.today()", "from datetime import date"),
            ("isinstance(x, deque)", "from collections import deque"),
            ("list(chain.from_iterable(x))", "from itertools import chain"),
            ("timedelta(days=x)", "from datetime import timedelta"),
            ("copy.deepcopy(x)", "import copy"),
            ("copy(x)", "from copy import copy"),
            ("collections.abc.Sized", "import collections.abc"),
            ("collections.Counter(x)", "import collections"),
            ("urllib.parse.quote(x)", "import urllib.parse"),
            ("min(x, inf)", "from math import inf"),
            ("bisect_left(x, 1)", "from bisect import bisect_left"),
            ("bisect.bisect(x, 1)", "import bisect"),
            ("itertools.chain(x)", "import itertools"),
            ("sorted(x, key=itemgetter(1))", "from operator import itemgetter"),
            ("os.path.join(x)", "import os"),
        ],
    )
    def test_a_name_of_the_standard_library_is_imported(self, wanted, body, line):
        """Where nothing binds it; the code itself stays."""
        code = f"# why\ndef f(x):\n    return {body}  # how\n"
        assert mend(code, wanted(), done=[f"`{line}` was missing"]) == f"{line}\n{code}"

    def test_decorators_and_annotations_need_their_imports_too(self, wanted):
        """They come after a docstring and what must come first."""
        code = '"""Doc."""\nfrom __future__ import annotations\n\n'
        code += "@lru_cache\ndef f(x: Optional[int]) -> int:\n    return x\n"
        source = mend(code, wanted(), done=["`from typing import Optional` and `from functools import lru_cache`"])
        assert source.startswith('"""Doc."""\nfrom __future__ import annotations\nfrom typing import Optional\nfrom f')

    @pytest.mark.parametrize(
        "body",
        [
            "subprocess.run(x)",
            "pickle.loads(x)",
            "sys._getframe()",
            "np.array(x)",
            "count + x",
            "product",
            "repeat[x]",
            "something(x)",
            "len(math)",
            "other(Thing(x))",
            "[re.x for re in x]",
        ],
    )
    def test_nothing_else_is_imported(self, wanted, body):
        """What is forbidden, other packages, a variable that was forgotten, a name that may be any module's."""
        code = f"def f(x):\n    return {body}\n"
        assert mended(code, wanted("other", "Thing")) == (code, ())

    def test_a_plans_package_is_imported_by_the_name_everybody_uses(self, wanted):
        """Where the plan has it."""
        code = "def f(x):\n    return np.array(x)\n"
        assert mend(code, wanted(packages=("numpy",)), done=["import numpy as np"]).startswith("import numpy as np\n")

    def test_settings_decide_what_may_be_imported(self, wanted):
        """`forbid` holds here too."""
        code = "def f(x):\n    return math.sqrt(x)\n"
        assert mended(code, wanted(forbidden=frozenset({"math"}))).done == ()
        assert mended(code, wanted(forbidden=frozenset({"math.sqrt"}))).done == ()

    @pytest.mark.parametrize(
        ("code", "plain"),
        [
            ("from kit import other\n\n\ndef f(x):\n    return other(x)\n", "def f(x):\n    return other(x)\n"),
            ("from utils import other as o\n\n\ndef f(x):\n    return o(x)\n", "def f(x):\n    return other(x)\n"),
            ("from .kit import other\n\n\ndef f(x):\n    return other(x)\n", "def f(x):\n    return other(x)\n"),
            ("import kit\n\n\ndef f(x):\n    return kit.other(x)\n", "def f(x):\n    return other(x)\n"),
            ("import kit as k\n\n\ndef f(x):\n    return k.f(k.other(x))\n", "def f(x):\n    return f(other(x))\n"),
            (
                "def f(x):\n    from kit import other\n    return other(x)\n",
                "def f(x):\n    pass\n    return other(x)\n",
            ),
        ],
    )
    def test_imports_of_what_is_in_the_module_go(self, wanted, code, plain):
        """Whatever the model takes the module's name to be."""
        assert mend(code, wanted("other"), done=["same module"]).strip() == plain.strip()

    @pytest.mark.parametrize(
        "code",
        [
            "from math import sqrt\n\n\ndef f(x):\n    return sqrt(x)\n",
            "from requests import get\n\n\ndef f(x):\n    return get(x)\n",
            "import kit\n\n\ndef f(x):\n    return kit.unknown(x)\n",
            "import kit\n\n\ndef f(x):\n    return kit\n",
            "from kit import *\n\n\ndef f(x):\n    return x\n",
        ],
    )
    def test_other_imports_stay(self, wanted, code):
        """They are right, or for the model to mend."""
        assert mended(code, wanted("other")) == (code, ())


@pytest.mark.parametrize(
    "code",
    [
        "def go(x):\n    return x\n",
        "class Solution:\n    def f(self, x):\n        return x\n",
        "    def f(x):\n        return x\n",
        "def f(x):\n    return max(x, [1, 2\n",
    ],
    ids=["another name", "a method", "indented", "an open bracket"],
)
def test_what_only_its_author_can_tell_stays(wanted, code):
    """It counts as an attempt, and what is wrong goes back."""
    assert mended(code, wanted()) == (code, ())


def test_several_things_are_put_right_at_once(wanted):
    """And the code can be read then."""
    code = "Here:\n\n```python\nfrom kit import other\ndef f(x: List[int]) -> int:\n    return other(reduce(max, x))\n"
    found = mended(code, wanted("other"))
    assert len(found.done) == 3
    piece = read_fragment(found.source, "f", ())
    assert piece.imports == ("from typing import List", "from functools import reduce")
    assert piece.body == "def f(x: List[int]) -> int:\n    return other(reduce(max, x))\n"
