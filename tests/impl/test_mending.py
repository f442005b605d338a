"""What an answer lacks is put right without asking again, where that is plain, and told; all else stays as it was."""

from __future__ import annotations

import pytest

from tdgen.impl.mending import mended
from tdgen.impl.piece import read_piece

BODY = "def f(x):\n    return x  # as it is\n"


def mend(code, brief, *, done):
    """The mended code, which is told in these words, and which is not mended a second time."""
    found = mended(code, brief)
    assert [word in sentence for word, sentence in zip(done, found.done, strict=True)] == [True] * len(done)
    assert mended(found.source, brief) == (found.source, ())
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
def test_what_needs_no_mending_or_can_not_be_mended_stays(brief, code):
    """Word for word, and nothing is told of it."""
    assert mended(code, brief()) == (code, ())


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
    def test_prose_and_fences_go(self, brief, code):
        """Before and after the code; a fence that was not closed too."""
        assert mend(code, brief(), done=["taken away"]).strip() == BODY.strip()

    def test_prompts_go_with_what_they_printed(self, brief):
        """Calls typed in between too: they would run on import."""
        code = ">>> import re\n>>> def f(x):\n...     return x\n...\n>>> f(1)\n1\n"
        assert mend(code, brief(), done=["prompts"]) == "import re\ndef f(x):\n    return x\n\n"

    def test_code_behind_prose_is_no_code_where_it_is_broken(self, brief):
        """Nothing that defines something is cut off."""
        code = f"Here:\n{BODY}\ndef g(:\n    pass\n"
        assert mended(code, brief()).done == ()

    def test_all_of_it_indented_is_moved(self, brief):
        """Docstrings along with it, what other strings hold stays."""
        code = '    # why\n    def f(x):\n        """One.\n\n        Two."""\n        return """a\n    b"""\n'
        moved = '# why\ndef f(x):\n    """One.\n\n    Two."""\n    return """a\n    b"""\n'
        assert mend(code, brief(), done=["indented"]) == moved

    def test_a_first_line_that_lost_its_indentation_has_it_back(self, brief):
        """Whoever strips a text strips its first line alone."""
        code = "def f(x):\n        return g(x)\n\n    def g(x):\n        return x\n"
        assert mend(code, brief(), done=["indented"]) == "def f(x):\n    return g(x)\n\ndef g(x):\n    return x\n"

    def test_tabs_among_spaces_are_replaced(self, brief):
        """By as many spaces as make it Python."""
        code = "def f(x):\n\tif x:  # a\tb\n        return 1\n\treturn '\t'\n"
        mended_code = "def f(x):\n    if x:  # a\tb\n        return 1\n    return '\t'\n"
        assert mend(code, brief(), done=["tabs"]) == mended_code

    def test_tabs_that_could_mean_two_things_stay(self, brief):
        """Four or eight: the loop's body would be another."""
        assert mended("def f(x):\n\tif x:\n\t    x = 1\n        return x\n", brief()).done == ()

    @pytest.mark.parametrize(
        ("end", "closing"),
        [("max(x, [1, 2", "])"), ("{'a': (x,", ")}"), ("'abc", "'"), ('g("abc', '")'), ("x[0", "]")],
    )
    def test_what_is_open_at_the_end_is_closed(self, brief, end, closing):
        """Brackets in the order in which they were opened, a string on one line."""
        code = f"def g(x):\n    return x\n\n\ndef f(x):\n    return {end}\n"
        assert mend(code, brief(), done=[f"`{closing}` was missing"]) == f"{code.rstrip()}{closing}\n"

    @pytest.mark.parametrize("end", ["x +", "'''Text.\n    return x", "(x\n    y = 1", "f(x,\n\n\ndef g():\n    pass"])
    def test_what_could_go_on_otherwise_is_not_closed(self, brief, end):
        """A bracket open further up, a docstring, an expression that lacks its end."""
        code = f"def f(x):\n    return {end}\n"
        assert mended(code, brief()) == (code, ())


class TestNames:
    """The function by its name, and out of its class."""

    def test_the_one_function_that_fits_has_the_contracts_name(self, brief):
        """Where it calls itself too; strings and comments are nobody's name."""
        code = "# go: the way\ndef go(x):\n    'go'\n    return go(x - 1)\n\n\ndef _help(go_on):\n    return go_on\n"
        renamed = "# go: the way\ndef f(x):\n    'go'\n    return f(x - 1)\n\n\ndef _help(go_on):\n    return go_on\n"
        assert mend(code, brief(), done=["`go` was renamed to `f`"]) == renamed

    @pytest.mark.parametrize(
        "code",
        [
            "def go(x, y):\n    return x\n",
            "def go(*x):\n    return x\n",
            "async def go(x):\n    return x\n",
            "def go(x):\n    return x\n\n\ndef run(x):\n    return x\n",
            "def go(x):\n    f = x\n    return f\n",
            "def go(x, go=1):\n    return x\n",
            "def _go(x):\n    return x\n",
            "def other(x):\n    return x\n",
        ],
    )
    def test_one_that_may_be_another_keeps_its_name(self, brief, code):
        """Other arguments, two that would fit, a name in use, a coroutine, another function of the plan."""
        assert mended(code, brief("f(x: int) -> int", "other")) == (code, ())

    def test_a_method_becomes_a_function(self, brief):
        """With its decorator and comments; calls by way of `self` are plain calls."""
        code = (
            "import re\n\n\nclass Solution:\n    '''Solves.'''\n\n    # the way\n    def f(self, x: int) -> int:\n"
            "        return self.half(x) + self.f(x - 1) if x else 0  # down\n\n"
            "    @staticmethod\n    def half(x):\n        return x // 2\n\n\nLIMIT = 1\n"
        )
        lifted = (
            "import re\n\n\n\n# the way\ndef f(x: int) -> int:\n"
            "    return half(x) + f(x - 1) if x else 0  # down\n\n\ndef half(x):\n    return x // 2\n\n\nLIMIT = 1\n"
        )
        assert mend(code, brief(), done=["class Solution"]) == lifted

    @pytest.mark.parametrize(
        "code",
        [
            "class S:\n    def __init__(self):\n        self.n = 1\n    def f(self, x):\n        return self.n\n",
            "class S:\n    n = 1\n    def f(self, x):\n        return self.n\n",
            "class S(Base):\n    def f(self, x):\n        return x\n",
            "class S:\n    def f(self, x):\n        self.n = x\n        return self\n",
            "class S:\n    def f(self, x):\n        return S\n",
            "class S:\n    @property\n    def f(self):\n        return 1\n",
            "class S:\n    def f(self, x):\n        return self.other(x)\n    def other(self, x):\n        return 0\n",
        ],
    )
    def test_a_class_that_is_needed_stays(self, brief, code):
        """Where it keeps something, inherits, is spoken of, or holds what the module has already."""
        assert mended(code, brief("f(x: int) -> int", "other")) == (code, ())

    @pytest.mark.parametrize("parameters", ["self, x", "self,\n      x", "self, *, x"])
    def test_a_self_without_a_class_goes(self, brief, parameters):
        """The contract has none."""
        code = f"    def f({parameters}):\n        return self.f(x - 1) if x else 0\n"
        source = mend(code, brief(), done=["indented", "`self`"])
        assert "self" not in source
        assert "return f(x - 1) if x else 0" in source


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
    def test_a_name_of_the_standard_library_is_imported(self, brief, body, line):
        """Where nothing binds it; the code itself stays."""
        code = f"# why\ndef f(x):\n    return {body}  # how\n"
        assert mend(code, brief(), done=[f"`{line}` was missing"]) == f"{line}\n{code}"

    def test_decorators_and_annotations_need_their_imports_too(self, brief):
        """They come after a docstring and what must come first."""
        code = '"""Doc."""\nfrom __future__ import annotations\n\n'
        code += "@lru_cache\ndef f(x: Optional[int]) -> int:\n    return x\n"
        source = mend(code, brief(), done=["`from typing import Optional` and `from functools import lru_cache`"])
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
    def test_nothing_else_is_imported(self, brief, body):
        """What is forbidden, other packages, a variable that was forgotten, a name that may be any module's."""
        code = f"def f(x):\n    return {body}\n"
        assert mended(code, brief("f(x: int) -> int", "other", "Thing")) == (code, ())

    def test_a_plans_package_is_imported_by_the_name_everybody_uses(self, brief):
        """Where the plan has it."""
        code = "def f(x):\n    return np.array(x)\n"
        assert mend(code, brief(packages=("numpy",)), done=["import numpy as np"]).startswith("import numpy as np\n")

    def test_settings_decide_what_may_be_imported(self, brief):
        """`forbid` holds here too."""
        code = "def f(x):\n    return math.sqrt(x)\n"
        assert mended(code, brief(forbidden=frozenset({"math"}))).done == ()
        assert mended(code, brief(forbidden=frozenset({"math.sqrt"}))).done == ()

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
    def test_imports_of_what_is_in_the_module_go(self, brief, code, plain):
        """Whatever the model takes the module's name to be."""
        assert mend(code, brief("f(x: int) -> int", "other"), done=["same module"]).strip() == plain.strip()

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
    def test_other_imports_stay(self, brief, code):
        """They are right, or for the model to mend."""
        assert mended(code, brief("f(x: int) -> int", "other")) == (code, ())


def test_many_things_are_put_right_at_once(brief):
    """And the code can be read then."""
    code = (
        "Here is my solution:\n\n    class Solution:\n        def compute(self, x):\n            return x\n\n"
        "        def f(self, x: List[int]) -> int:\n            # keep\n"
        "            return self.compute(reduce(max, x)\n"
    )
    found = mended(code, brief())
    assert found.done == ()  # prose and an open bracket and an indentation: more than one thing that could be meant
    whole = code.replace("Here is my solution:\n\n", "").rstrip() + ")\n"
    found = mended(whole, brief())
    assert len(found.done) == 3
    piece = read_piece(found.source, "f", ())
    assert piece.imports == ("from typing import List", "from functools import reduce")
    assert "def f(x: List[int]) -> int:\n    # keep\n    return _f_compute(reduce(max, x))" in piece.body
