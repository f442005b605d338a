"""What an answer lacks is put right without asking again, where that is plain, and told; all else stays as it was.

An objection counts where it names a test that was shown and quotes words that stand there.

What the developer is asked on each rung, and what is made of the answer.
"""

from __future__ import annotations

import pytest

from tdgen.impl import another, implement, repair, trace_repair
from tdgen.impl.developer import find_objections, mended
from tdgen.models import Script, ScriptedAnswer, ScriptedModel
from tdgen.source.fragment import read_fragment
from tdgen.types import OF_ASSUMPTION, OF_CONTRACT, OF_DEPENDENCY, Attempt, Objection, Step

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

    def test_code_behind_prose_is_no_code_where_it_is_broken(self, brief):
        """Nothing that defines something is cut off."""
        code = f"Here:\n{BODY}\ndef g(:\n    pass\n"
        assert mended(code, brief()).done == ()


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
def test_what_only_its_author_can_tell_stays(brief, code):
    """It counts as an attempt, and what is wrong goes back."""
    assert mended(code, brief()) == (code, ())


def test_several_things_are_put_right_at_once(brief):
    """And the code can be read then."""
    code = "Here:\n\n```python\nfrom kit import other\ndef f(x: List[int]) -> int:\n    return other(reduce(max, x))\n"
    found = mended(code, brief("f(x: int) -> int", "other"))
    assert len(found.done) == 3
    piece = read_fragment(found.source, "f", ())
    assert piece.imports == ("from typing import List", "from functools import reduce")
    assert piece.body == "def f(x: List[int]) -> int:\n    return other(reduce(max, x))\n"


WORDS = "Overlapping entries keep the earlier one."
QUOTED = {
    "as it is asked for": 'OBJECTION overlap: "Overlapping entries keep the earlier one."',
    "with back-ticks": "OBJECTION `overlap`: “overlapping entries keep\u00a0the earlier one”",
    "as an item of a list": '- OBJECTION overlap: "keep the earlier one"',
    "in bold": '**OBJECTION overlap:** "keep the earlier one"',
}
NONE = {
    "other words than the user's": 'OBJECTION overlap: "the later one wins"',
    "a test that was not shown": f'OBJECTION hidden: "{WORDS}"',
    "no words": "OBJECTION overlap: ",
    "a comment in the code": f'```python\n# OBJECTION overlap: "{WORDS}"\n```',
    "prose": "I have no objection to overlap.",
}


@pytest.fixture
def context(brief):
    return brief("f(x: int) -> int", instruction=f"Merge them. {WORDS}")


@pytest.mark.parametrize("line", QUOTED.values(), ids=QUOTED)
def test_it_is_found_however_it_is_marked_up(context, line):
    """The words are compared less what a copyist changes."""
    (found,) = find_objections(f"The test is wrong.\n{line}\n```python\nx = 1\n```\n", context, {"overlap"})
    assert found.case == "overlap"


def test_one_to_the_contract_quotes_the_user(brief):
    """What only the contract says is no word against it."""
    context = brief("f(x: int) -> int", instruction=f"Merge them. {WORDS}")
    (found,) = find_objections(f'OBJECTION contract: "{WORDS}" it keeps the later one', context, {"overlap"})
    assert (found.case, found.reason) == (OF_CONTRACT, "it keeps the later one")
    assert find_objections('OBJECTION contract: "def f(x: int) -> int"', context, {"overlap"}) == ()


@pytest.mark.parametrize(
    ("named", "of"),
    [
        ("assumption", OF_ASSUMPTION),
        ("Assumptions", ""),
        ("assumptions", OF_ASSUMPTION),
        ("g", f"{OF_DEPENDENCY}g"),
        ("contract of `g`", f"{OF_DEPENDENCY}g"),
        ("h", ""),
    ],
)
def test_one_to_what_else_was_planned_names_it(brief, named, of):
    """An assumption, or a function that is called; a test of the same name comes first."""
    context = brief("f(x: int) -> int", "g", instruction=f"Merge them. {WORDS}")
    calling = context.spec.model_copy(update={"dependencies": ("g",)})
    context = context.model_copy(update={"spec": calling})
    line = f'OBJECTION {named}: "{WORDS}" it keeps the later one'
    assert [one.case for one in find_objections(line, context, {"overlap"})] == [of] * bool(of)
    assert [one.case for one in find_objections(line, context, {"g"})] == ["g" if of.endswith("g") else of] * bool(of)


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_nothing_else_is_one(context, text):
    """Words that nobody said prove nothing."""
    assert find_objections(text, context, {"overlap"}) == ()


@pytest.mark.parametrize(
    ("said", "quote", "reason"),
    [
        ('"keep the earlier one" - the test expects the later', "keep the earlier one", "the test expects the later"),
        ('"`f(3)` is the "third" of them"', '`f(3)` is the "third" of them', ""),
        ('"`f(3)` is the "third" of them": it counts', '`f(3)` is the "third" of them', "it counts"),
        ("`f(3)` is the “third” of them", "`f(3)` is the “third” of them", ""),
    ],
    ids=["a reason after it", "quotation marks within", "both", "no quotation marks around it"],
)
def test_quote_and_reason_are_kept_whole(brief, said, quote, reason):
    """The arbiter is told both."""
    context = brief("f(x: int) -> int", instruction='Merge them. `f(3)` is the "third" of them. Keep the earlier one.')
    (found,) = find_objections(f"OBJECTION overlap: {said}", context, {"overlap"})
    assert (found.quote, found.reason) == (quote, reason)


def test_a_test_is_objected_to_once(context):
    """The first words count."""
    text = 'OBJECTION overlap: "Merge them"\nOBJECTION overlap: "keep the earlier one"'
    assert find_objections(text, context, {"overlap"}) == (Objection(case="overlap", quote="Merge them"),)


CODE = "```python\ndef f(x: int) -> int:\n    return x\n```"


def model(purpose: str, attempt: int = 1, sample: int = 0, text: str = CODE, **more: str) -> ScriptedModel:
    answer = ScriptedAnswer(purpose=purpose, subject="f", attempt=attempt, sample=sample, text=text, **more)
    return ScriptedModel(Script(answers=(answer,)))


def asked(scripted: ScriptedModel) -> str:
    (request,) = scripted.asked
    return "\n".join(message.content for message in request.messages)


@pytest.fixture
def wrong(tell):
    """An attempt that fails the first of two shown cases, and the suite."""
    suite = tell.suite(
        tell.case("one", "1"), tell.case("two", "2", "2"), tell.case("secret", "4242"), held_out=("secret",)
    )
    verdicts = (tell.verdict("one", "777"), tell.verdict("two"), tell.verdict("secret", "888"))
    code = "def f(x):\n    return sorted(x)  # my way\n"
    return Attempt(function="f", number=1, source=code, verdicts=verdicts), suite


def test_a_first_attempt_is_asked_for_and_read(brief, tell):
    """It stands on no other."""
    scripted = model("implement")
    attempt = implement(scripted, brief(), tell.suite(tell.case("one", "1")))
    assert (attempt.rung, attempt.line, attempt.number) == ("first", 0, 1)
    assert attempt.source == "def f(x: int) -> int:\n    return x\n"


def test_lines_of_thought_are_samples_of_the_same_request(brief, tell):
    """What they are told is the same to the letter."""
    suite = tell.suite(tell.case("one", "1"))
    first, second = model("implement"), model("implement", sample=2)
    implement(first, brief(), suite)
    attempt = implement(second, brief(), suite, line=2)
    assert (attempt.rung, attempt.line, attempt.number) == ("first", 2, 1)
    assert asked(first) == asked(second)


def test_a_repair_goes_on_in_the_line_of_the_best(brief, wrong):
    """It sees that attempt's code and what was observed of it."""
    best, suite = wrong
    best = best.model_copy(update={"line": 3})
    scripted = model("repair", attempt=2)
    attempt = repair(scripted, brief(), suite, best, [best])
    assert (attempt.rung, attempt.line, attempt.number) == ("repair", 3, 2)
    assert "# my way" in asked(scripted)
    assert "777, expected 1" in asked(scripted)


def test_a_trace_repair_sees_the_failing_call_line_by_line(brief, wrong):
    """Beside what a repair sees."""
    best, suite = wrong
    scripted = model("repair", attempt=3)
    steps = [Step(function="f", line=1, changed={"x": "1"}), Step(function="f", line=2, changed={"return": "777"})]
    attempt = trace_repair(scripted, brief(), suite, best, [best, best], steps)
    assert (attempt.rung, attempt.line, attempt.number) == ("trace", 0, 3)
    assert "1 | def f(x): | x=1\n2 |     return sorted(x)  # my way | returns 777" in asked(scripted)


def test_another_way_knows_how_others_failed_and_not_their_code(brief, wrong):
    """Their means, and what they gave for the cases that are shown."""
    best, suite = wrong
    scripted = model("implement", attempt=2, sample=1)
    attempt = another(scripted, brief(), suite, [best], line=1)
    assert (attempt.rung, attempt.line, attempt.number) == ("fresh", 1, 2)
    prompt = asked(scripted)
    assert "- calling sorted: passes 1 of the 2 shown cases; `f(1)` gave 777, expected 1" in prompt
    assert "# my way" not in prompt


@pytest.mark.parametrize("rung", ["repair", "trace", "fresh"])
def test_no_rung_shows_what_is_held_out(brief, wrong, rung):
    """Neither the case nor what it gave."""
    best, suite = wrong
    scripted = model("implement" if rung == "fresh" else "repair", attempt=2, sample=int(rung == "fresh"))
    match rung:
        case "repair":
            repair(scripted, brief(), suite, best, [best])
        case "trace":
            trace_repair(scripted, brief(), suite, best, [best], [])
        case "fresh":
            another(scripted, brief(), suite, [best], line=1)
    assert "4242" not in asked(scripted)
    assert "888" not in asked(scripted)


def test_what_is_plain_is_mended_and_told(brief, tell):
    """No second call for an import, or for prose around the code."""
    text = "Here you are:\n\ndef f(x: int) -> int:\n    return math.floor(x)\n\nIt rounds."
    attempt = implement(model("implement", text=text), brief(), tell.suite())
    assert attempt.source == "import math\n\n\ndef f(x: int) -> int:\n    return math.floor(x)\n"
    assert attempt.findings == ()
    assert len(attempt.mended) == 2


@pytest.mark.parametrize(
    ("text", "finish_reason", "finding"),
    [
        ("I would rather not.", "stop", "the answer holds no fenced Python block"),
        ("```python\ndef f(x):\n    return (x\n```", "length", "the answer was cut off"),
        ("```python\nimport subprocess\ndef f(x):\n    return x\n```", "stop", "importing subprocess is not allowed"),
        ("```python\nasync def f(x)\n    return x\n```", "stop", "the code does not parse"),
    ],
)
def test_what_is_not_plain_stands_in_the_findings(brief, tell, text, finish_reason, finding):
    """A model's answer never is an exception; one that was cut off is not completed by guessing."""
    attempt = implement(model("implement", text=text, finish_reason=finish_reason), brief(), tell.suite())
    assert any(finding in told for told in attempt.findings)
    assert attempt.mended == ()
