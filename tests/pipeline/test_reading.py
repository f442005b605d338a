"""A second reading of the instruction: what cases and code agree on is held against who read the user's own words."""

from __future__ import annotations

import ast
import json
import re

import pytest

from tdgen.errors import ModelError
from tdgen.events import Noted
from tdgen.protocols import Answer, Request

STANDARD = {"trust": "standard"}
HALVE = "Write halve(n: int) -> int: half of n, rounded half up."
WRONG = "def halve(n: int) -> int:\n    return round(n / 2)"
RIGHT = "def halve(n: int) -> int:\n    return (n + 1) // 2"


@pytest.fixture(autouse=True)
def no_second_reading():
    """There is one here."""


@pytest.fixture
def halve(write):
    """`halve(n)` by a plan that lost "half up": cases and code round to even."""

    def make(*tries, also=(), numbers=(4, 3, 5, 1, 6, 8)):
        cases = [write.returns(f"halve({n})", str(round(n / 2)), name=f"of_{n}") for n in numbers]
        return write.function("halve(n: int) -> int", "Half of n, rounded.", cases=cases, tries=tries, also=also)

    return make


def ruling(case: str, value: str = "", quote: str = "rounded half up") -> dict[str, str]:
    """A ruling that revises a case, or upholds it."""
    told = {"verdict": "revised", "expect": "value", "value": value} if value else {"verdict": "upheld"}
    return {"case": case, "quote": quote} | told


def asked(solved, purpose: str) -> list[Request]:
    return [request for request in solved.model.asked if request.purpose == purpose]


def test_each_function_is_an_item_of_the_list(solver, double, write):
    """One that the instruction names by its signature in a line, another with its contract below it."""
    inner = write.function(
        "half(number: int) -> int",
        "Half the number.",
        cases=[write.returns(f"half({n})", str(n // 2)) for n in (0, 2, 4, 8)],
        tries=["def half(number: int) -> int:\n    return number // 2"],
    )
    both = (double(rival="def double(number): return number + number"), inner)
    (request,) = asked(solver.solve(*both, text="Write double.", settings=STANDARD), "reading")
    told = request.messages[-1].content.rpartition("<functions>")[2].partition("</functions>")[0]
    signature, other, *rest = told.strip().splitlines()
    assert signature == "- `def double(number: int) -> int`"
    assert (other, rest) == ("- `def half(number: int) -> int`", ["  Half the number."])


class TestAskedForOnce:
    """Beside the suites, from standard on."""

    @pytest.mark.parametrize(("trust", "calls"), [("quick", 0), ("standard", 1), ("strict", 3)])
    def test_the_trust_level_says_how_often(self, solver, double, trust, calls):
        """Nothing is asked at quick, three readings at strict."""
        solved = solver.solve(double(rival="def double(number): return number + number"), settings={"trust": trust})
        assert len(asked(solved, "reading")) == calls
        assert solved["double"].outcome == "green"

    def test_its_author_sees_the_words_and_the_signatures_alone(self, solver, halve, write):
        """Neither what the contract says of them, nor a case, nor code."""
        solved = solver.solve(halve(WRONG), text=HALVE, readings=[WRONG], settings=STANDARD)
        (prompt,) = solved.prompts("reading")
        assert HALVE in prompt
        assert "def halve(n: int) -> int" in prompt
        assert "Half of n, rounded.\n" not in prompt
        assert "of_5" not in prompt

    def test_what_the_words_do_not_name_is_told_by_its_contract(self, solver, halve, double):
        """Nothing else says what a function does that the planner thought of."""
        readings = ["def double(number): return number + number"]
        (prompt,) = solver.solve(halve(WRONG), double(), text=HALVE, readings=readings, settings=STANDARD).prompts(
            "reading"
        )
        assert "`def double(number: int) -> int`\n  Twice the number." in prompt

    def test_one_that_agrees_costs_its_call_and_nothing_more(self, solver, double):
        """It is told in a line."""
        solved = solver.solve(double(), readings=["def double(number): return number + number"], settings=STANDARD)
        assert [r.purpose for r in solved.model.asked if r.purpose in ("trial", "settle", "repair")] == []
        assert "second reading: agrees on 4 of 4 calls" in solved.solution.notes
        assert "second reading: agrees on 4 of 4 calls" in [event.text for event in solved.happened(Noted)]

    def test_what_an_unfinished_run_has_paid_for_is_not_paid_for_again(self, solver, double):
        """The reading is replayed, as all answers are."""
        reading = "def double(number): return number + number"

        class Fallen:
            """A model that is not there once code is asked for."""

            def __init__(self) -> None:
                self.inner = solver.model(double(), readings=[reading])

            def ask(self, request: Request) -> Answer:
                if request.purpose == "implement":
                    raise ModelError("the line is down")
                return self.inner.ask(request)

        generator = solver.generator(Fallen(), **STANDARD)
        with pytest.raises(ModelError):
            generator.solve("Double it.")
        again = solver.model(double(), readings=[reading])
        fallen = Fallen()
        fallen.ask = again.ask
        solution = solver.generator(fallen, **STANDARD).solve("Double it.")
        assert solution.all_tests_passed
        assert [request.purpose for request in again.asked] == ["implement"]


class TestAgainstCases:
    """Where it parts from a case, the instruction's words decide, before any code is written to the case."""

    def test_a_phrase_that_the_plan_lost_is_found(self, solver, halve, write):
        """Cases and code agree on the wrong thing, and are both mended."""
        told = [write.rules(ruling("of_5", "3"), ruling("of_1", "1"), variant="reading", sample=n) for n in range(2)]
        function = halve(WRONG, RIGHT, also=told)
        solved = solver.solve(function, text=HALVE, readings=[RIGHT], settings=STANDARD)
        assert solved["halve"].outcome == "green"
        assert solved["halve"].best.source.strip() == RIGHT
        trial, _ = asked(solved, "trial")
        assert "reading" not in trial.messages[-1].content
        assert {r.case: r.action for r in solved.solution.revisions if r.quote} == {
            "of_5": "revised",
            "of_1": "revised",
        }

    def test_the_same_is_green_and_wrong_without_it(self, solver, halve):
        """So that the test above shows what it is for."""
        solved = solver.solve(halve(WRONG), text=HALVE, settings=STANDARD)
        assert solved["halve"].outcome == "green"

    def test_one_that_parts_from_every_case_may_be_right(self, solver, write):
        """Where the plan lost that the start counts, all cases are off by one."""
        text = "Write days(start: int, end: int) -> int: the days from start to end; the start counts."
        cases = [write.returns(f"days({a}, {b})", str(b - a), name=f"d_{a}_{b}") for a, b in ((1, 4), (2, 9), (5, 30))]
        rulings = [ruling(f"d_{a}_{b}", str(b - a + 1), "the start counts") for a, b in ((1, 4), (2, 9), (5, 30))]
        right = "def days(start: int, end: int) -> int:\n    return end - start + 1"
        function = write.function(
            "days(start: int, end: int) -> int",
            "The days from start to end.",
            cases=cases,
            tries=["def days(start: int, end: int) -> int:\n    return end - start", right],
            also=[write.rules(*rulings, variant="reading", sample=n) for n in range(2)],
        )
        solved = solver.solve(function, text=text, readings=[right], settings=STANDARD)
        assert solved["days"].outcome == "green"
        assert solved["days"].best.source.strip() == right
        assert len(asked(solved, "trial")) == 2

    def test_one_that_lacks_a_name_speaks_against_nothing(self, solver, double):
        """It is no other reading, but code that is not whole."""
        broken = "def double(number):\n    return twice(number)"
        solved = solver.solve(double(), text="Double it.", readings=[broken], settings=STANDARD)
        assert solved["double"].outcome == "green"
        assert not asked(solved, "trial")
        assert not asked(solved, "settle")

    def test_a_wrong_one_costs_a_call_and_harms_nobody(self, solver, double, write):
        """Arbitration upholds the cases; its word counts for nothing from then on."""
        names = [case["name"] for case in double().cases[0]]
        told = write.rules(*(ruling(name, quote="Double it") for name in names), variant="reading")
        wrong = "def double(number): return number * number + 3"
        solved = solver.solve(double(also=[told]), text="Double it.", readings=[wrong], settings=STANDARD)
        assert solved["double"].outcome == "green"
        assert len(asked(solved, "trial")) == 1
        assert not asked(solved, "settle")
        assert not solved.solution.revisions

    def test_a_case_upheld_against_it_is_ruled_on_again_where_code_agrees_with_it(self, solver, write):
        """One arbiter's word against two who share no code is not the last."""
        good = [(2, 1), (3, 2), (4, 2), (6, 3), (7, 4), (9, 5)]
        cases = [write.returns(f"halve({n})", str(half), name=f"of_{n}") for n, half in good]
        cases.append(write.returns("halve(5)", "2", name="of_5"))
        told = [
            write.rules(ruling("of_5", quote="half of n"), variant="reading"),
            *(write.rules(ruling("of_5", "3"), sample=sample) for sample in (3, 4)),
        ]
        function = write.function(
            "halve(n: int) -> int", "Half of n, rounded half up.", cases=cases, tries=[RIGHT], also=told
        )
        solved = solver.solve(function, text=HALVE, readings=[RIGHT], settings=STANDARD)
        assert solved["halve"].outcome == "green"
        assert solved["halve"].best.source.strip() == RIGHT
        assert len(solved["halve"].history) == 1
        before, again, _ = asked(solved, "trial")
        assert "implementations" not in before.messages[-1].content
        assert (
            "2 implementations that share no code, a reading of the whole instruction among them, came to:"
            in again.messages[-1].content
        )

    def test_what_the_user_pinned_is_not_doubted(self, solver, halve, write):
        """A reading that fails an example is not heard at all."""
        text = f"{HALVE} For instance halve(4) == 2."
        wrong = "def halve(n: int) -> int:\n    return n // 2 + 1"
        examples = [write.example("halve(4) == 2", "halve(4)", "2")]
        solved = solver.solve(
            halve(RIGHT, numbers=(3, 6, 7)), text=text, readings=[wrong], settings=STANDARD, examples=examples
        )
        assert solved["halve"].outcome == "green"
        assert not asked(solved, "trial")

    def test_what_the_words_leave_open_is_a_question(self, solver, halve, write):
        """The case that says more than they do goes, and nobody is blamed."""
        case = {"case": "of_5", "verdict": "unsettled", "quote": ""}
        votes = [write.rules(case, variant="reading", sample=n) for n in range(3)]
        loose = "def halve(n: int) -> int:\n    return 3 if n == 5 else round(n / 2)"
        solved = solver.solve(halve(WRONG, also=votes), text=HALVE, readings=[loose], settings=STANDARD)
        assert solved["halve"].outcome == "green"
        assert any("halve(5)" in question.question for question in solved.solution.questions)
        assert "of_5" not in [one.name for one in solved["halve"].suite.cases]

    def test_the_words_of_an_exception_are_free(self, solver, write):
        """That it raises counts; what it says is nobody's but the contract's."""
        function = write.function(
            "root(n: int) -> int",
            cases=[write.raises("root(-1)", "ValueError", match="negative"), write.returns("root(9)", "3")],
            tries=["def root(n):\n    if n < 0:\n        raise ValueError('negative')\n    return int(n ** 0.5)"],
        )
        other = "def root(n):\n    if n < 0:\n        raise ValueError('below 0')\n    return int(n ** 0.5)"
        solved = solver.solve(function, readings=[other], settings=STANDARD)
        assert "second reading: agrees on 2 of 2 calls" in solved.solution.notes


class TestHarmless:
    """Whatever comes back, right code stays green."""

    @pytest.mark.parametrize(
        "reading",
        [
            "def double(number:",
            "I would rather not.",
            "import subprocess\ndef double(number): return subprocess.run(['ls'])",
            "import os\ndef double(number): os._exit(0)",
            "import time\n\ndef double(number):\n    while True:\n        time.sleep(1)",
            "LIMIT = 1 / 0\ndef double(number): return 2 * number",
            "def other(number): return 2 * number",
            "def double(number): raise SystemExit(0)",
        ],
        ids=["syntax", "prose", "process", "exit", "endless", "import", "another", "system_exit"],
    )
    def test_what_can_not_be_used(self, solver, double, reading, write):
        """It is noted, and costs nothing beyond its call and one arbitration."""
        given = write.said(reading) if reading.startswith("I ") else reading
        solved = solver.solve(double(), readings=[given], settings=STANDARD | {"limits": {"wall_s": 1.0}})
        assert solved["double"].outcome == "green"
        assert len(asked(solved, "trial")) <= 3
        assert not asked(solved, "settle")


def gives(known):
    """A test author who knows what each call must give; None where it is open."""

    def told(request: Request) -> str:
        calls = [
            line.partition("`")[2].rstrip("`")
            for line in request.messages[-1].content.splitlines()
            if line[:1].isdigit()
        ]
        values = [known(*(ast.literal_eval(one) for one in ast.parse(call, mode="eval").body.args)) for call in calls]
        answers = [
            {"number": n, "expect": "open"} if value is None else {"number": n, "expect": "value", "value": repr(value)}
            for n, value in enumerate(values, start=1)
        ]
        return json.dumps({"answers": answers})

    return told


class Author:
    """The scripted model, but for calls that are to be settled: these are answered by `told`."""

    def __init__(self, inner, told) -> None:
        self.inner, self.told, self.own = inner, told, []

    @property
    def asked(self):
        return (*self.inner.asked, *self.own)

    def ask(self, request: Request) -> Answer:
        if request.purpose != "settle":
            return self.inner.ask(request)
        self.own.append(request)
        return Answer(text=self.told(request))


class TestAgainstGreenCode:
    """Calls on which green code and the reading part are asked about."""

    @pytest.fixture
    def grade(self, solver, write):
        """`grade(points)` with cases far from where it is decided, solved beside a reading."""

        def solve(*bodies, reading, told):
            head = "def grade(points: int) -> str:\n    return "
            function = write.function(
                "grade(points: int) -> str",
                "'pass' or 'fail'.",
                cases=[write.returns(f"grade({n})", repr("pass" if n > 50 else "fail")) for n in (10, 20, 80, 90)],
                tries=[head + body for body in bodies],
            )
            model = Author(solver.model(function, readings=[head + reading]), told)
            text = "Write grade(points: int) -> str: 'pass' from 50 points on, else 'fail'."
            return solver.solve(function, text=text, model=model, settings=STANDARD)

        return solve

    AT = "'pass' if points >= 50 else 'fail'"
    ABOVE = "'pass' if points > 50 else 'fail'"

    def test_code_that_is_wrong_is_mended(self, grade):
        """No case speaks of 50: the reading does."""
        solved = grade(self.ABOVE, self.AT, reading=self.AT, told=gives(lambda n: "pass" if n >= 50 else "fail"))
        assert solved["grade"].outcome == "green"
        assert ">= 50" in solved["grade"].best.source
        assert "grade(50)" in [case.expression for case in solved["grade"].suite.cases]

    def test_a_script_is_compared_by_what_it_prints(self, solver, write):
        """Each run of it ends by an exit; its words are varied, and what it says on standard error is free."""
        head = "import sys\n\ndef main(argv: list[str]) -> int:\n    print('hm', file=sys.stderr)\n"
        body = head + "    print('pass' if int(argv[0]) > 50 else 'fail')\n    return 0"
        right = body.replace("> 50", ">= 50").replace("hm", "well")

        shown = {"10": "fail\n", "20": "fail\n", "80": "pass\n", "90": "pass\n"}

        def told(request: Request) -> str:
            words = re.findall(r"MODULE\.py '?(-?[0-9]+)", request.messages[-1].content)
            answers = [
                {"number": n, "expect": "exits", "value": "0"}
                | {"observe": {"stdout": "pass\n" if int(word) >= 50 else "fail\n"}}
                for n, word in enumerate(words, start=1)
            ]
            return json.dumps({"answers": answers})

        function = write.function(
            "main(argv: list[str]) -> int",
            "Prints 'pass' or 'fail'.",
            cases=[write.exits([n], 0, observe={"stdout": prints}) for n, prints in shown.items()],
            tries=[body, right],
        )
        model = Author(solver.model(function, readings=[right], entry_function="main"), told)
        text = "A script main(argv): prints 'pass' from 50 points on, else 'fail'."
        solved = solver.solve(function, text=text, model=model, entry_function="main", settings=STANDARD)
        assert solved["main"].outcome == "green"
        assert ">= 50" in solved["main"].best.source
        assert ("50",) in [case.world.script for case in solved["main"].suite.cases]

    def test_a_fault_of_the_reading_hides_none_of_the_code(self, solver, write):
        """Both give None: the one prints more than it should above 50, the other something else for 5."""
        head = "def note(n: int) -> None:\n    word = 'odd' if n % 2 else 'even'\n"
        wrong = f"{head}    print(word)\n    if n > 50:\n        print('big')"
        right = f"{head}    print(word)"
        reading = f"{head}    print(word.upper() if n == 5 else word)"

        def told(request: Request) -> str:
            numbers = [int(n) for n in re.findall(r"`note\((?:n=)?(-?[0-9]+)\)`", request.messages[-1].content)]
            answers = [
                {"number": place, "expect": "value", "value": "None"}
                | {"observe": {"stdout": "odd\n" if n % 2 else "even\n"}}
                for place, n in enumerate(numbers, start=1)
            ]
            return json.dumps({"answers": answers})

        cases = [
            write.returns(f"note({n})", "None", observe={"stdout": "odd\n" if n % 2 else "even\n"})
            for n in (1, 2, 3, 8, 9, 12)
        ]
        function = write.function("note(n: int) -> None", "Prints 'odd' or 'even'.", cases=cases, tries=[wrong, right])
        model = Author(solver.model(function, readings=[reading]), told)
        text = "Write note(n: int) -> None: prints 'odd' or 'even'."
        solved = solver.solve(function, text=text, model=model, settings=STANDARD)
        assert solved["note"].outcome == "green"
        assert "big" not in solved["note"].best.source

    def test_a_fault_of_the_reading_on_likely_calls_hides_none_of_the_code_on_others(self, solver, write):
        """Both faults give the longer text: the reading's on many calls, the code's on an empty one."""
        head = "def end(text: str) -> str:\n    return "
        wrong, right = (f"{head}text if {test}text.endswith('.') else text + '.'" for test in ("", "not text or "))
        reading = f"{head}text if not text or len(text) % 2 or text.endswith('.') else text + '.'"
        words = ("ab", "cd", "efgh", "hi", "abc.", "b.")
        cases = [
            write.returns(f"end({word!r})", repr(f"{word.rstrip('.')}."), name=f"of_{len(word)}{word[0]}")
            for word in words
        ]
        function = write.function("end(text: str) -> str", "With a full stop.", cases=cases, tries=[wrong, right])
        told = gives(lambda text: text if not text or text.endswith(".") else f"{text}.")
        text = "Write end(text: str) -> str: the text with a full stop at its end; an empty one stays as it is."
        solved = solver.solve(
            function, text=text, model=Author(solver.model(function, readings=[reading]), told), settings=STANDARD
        )
        assert solved["end"].outcome == "green"
        assert "not text" in solved["end"].best.source
        assert "end('')" in [case.expression for case in solved["end"].suite.cases]

    def test_a_reading_that_is_wrong_costs_one_question(self, grade):
        """Right code stays as it was."""
        solved = grade(self.AT, reading=self.ABOVE, told=gives(lambda n: "pass" if n >= 50 else "fail"))
        assert solved["grade"].outcome == "green"
        assert len(solved["grade"].history) == 1
        assert len(asked(solved, "settle")) == 1

    def test_what_the_words_leave_open_sinks_nothing(self, grade):
        """It is told as a question, and what the code does is assumed."""
        solved = grade(self.AT, reading=self.ABOVE, told=gives(lambda n: None))
        assert solved["grade"].outcome == "green"
        assert any(question.call == "grade(50)" for question in solved.solution.questions)

    def test_where_nobody_can_say_it_is_not_green(self, grade):
        """One of the two is wrong, and nobody knows which."""
        solved = grade(self.AT, reading=self.ABOVE, told=lambda request: "Well.")
        assert solved["grade"].outcome == "undecided"
        assert "grade(50)" in solved["grade"].reason
        assert any(question.call == "grade(50)" for question in solved.solution.questions)


def test_its_code_is_taken_where_no_other_passes(solver, halve, write):
    """It is judged by every case, and the record says where it comes from."""
    never = "def halve(n: int) -> int:\n    return n"
    helper = "import re\nimport math\n_TWO = 2\n_ZERO: int = 0\ndef _up(n):\n    return -(-n // _TWO)\n"
    reading = helper + RIGHT.replace("(n + 1) // 2", "_up(n)")
    told = [write.rules(ruling("of_5", "3"), ruling("of_1", "1"), variant="reading", sample=n) for n in range(2)]
    function = halve(never, *[never + f" + {n}" for n in (1, 2, 3)], also=told)
    solved = solver.solve(function, text=HALVE, readings=[reading], settings=STANDARD)
    assert solved["halve"].outcome == "green"
    best = solved["halve"].best
    assert best.rung == "reading"
    assert "_halve_up" in best.source
    assert "re" not in best.source.split("def")[0]
    assert "_ZERO" not in best.source
    assert any("second reading" in note and "its code" in note for note in solved.solution.notes)
