"""A class from prose to a green module: planned, tested by sequences of calls, written as a whole, repaired."""

from __future__ import annotations

import json

import pytest

from tdgen.errors import PlanError
from tdgen.events import Noted, RedSeen
from tests.scripted import with_answer

TILL = '''
class Till:
    """A till with a balance in cents, never below 0."""

    def __init__(self, balance: int = 0) -> None: ...

    @property
    def balance(self) -> int: ...

    def pay_in(self, cents: int) -> int: ...

    def take(self, cents: int) -> int: ...
'''
RIGHT = '''
class Till:
    """A till with a balance in cents, never below 0."""

    def __init__(self, balance: int = 0) -> None:
        self._balance = balance

    @property
    def balance(self) -> int:
        """What is in it, in cents."""
        return self._balance

    def pay_in(self, cents: int) -> int:
        """Put `cents` in, and give the new balance."""
        self._balance += cents
        return self._balance

    def take(self, cents: int) -> int:
        """Take `cents` out, and give the new balance; ValueError where there are fewer."""
        if cents > self._balance:
            raise ValueError("not enough")
        self._balance -= cents
        return self._balance
'''
SHARED = RIGHT.replace("self._balance = balance", "type(self)._balance = balance").replace(
    "self._balance", "Till._balance"
)
FORGETS = RIGHT.replace("self._balance -= cents", "pass")
EARLY = RIGHT.replace(
    '            raise ValueError("not enough")',
    '            self._balance = 0\n            raise ValueError("not enough")',
)


@pytest.fixture
def cases(write):
    """Six cases, of which three are sequences of three calls."""
    after = [{"expression": "till.balance", "value": "5"}]
    return [
        write.returns("till.balance", "7", name="starts_with_what_is_given", setup="till = Till(7)"),
        write.returns("Till().balance", "0", name="starts_empty"),
        write.returns("till.pay_in(2)", "8", name="pays_in_twice", setup="till = Till(1)\ntill.pay_in(5)"),
        write.returns(
            "till.take(3)", "4", name="takes_after_paying", setup="till = Till()\ntill.pay_in(9)\ntill.take(2)"
        ),
        write.raises(
            "till.take(6)", "ValueError", name="takes_too_much", setup="till = Till(5)", observe={"after": after}
        ),
        write.returns(
            "[one.balance, other.balance]",
            "[3, 9]",
            name="two_tills_share_nothing",
            setup="one = Till(1)\nother = Till(9)\none.pay_in(2)",
        ),
    ]


@pytest.fixture
def till(write, cases):
    def written(*tries, **more):
        return write.klass(TILL, tries=tries or [RIGHT], raises=["ValueError"], **({"cases": cases} | more))

    return written


@pytest.mark.usefixtures("some_mutants")
@pytest.mark.parametrize("trust", ["quick", "standard", "strict"])
def test_a_class_becomes_a_green_module_with_tests(solver, till, trust):
    """At every trust level: what a level runs of functions runs of classes."""
    solved = solver.solve(till(), settings={"trust": trust})
    assert solved["Till"].outcome == "green", solved["Till"].reason
    assert "class Till:" in solved.solution.module_source
    test = solved.solution.test_files["test_till.py"]
    assert "from kit import Till" in test
    assert "def test_till_starts_empty() -> None:" in test
    assert "till.take(3) == 4" in test
    assert {e.red for e in solved.happened(RedSeen)} == {6}


@pytest.mark.parametrize("wrong", [FORGETS, SHARED, EARLY], ids=["forgets", "shared", "changes before it raises"])
def test_a_wrong_class_is_repaired_as_a_whole(solver, till, wrong):
    """The developer is shown the class, the case and what was seen of it."""
    solved = solver.solve(till(wrong, RIGHT))
    assert solved["Till"].outcome == "green"
    assert len(solved["Till"].history) == 2
    assert "one Python class" in solved.prompts("repair")[0]


LYING = """
class _Yes(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __getattribute__(self, name):
        return lambda *given: True


class Till:
    def __init__(self, balance=0):
        pass

    @property
    def balance(self):
        return _Yes()

    def pay_in(self, cents):
        return _Yes()

    def take(self, cents):
        if cents == 6:
            raise ValueError
        return _Yes()
"""
ANYTHING = LYING.replace("_Yes(int)", "_Yes")
DISGUISED = LYING.replace(
    "    def __getattribute__", "    __class__ = property(lambda self: int)\n\n    def __getattribute__"
)


@pytest.mark.parametrize("hostile", [LYING, ANYTHING, DISGUISED], ids=["a subclass of int", "an object", "__class__"])
def test_what_lies_about_equality_is_not_green(solver, till, hostile):
    """The judge compares plain data outside: what code says of its own equality, class or attributes is not heard."""
    solved = solver.solve(till(hostile, hostile), settings={"budget": "iterations=2"})
    assert solved["Till"].outcome == "red"
    passed = {verdict.case for verdict in solved["Till"].best.verdicts if verdict.passed}
    assert not passed & {"starts_with_what_is_given", "pays_in_twice", "takes_after_paying", "two_tills_share_nothing"}


def test_a_function_waits_for_the_class_that_it_uses(solver, till, write):
    """Its author and its developer see the class's interface, and its cases make objects of it."""
    richest = write.function(
        "richest(tills: list[Till]) -> int",
        uses=["Till"],
        cases=[
            write.returns("richest([Till(1), Till(8)])", "8"),
            write.returns("richest([one])", "5", setup="one = Till(2)\none.pay_in(3)"),
            write.returns("richest([])", "0"),
        ],
        tries=["def richest(tills: list[Till]) -> int:\n    return max((till.balance for till in tills), default=0)"],
    )
    solved = solver.solve(richest, till())
    assert solved.solution.all_tests_passed
    assert solved.solution.module_source.index("class Till") < solved.solution.module_source.index("def richest")
    for purpose in ("cases", "implement"):
        assert "def pay_in(self, cents: int) -> int" in solved.prompts(purpose, "richest")[0]
    assert "An instance of a planned class" in solved.prompts("cases", "richest")[0]


def test_a_base_class_comes_before_what_inherits_from_it(solver, till, write):
    """Also where the two need each other, so that they are built together."""
    safe = write.klass(
        "class Safe(Till):\n    def plain(self) -> Till: ...",
        cases=[
            write.returns("Safe(4).balance", "4"),
            write.returns("safe.plain().balance", "6", setup="safe = Safe(4)\nsafe.pay_in(2)"),
            write.returns("type(Safe(4).plain()) is Till", "True"),
        ],
        tries=["class Safe(Till):\n    def plain(self) -> Till:\n        return Till(self.balance)"],
    )
    base = till()
    base.spec["dependencies"] = ["Safe"]
    solved = solver.solve(safe, base)
    assert solved.solution.all_tests_passed
    assert solved.solution.module_source.index("class Till") < solved.solution.module_source.index("class Safe")


def test_a_case_that_is_green_without_a_class_is_set_aside(solver, till, write, cases):
    """Nothing of a class that nobody wrote can be used; a case that passes all the same tests nothing."""
    catches = "try:\n    Till(1)\nexcept BaseException:\n    pass"
    idle = write.returns("1 + 1", "2", name="idle", setup=catches)
    solved = solver.solve(till(cases=[*cases, idle], mended_cases=[idle]))
    assert solved["Till"].outcome == "green"
    assert "idle" not in {case.name for case in solved["Till"].suite.cases}
    assert any("it ends well where nothing is written" in r.reason for r in solved.solution.revisions)


def test_private_state_is_no_case(solver, till, write, cases):
    """It goes back to its author with the reason."""
    peeks = write.returns("till._balance", "3", name="peeks", setup="till = Till(3)")
    asks = write.returns("till.balance", "3", name="peeks", setup="till = Till(3)")
    solved = solver.solve(till(cases=[*cases, peeks], mended_cases=[asks]))
    assert solved["Till"].outcome == "green"
    assert "it looks at '_balance', which is private" in solved.prompts("cases")[1]
    assert "peeks" in {case.name for case in solved["Till"].suite.cases}


def test_a_method_that_no_case_uses_is_asked_for_once(solver, till, cases):
    """What is lacking after that is noted, and costs no green."""
    few = [case for case in cases if "take" not in str(case)]
    solved = solver.solve(till(cases=few, mended_cases=[]))
    assert "no case uses take" in solved.prompts("cases")[1]
    assert solved["Till"].outcome == "green"
    assert "Till: no case uses take" in solved.solution.notes
    assert any(event.text == "Till: no case uses take" for event in solved.happened(Noted))


def test_a_method_that_code_forgot_is_no_fault_of_its_cases(solver, till):
    """They do not go back to their author, though no line of the code was run by the call that fails."""
    lacks = RIGHT.replace("def take", "def get")
    solved = solver.solve(till(lacks, RIGHT))
    assert solved["Till"].outcome == "green"
    assert len(solved.prompts("cases")) == 1


class TestALargeClass:
    """More than eight methods: a repair gives those that change, and is told which the failures speak against."""

    NAMES = ("b", "c", "d", "e", "f", "g", "h")

    @pytest.fixture
    def large(self, write, cases):
        plain = "".join(
            f"\n    def {n}(self) -> int:\n        return self._balance + {i}\n" for i, n in enumerate(self.NAMES)
        )
        told = "".join(f"\n    def {n}(self) -> int: ...\n" for n in self.NAMES)
        more = [
            write.returns(f"till.{n}()", str(i + 1), name=f"{n}_of_one", setup="till = Till(1)")
            for i, n in enumerate(self.NAMES)
        ]
        sequences = [
            write.returns(
                f"till.pay_in({n})", str(n + 2), name=f"in_{n}", setup="till = Till()\ntill.pay_in(3)\ntill.take(1)"
            )
            for n in (4, 5, 6)
        ]
        sequences += [
            write.returns(f"till.pay_in({n})", str(n), name=f"only_in_{n}", setup="till = Till()") for n in (7, 8, 9)
        ]

        def written(*tries):
            first = [f"{one}{plain}" for one in tries[:1]]
            return write.klass(
                TILL + told, raises=["ValueError"], tries=[*first, *tries[1:]], cases=[*cases, *more, *sequences]
            )

        return written

    def test_a_repair_gives_the_changed_method_alone(self, solver, large):
        """It is put into the class; what the failing cases run is named, the state after each step is told."""
        take = RIGHT[RIGHT.index("    def take") :]
        solved = solver.solve(large(FORGETS, f"class Till:\n{take}"))
        assert solved["Till"].outcome == "green", solved["Till"].reason
        (prompt,) = solved.prompts("repair")
        suspected = prompt.partition("<suspected_methods>")[2].partition("</suspected_methods>")[0]
        assert suspected.strip().startswith("- `take`")
        assert "give `class` with only those methods that change" in prompt
        assert "answer with what must change of it" in prompt
        assert "after `till.pay_in(9)`: till: _balance=9" in prompt
        assert "def pay_in" in solved.solution.module_source
        assert "def h(self)" in solved.solution.module_source

    def test_its_state_is_settled_before_the_code(self, solver, large):
        """The first prompt asks for attributes and invariants before methods; of a smaller class nothing is asked."""
        solved = solver.solve(large(RIGHT))
        (prompt,) = solved.prompts("implement")
        assert "write down, in a few plain lines, its private attributes" in prompt


def test_the_repair_of_a_small_class_shows_the_state_after_each_step(solver, till):
    """Of what is built in the setup, and after the call; the answer is the class as a whole."""
    solved = solver.solve(till(FORGETS, RIGHT))
    (prompt,) = solved.prompts("repair")
    assert "after `till = Till()`: till: _balance=0" in prompt
    assert "after `till.take(2)`: till: _balance=9" in prompt
    assert "suspected_methods" not in prompt
    assert "plain lines, its private attributes" not in solved.prompts("implement")[0]
    assert "answer with the whole code as it should be" in prompt


def test_whatever_is_asked_about_a_class_calls_it_one(solver, till):
    """The developer, the test author and those who are asked about single calls are told of a class."""
    solved = solver.solve(till(FORGETS, RIGHT), settings={"trust": "standard"})
    for purpose in ("cases", "implement", "repair", "settle"):
        for prompt in solved.prompts(purpose):
            assert "one function's contract" not in prompt
            assert "this function" not in prompt
    assert any("one class's contract" in prompt for prompt in solved.prompts("settle"))


NEVER_ENDS = RIGHT.replace(
    "        self._balance = balance\n", "        import time\n        while True:\n            time.sleep(1)\n", 1
)
PRINTS = RIGHT.replace(
    "        self._balance = balance\n", "        print('ready')\n        self._balance = balance\n", 1
)
SINGLETON = RIGHT.replace(
    "    def __init__",
    "    _only = None\n\n    def __new__(cls, balance: int = 0) -> Till:\n"
    "        cls._only = cls._only or super().__new__(cls)\n        return cls._only\n\n    def __init__",
)


def failures(attempt):
    """What an attempt's cases say that fail."""
    return " ".join(str(verdict) for verdict in attempt.verdicts if not verdict.passed)


class TestAwkwardConstructors:
    """What happens where an object is made is held against the code, in one line, and mended like any fault."""

    def test_it_ends_red_with_the_reason(self, solver, till):
        """One line names the cases that say so."""
        solved = solver.solve(till(SINGLETON), settings={"budget": {"iterations": 1}})
        assert solved["Till"].outcome == "red"
        assert not solved.solution.all_tests_passed
        assert "\n" not in solved["Till"].reason.strip()
        assert "two_tills_share_nothing" in failures(solved["Till"].best)

    @pytest.mark.parametrize(
        ("wrong", "reason"),
        [(NEVER_ENDS, "no result within 0.25 s"), (SINGLETON, "two_tills_share_nothing")],
        ids=["never ends", "works as a singleton only"],
    )
    def test_it_is_repaired(self, solver, till, wrong, reason):
        """Nobody waits for longer than a case may take; the developer is told which cases fail."""
        solved = solver.solve(till(wrong, RIGHT), settings={"limits": {"wall_s": 0.25, "cpu_s": 0.5}})
        assert solved["Till"].outcome == "green"
        assert reason in failures(solved["Till"].history[0])

    def test_one_that_prints_is_held_to_a_case_that_says_what_is_printed(self, solver, till, cases, write):
        """A case that expects nothing on stdout fails, and says what was printed."""
        silent = write.returns("till.balance", "7", name="says_nothing", setup="pass", observe={"stdout": ""})
        silent |= {"setup": "", "call": "Till(7).balance"}
        solved = solver.solve(till(PRINTS, RIGHT, cases=[*cases, silent]))
        assert solved["Till"].outcome == "green"
        (prompt,) = solved.prompts("repair")
        assert "ready" in prompt


@pytest.mark.parametrize(
    ("skeletons", "reason"),
    [
        (["class Till(Tlil):\n    def take(self) -> int: ..."], "the base 'Tlil' is unknown"),
        (["class Till(bool):\n    def take(self) -> int: ..."], "is not an acceptable base type"),
        (
            ["class Till(Desk):\n    def take(self) -> int: ...", "class Desk(Till):\n    def put(self) -> int: ..."],
            "its bases go round in a circle",
        ),
        (
            [
                "class Desk:\n    def put(self) -> int: ...",
                "class Counter(Desk):\n    def get(self) -> int: ...",
                "class Till(Desk, Counter):\n    def take(self) -> int: ...",
            ],
            "no class can have the bases",
        ),
        (
            ["class Till:\n    @property\n    def take(self) -> int: ...\n    def take(self) -> int: ..."],
            "is given to a property and a method",
        ),
        (
            ["class Till:\n" + "".join(f"    def m{n}(self) -> int: ...\n" for n in range(1000))],
            "it has 1000 methods, at most",
        ),
    ],
    ids=["unknown base", "final base", "circle", "no order of bases", "property and method", "a thousand methods"],
)
def test_a_class_that_can_not_be_ends_with_one_line(solver, write, skeletons, reason):
    """The planner is asked once more; then the exit code is a plan's, and the line says which class and why."""
    written = [write.klass(skeleton) for skeleton in skeletons]
    specs = [one.spec for one in written]
    model = solver.model(*written)
    model = with_answer(model, "plan", json.dumps({"module": "kit", "classes": specs}), attempt=2)
    with pytest.raises(PlanError, match=reason) as refused:
        solver.solve(model=model)
    assert refused.value.exit_code == PlanError.exit_code != 0
    assert "\n" not in str(refused.value)


class TestWhatIsNotDoneForClasses:
    """A step that is left out for a class is noted where it would have been taken."""

    def test_a_class_that_stays_red_is_not_decomposed(self, solver, till):
        """The note says so, in place of helpers that know nothing of its state."""
        solved = solver.solve(till(FORGETS), settings={"trust": "standard", "budget": {"iterations": 1}})
        assert solved["Till"].outcome == "red"
        assert "Till: a class is not decomposed into helpers: its methods stand on one state" in solved.solution.notes

    def test_calls_of_a_class_are_not_recorded(self, solver, till, write):
        """A function that fails on a class is told to be judged without a look at what the class gave."""
        paid = write.function(
            "paid(cents: int) -> int",
            "What is in a new till after so many cents.",
            cases=[write.returns(f"paid({cents})", str(cents)) for cents in (1, 4, 9)],
            tries=["def paid(cents: int) -> int:\n    return Till().pay_in(cents) + 1"],
            uses=["Till"],
        )
        solved = solver.solve(till(), paid, settings={"budget": {"iterations": 1}})
        assert solved["paid"].outcome == "red"
        assert "paid: calls of classes are not recorded: none of Till was tried for a fault" in solved.solution.notes


def test_an_exception_may_have_properties_and_methods(solver, write):
    """It is a class with an exception for a base."""
    refused = """
        class Refused(ValueError):
            '''A sum that is refused.'''

            def __init__(self, cents: int) -> None:
                super().__init__(cents)
                self._cents = cents

            @property
            def euros(self) -> float:
                '''In euros.'''
                return self._cents / 100

            def told(self) -> str:
                '''In words.'''
                return f"{self._cents} cents refused"
        """
    cases = [
        write.returns("Refused(250).euros", "2.5", name="euros_of_250"),
        write.returns("Refused(250).told()", "'250 cents refused'", name="told"),
        write.returns("isinstance(Refused(1), ValueError)", "True", name="is_a_value_error"),
    ]
    solved = solver.solve(write.klass(refused, cases=cases, tries=[refused]))
    assert solved["Refused"].outcome == "green", solved["Refused"].reason
