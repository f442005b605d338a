"""Earlier attempts in a line each, without their code and without what is held out.

What is told to the one who mends: the smallest failing cases first, never what is held out, never too much.

A call's trace as text: a row a line, loops folded, and never too long.
"""

from __future__ import annotations

from typing import Any

import pytest

from tdgen.impl.feedback import (
    MOST_ATTEMPTS,
    MOST_CHARACTERS,
    MOST_ROWS,
    approach,
    digest,
    failed_approaches,
    feedback,
    trace_text,
)
from tdgen.protocols import Sandbox
from tdgen.types import Attempt, Case, Difference, Exits, Frame, Job, Probe, Raised, Step, Suite, Value, Verdict


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def f(x):\n    return x\n", "straight-line code"),
        ("def f(x):\n    return f(x - 1) if x else 0\n", "recursion"),
        ("def f(xs):\n    for x in xs:\n        while x:\n            x -= 1\n", "2 nested loops"),
        (
            "import re\n\n\ndef f(x):\n    return sorted({y for y in re.findall('a', x)})\n",
            "comprehensions, with re, calling sorted",
        ),
        ("", "no code"),
        ("def f(:", "code"),
        ("function f(n) { return n; }", "code"),
    ],
)
def test_an_approach_is_told_by_its_means(source, told):
    """Loops, recursion, imports, calls: nothing that could be copied."""
    assert approach(source) == told


def test_an_attempt_is_told_by_its_rung_and_its_smallest_failure(tell):
    """And by how far it came."""
    suite = tell.suite(tell.case("long", "10000"), tell.case("short", "0"), tell.case("right", "5"))
    verdicts = (tell.verdict("long", "7"), tell.verdict("short", "2"), tell.verdict("right"))
    attempt = Attempt(function="f", number=2, source="x", rung="trace", verdicts=verdicts)
    assert digest(attempt, suite) == (
        "attempt 2 (repair from a trace): passes 1 of the 3 shown cases; `f(0)` gave 2, expected 1"
    )


def test_what_is_held_out_is_not_in_it(tell):
    """Neither counted nor named."""
    suite = tell.suite(tell.case("open", "0"), tell.case("secret", "4242"), held_out=("secret",))
    attempt = Attempt(function="f", number=1, source="x", verdicts=(tell.verdict("open"), tell.verdict("secret", "77")))
    for told in (digest(attempt, suite), failed_approaches([attempt], suite)):
        assert "passes 1 of the 1 shown cases" in told
        assert "4242" not in told
        assert "77" not in told


def test_an_attempt_that_was_never_run_is_told_by_what_was_found(tell):
    """Its first finding."""
    attempt = Attempt(function="f", number=1, source="", findings=("the answer is empty", "and more"))
    assert digest(attempt, tell.suite()) == "attempt 1 (first attempt): could not be used: the answer is empty"


def test_failed_approaches_are_told_once_each_and_only_the_last(tell):
    """The same code again is the same approach; what is green did not fail."""
    suite = tell.suite(tell.case("a", "0"))
    wrong = tuple(
        Attempt(function="f", number=n, source=f"def f(x): return {n}", verdicts=(tell.verdict("a", str(n)),))
        for n in range(2, 12)
    )
    again = wrong[-1].model_copy(update={"number": 12})
    green = Attempt(function="f", number=13, source="def f(x): return 1", verdicts=(tell.verdict("a"),))
    told = failed_approaches([*wrong, again, green], suite).splitlines()
    assert len(told) == MOST_ATTEMPTS
    assert told[-1] == "- straight-line code: passes 0 of the 1 shown cases; `f(0)` gave 11, expected 1"
    assert failed_approaches([green], suite) == "(none that could be read)"


def test_it_is_short_whatever_the_values_are(tell):
    """A line is a line."""
    huge = "x\ny" * 500_000
    suite = tell.suite(*(tell.case(f"c{n}", f"'{huge}'") for n in range(5)))
    verdicts = tuple(tell.verdict(f"c{n}", huge, huge) for n in range(5))
    attempts = [
        Attempt(function="f", number=1, source="pass", verdicts=verdicts, vetoes=(huge,)),
        Attempt(function="f", number=2, source="", findings=(huge,)),
    ]
    assert len(failed_approaches(attempts, suite)) < 2_500


def case(name: str, argument: str) -> Case:
    return Case(name=name, function="f", arguments=(argument,), expectation=Value(source="1"))


def verdict(name: str, **changes: Any) -> Verdict:
    return Verdict(function="f", case=name, passed=changes.pop("passed", False), status="returned", **changes)


def test_the_smallest_failing_case_comes_first_with_expected_and_actual():
    """A small example says most."""
    suite = Suite(function="f", cases=(case("long", "'a' * 1000"), case("short", "''")))
    difference = Difference(where="[0]", expected="1", actual="2")
    attempt = Attempt(
        function="f",
        number=1,
        source="def f(x): ...",
        verdicts=(verdict("long"), verdict("short", differences=(difference,))),
    )
    told = feedback(attempt, suite)
    assert told.index("short") < told.index("long")
    assert "- short fails:\n  at [0]: 2, expected 1" in told
    assert "f('')" not in told  # the prompt shows the test already
    assert "0 of the 2 shown cases pass." in told


def test_a_held_out_case_is_never_told():
    """Neither its name nor its values."""
    suite = Suite(function="f", cases=(case("open", "1"), case("secret", "4242")), held_out=frozenset({"secret"}))
    attempt = Attempt(function="f", number=1, source="x", verdicts=(verdict("open", passed=True), verdict("secret")))
    told = feedback(attempt, suite)
    assert "secret" not in told
    assert "4242" not in told


def test_an_exception_is_told_with_its_lines_and_their_values():
    """The frame's locals say what the input turned into."""
    raised = Raised(
        types=("builtins.KeyError",),
        message="'x'",
        frames=(Frame(function="f", line=3, text="return d[k]", locals={"k": "'x'"}),),
    )
    suite = Suite(function="f", cases=(case("one", "1"),))
    told = feedback(Attempt(function="f", number=1, source="x", verdicts=(verdict("one", raised=raised),)), suite)
    assert "builtins.KeyError: 'x'" in told
    assert "in f, `return d[k]` with k='x'" in told


def test_what_can_not_be_seen_is_told_as_an_escape():
    """In what was printed, once, and in the values of the frames."""
    frame = Frame(function="f", line=3, text="return d[k]", locals={"k": "'e\u0301'"})
    raised = Raised(types=("builtins.KeyError",), message="'\xa0'", frames=(frame,))
    suite = Suite(function="f", cases=(case("one", "1"),))
    attempt = Attempt(
        function="f", number=1, source="x", verdicts=(verdict("one", raised=raised, stdout="\xe9 e\u0301\n"),)
    )
    told = feedback(attempt, suite)
    assert r"it printed to stdout 'E e\u0301\n'".replace("E", "\xe9") in told
    assert r"builtins.KeyError: '\xa0'" in told
    assert r"with k='e\u0301'" in told


def test_it_is_bounded_whatever_the_values_are():
    """A hundred megabytes of output don't reach a prompt."""
    huge = "x" * 1_000_000
    cases = tuple(case(f"c{i}", f"'{huge}'") for i in range(8))
    verdicts = tuple(
        verdict(c.name, detail=huge, differences=(Difference(where=huge, expected=huge, actual=huge),)) for c in cases
    )
    attempt = Attempt(function="f", number=1, source="x", verdicts=verdicts, findings=(huge,), vetoes=(huge,))
    assert len(feedback(attempt, Suite(function="f", cases=cases))) <= MOST_CHARACTERS + 10


def test_advice_is_told_where_the_attempt_fails():
    """What a linter says of failing code may be the cause."""
    attempt = Attempt(function="f", number=1, source="x", advice=("line 1: a mutable default",))
    assert "Perhaps: line 1: a mutable default" in feedback(attempt, Suite(function="f", cases=()))


def test_repeating_oneself_is_told():
    """The same code again can't do better."""
    attempt = Attempt(function="f", number=2, source="same", findings=("no",))
    earlier = Attempt(function="f", number=1, source="same")
    assert "the same as an earlier attempt's" in feedback(attempt, Suite(function="f", cases=()), [earlier])


def test_earlier_attempts_are_told_in_a_line_each():
    """How they came to be, how far they came, and what they fell on; the one that is mended is not among them."""
    suite = Suite(function="f", cases=(case("one", "1"),))
    wrong = verdict("one", differences=(Difference(where="", expected="1", actual="2"),))
    earlier = [
        Attempt(function="f", number=1, source="a", verdicts=(wrong,)),
        Attempt(function="f", number=2, source="b", rung="repair", findings=("no",)),
    ]
    told = feedback(Attempt(function="f", number=3, source="c", verdicts=(wrong,)), suite, earlier)
    assert "- attempt 1 (first attempt): passes 0 of the 1 shown cases; `f(1)` gave 2, expected 1" in told
    assert "- attempt 2 (repair): could not be used: no" in told


def test_what_the_sandbox_refuses_is_told_as_such():
    """Else a developer would look for the fault in the call's arguments."""
    raised = Raised(types=("builtins.PermissionError", "builtins.OSError"), message="[Errno 1] Operation not permitted")
    suite = Suite(function="f", cases=(case("one", "1"),))
    told = feedback(Attempt(function="f", number=1, source="x", verdicts=(verdict("one", raised=raised),)), suite)
    assert "the sandbox refuses this" in told


def test_the_first_of_many_differences_are_told():
    """And how many more there are."""
    suite = Suite(function="f", cases=(case("one", "1"),))
    many = tuple(Difference(where=f"[{n}]", expected="1", actual="2") for n in range(50))
    told = feedback(Attempt(function="f", number=1, source="x", verdicts=(verdict("one", differences=many),)), suite)
    assert told.count("expected 1") == 5
    assert "and 45 more differences" in told


def test_equal_runs_are_told_in_the_same_words():
    """An address would make every prompt a new one, and a cut-off run would pay again."""
    raised = Raised(types=("builtins.TypeError",), message="<object object at 0x7f00aa> is not callable")
    suite = Suite(function="f", cases=(case("one", "1"),))
    told = feedback(Attempt(function="f", number=1, source="x", verdicts=(verdict("one", raised=raised),)), suite)
    assert "0x" not in told


HOSTILE = {
    "a huge value": "return b'x' * 10**8",
    "many large values": "return ['x' * 100] * 10**5",
    "a huge text printed": "print('x' * 10**7)\n    return 1",
    "a repr without end": (
        "import time\n    class Odd:\n        def __repr__(self):\n            time.sleep(60)\n"
        "    odd = Odd()\n    raise ValueError(number)"
    ),
    "a binary message": "raise ValueError(bytes(range(256)) * 1000, '\\x00\\x1b[2J\\ud800' * 1000)",
    "a huge message": "raise ValueError('x' * 10**8)",
    "a huge exception's name": "raise type('E' * 10**6, (Exception,), {})('no')",
    "huge locals": "text = 'x' * 10**8\n    many = [text] * 10**6\n    data = b'y' * 10**7\n    return 1 / 0",
    "deep recursion": "return double(number)",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_run_makes_a_short_and_readable_report(solver, double, body):
    """The whole way from the sandbox to the next prompt."""
    wrong = f"def double(number: int) -> int:\n    {body}"
    right = "def double(number: int) -> int:\n    return 2 * number"
    budget = {"limits": {"wall_s": 0.4}} if "repr" in body else {}
    solved = solver.solve(double(wrong, right), settings=budget | {"search_seconds": 0.0})
    (prompt,) = solved.prompts("repair")
    observed = prompt.partition("<observed>")[2].partition("</observed>")[0]
    assert 0 < len(observed) <= MOST_CHARACTERS + 10
    assert observed.replace("\n", "").isprintable()
    assert solved["double"].outcome == "green"


SUM = """\
def total(xs):
    found = 0
    for x in xs:
        if x > 2:
            found += x
    return found
"""


def steps(sandbox: Sandbox, source: str, call: str) -> tuple[Step, ...]:
    job = Job(module="m", source=source, probes=(Probe(name="p", call=call),), watch="values")
    return sandbox.run(job).observations[0].steps


def test_each_line_stands_with_its_code_and_what_it_set(shared_sandboxes):
    """Arguments at the `def`, the result at the return."""
    assert trace_text(steps(shared_sandboxes[0], SUM, "total([1, 3])"), SUM).splitlines() == [
        "1 | def total(xs): | xs=[1, 3]",
        "2 |     found = 0 | found=0",
        "3 |     for x in xs: | x=1",
        "4 |         if x > 2:",
        "3 |     for x in xs: | x=3",
        "4 |         if x > 2:",
        "5 |             found += x | found=3",
        "3 |     for x in xs:",
        "6 |     return found | returns 3",
    ]


def test_of_a_loop_the_first_and_the_last_rounds_are_shown(shared_sandboxes):
    """Two each; how the loop ends comes with the last."""
    told = trace_text(steps(shared_sandboxes[0], SUM, "total([1, 2, 3, 4, 5, 6, 7])"), SUM)
    assert told.splitlines()[2:] == [
        "3 |     for x in xs: | x=1",
        "4 |         if x > 2:",
        "3 |     for x in xs: | x=2",
        "4 |         if x > 2:",
        "  … 3 rounds left out …",
        "3 |     for x in xs: | x=6",
        "4 |         if x > 2:",
        "5 |             found += x | found=18",
        "3 |     for x in xs: | x=7",
        "4 |         if x > 2:",
        "5 |             found += x | found=25",
        "3 |     for x in xs:",
        "6 |     return found | returns 25",
    ]


def test_loops_within_loops_are_folded_too(shared_sandboxes):
    """Also a loop that calls others, and one whose middle was never kept."""
    source = "def f(n):\n    for i in range(n):\n        for j in range(n):\n            g(j)\n    return n\n"
    source += "def g(j):\n    return j\n"
    told = trace_text(steps(shared_sandboxes[0], source, "f(7)"), source)
    assert told.count("3 rounds left out") == 5
    assert told.count("\n") < MOST_ROWS
    long = trace_text(steps(shared_sandboxes[0], source, "f(60)"), source)
    assert "more steps left out" in long


def test_a_decorated_function_begins_with_its_def(shared_sandboxes):
    """Not with the decorator, on which its first step stands."""
    source = "import functools\n\n\n@functools.cache\ndef f(n):\n    return n\n"
    assert trace_text(steps(shared_sandboxes[0], source, "f(1)"), source).startswith("4 | def f(n): | n=1")


def test_recursion_is_cut_to_its_beginning_and_its_end(shared_sandboxes):
    """It has no loop to fold."""
    source = "def f(n):\n    if n:\n        return f(n - 1)\n    return 0\n"
    told = trace_text(steps(shared_sandboxes[0], source, "f(99)"), source).splitlines()
    assert len(told) <= MOST_ROWS + 2
    assert told[0] == "1 | def f(n): | n=99"
    assert told[-1] == "3 |         return f(n - 1) | returns 0"


def test_whatever_is_told_stays_short():
    """Steps come from a process that may lie: lines that there are not, endless names and values."""
    huge = "x" * 1_000_000
    lies = [Step(function=huge, line=10**9, changed={huge: huge} | {str(n): huge for n in range(99)})] * 300
    lies += [
        Step(function="", line=0, changed={"steps left out": huge}),
        Step(function="", line=0),
        Step(function="", line=-5),
    ]
    told = trace_text(lies, SUM)
    assert len(told) < MOST_ROWS * 500
    assert trace_text([], SUM) == ""
    assert trace_text([Step(function="f", line=1)], "def f(:") == "1 | def f(:"


def test_a_lie_about_what_was_left_out_is_no_error():
    """Its number may be no number."""
    rounds = [Step(function="f", line=3), Step(function="", line=0, changed={"steps left out": "many"})] * 9
    assert "rounds" in trace_text(rounds, SUM)


def test_an_exit_that_is_judged_is_no_fault():
    """The way to it is not shown; of an exit that nothing asks for it is."""
    raised = Raised(
        types=("builtins.SystemExit",),
        message="2",
        exit_code=2,
        frames=(Frame(function="main", line=3, text="exit(2)"),),
    )
    exits = case("script", "1").model_copy(update={"expectation": Exits(code=1)})
    told = [
        feedback(
            Attempt(function="f", number=1, source="x", verdicts=(verdict(one.name, raised=raised),)),
            Suite(function="f", cases=(one,)),
        )
        for one in (exits, case("call", "1"))
    ]
    assert ["in main" in one for one in told] == [False, True]


def test_the_users_tests_are_counted_apart():
    """They stand in another list than the others."""
    cases = (case("own", "1").model_copy(update={"provenance": "instruction"}), case("one", "2"), case("two", "3"))
    assert cases[0].is_pinned
    verdicts = (verdict("own", passed=True), verdict("one", passed=True), verdict("two"))
    told = feedback(Attempt(function="f", number=1, source="x", verdicts=verdicts), Suite(function="f", cases=cases))
    assert "2 of the 3 shown cases, 1 of the user's and 2 of the other tests, pass." in told
