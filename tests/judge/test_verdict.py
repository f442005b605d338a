"""The verdict on one case: what passes, what never can, and in which words it is told.

When two implementations did the same: compared as the judge compares, as far as the contract cares.
"""

from __future__ import annotations

import json

import pytest

from tdgen.judge import agree
from tdgen.judge.verdict import MAX_VALUE, Expected, judge
from tdgen.types import After, Call, Exits, Observation, Pattern, Raised, Tolerance, Value, World
from tdgen.values.encode import encode


@pytest.fixture
def said(make_spec):
    """The sentences of a verdict; empty where it passed."""

    def say(case, observation, expected, spec=None):
        verdict = judge(case, spec or make_spec(), observation, expected)
        assert verdict.passed == (not verdict.differences)
        assert (verdict.function, verdict.case, verdict.status) == ("f", case.name, observation.status)
        return [difference.sentence for difference in verdict.differences]

    return say


TWO = Expected(value=2)
EMPTY = Expected(exception="m.EmptyError")


def test_a_value_that_agrees_passes(said, make_case, returned):
    """And there is nothing more to say."""
    assert said(make_case(), returned(2), TWO) == []


def test_a_value_that_differs_is_told_with_its_place(said, make_case, returned):
    """As `compare` tells it."""
    assert said(make_case(), returned(3), TWO) == ["3, expected 2"]


def test_a_value_is_held_to_the_specs_relation(said, make_case, make_spec, returned):
    """An int where ints alone are promised, any order where the spec frees it."""
    assert said(make_case(), returned(2.0), TWO, make_spec("int")) == ["2.0, expected 2"]
    assert said(make_case(), returned(2.0), TWO, make_spec("float")) == []
    assert said(make_case(), returned([2, 1]), Expected(value=[1, 2]), make_spec("list[int]", unordered=True)) == []
    assert said(make_case(), returned(encode(iter([1]))), Expected(value=[1]), make_spec("Iterator[int]")) == []


def test_a_value_is_held_to_the_cases_tolerance(said, make_case, returned):
    """Not to the default one."""
    case = make_case(expectation=Value(source="2.0", tolerance=Tolerance(rel=0.1)))
    assert said(case, returned(2.1), Expected(value=2.0)) == []
    assert said(case, returned(2.3), Expected(value=2.0)) == ["2.3, expected 2.0"]


def test_raising_instead_of_returning_fails(said, make_case, raised):
    """Whatever the class."""
    assert said(make_case(), raised("builtins.KeyError", message="'x'"), TWO) == ["raised KeyError: 'x', expected 2"]


def test_an_exception_of_the_class_or_a_subclass_passes(said, make_case, raised):
    """By qualified name, decided here."""
    case = make_case(raises="EmptyError")
    assert said(case, raised("m.EmptyError", "builtins.ValueError"), EMPTY) == []
    assert said(case, raised("m.VeryEmptyError", "m.EmptyError"), EMPTY) == []


def test_an_exception_of_another_class_fails(said, make_case, raised):
    """One of the same name from elsewhere too."""
    case = make_case(raises="EmptyError")
    assert said(case, raised("builtins.ValueError", message="no"), EMPTY) == [
        "raised ValueError: no, expected EmptyError"
    ]
    assert said(case, raised("other.EmptyError"), EMPTY) == ["raised other.EmptyError, expected EmptyError"]


def test_returning_instead_of_raising_fails(said, make_case, returned):
    """Even the exception itself as a value."""
    case = make_case(raises="ValueError")
    expected = Expected(exception="builtins.ValueError")
    assert said(case, returned(3), expected) == ["returned 3, expected ValueError"]
    assert said(case, returned(encode(ValueError())), expected) == ["returned ValueError(), expected ValueError"]


@pytest.mark.parametrize(
    ("observation", "words"),
    [
        (Observation(name="case", status="died", detail="killed by SIGSEGV"), "died: killed by SIGSEGV"),
        (Observation(name="case", status="timeout", detail="did not end within 5.0 s"), "did not end within 5.0 s"),
        (Observation(name="case", status="timeout"), "did not end in time"),
        (
            Observation(name="case", status="unreadable", detail="too large"),
            "came to what can't be told as data: too large",
        ),
        (
            Observation(
                name="case",
                status="not_run",
                detail="the setup failed: NameError",
                raised=Raised(types=("builtins.ValueError",), message="x"),
            ),
            "was not run: the setup failed: NameError (ValueError: x)",
        ),
    ],
)
@pytest.mark.parametrize("form", ["value", "raises", "check"])
def test_what_died_hung_or_never_ran_passes_nothing(said, make_case, observation, words, form):
    """Not where an exception is expected either, and not where its value would be right."""
    cases = {"value": make_case(), "raises": make_case(raises="BaseException"), "check": make_case(check="True")}
    expected = Expected(value=None, exception="builtins.BaseException", holds=True)
    (told,) = said(cases[form], observation.model_copy(update={"value": None}), expected)
    assert told.startswith(f"{words}, expected ")


def test_a_raised_status_without_an_exception_passes_nothing(said, make_case):
    """A hostile process may say so."""
    observation = Observation(name="case", status="raised")
    assert said(make_case(raises="EmptyError"), observation, EMPTY) == [
        "raised what can't be told, expected EmptyError"
    ]


def test_a_message_must_match_where_a_pattern_is_given(said, make_case, raised):
    """The oracle searched it; unsettled is not satisfied."""
    case = make_case(raises="EmptyError", match="no .*")
    seen = raised("m.EmptyError", message="nothing")
    assert said(case, seen, EMPTY.model_copy(update={"patterns": frozenset({"message"})})) == []
    for found in (frozenset(), frozenset({"stderr"})):
        (told,) = said(case, seen, EMPTY.model_copy(update={"patterns": found}))
        assert told == "message: 'nothing', expected a message in which 'no .*' is found"


def test_a_stream_must_match_where_a_pattern_is_given(said, make_case, returned):
    """What the oracle did not find is not there, and each stream by itself."""
    case = make_case(stdout=Pattern(match="3 lines"), stderr=Pattern(match="done"))
    seen = returned(2, stdout="3 lines\n", stderr="")
    assert said(case, seen, TWO.model_copy(update={"patterns": frozenset({"stdout", "stderr"})})) == []
    assert said(case, seen, TWO.model_copy(update={"patterns": frozenset({"stdout"})})) == [
        "stderr: '', expected a text in which 'done' is found"
    ]


def test_a_check_must_hold(said, make_case, returned):
    """Unsettled is not satisfied; the reason is told."""
    case = make_case(check="result > 2")
    assert said(case, returned(3), Expected(holds=True)) == []
    assert said(case, returned(1), Expected(holds=False, detail="1 is small")) == [
        "returned 1 (1 is small), expected a result for which result > 2 holds"
    ]
    assert said(case, returned(1), Expected()) == ["returned 1, expected a result for which result > 2 holds"]


def test_a_check_needs_a_result(said, make_case, raised):
    """An exception has none."""
    assert said(make_case(check="True"), raised("builtins.ValueError"), Expected(holds=True)) != []


def test_stdout_is_compared_to_the_letter_where_the_case_names_it(said, make_case, returned):
    """A missing final line end is said to be just that."""
    case = make_case(stdout="hello\n")
    assert said(case, returned(2, stdout="hello\n"), TWO) == []
    assert said(case, returned(2, stdout="hello"), TWO) == [
        "stdout: 'hello' with no line end after it, expected 'hello' with one line end after it"
    ]
    assert said(case, returned(2, stdout="Hello\n"), TWO) == ["stdout: 'Hello\\n', expected 'hello\\n'"]
    assert said(make_case(), returned(2, stdout="debug"), TWO) == []
    assert said(make_case(stdout=""), returned(2, stdout="debug"), TWO) == ["stdout: 'debug', expected ''"]


def test_stdout_counts_beside_an_exception_too(said, make_case, raised):
    """What is printed before it is raised."""
    case = make_case(raises="EmptyError", stdout="x")
    assert said(case, raised("m.EmptyError", stdout="y"), EMPTY) == ["stdout: 'y', expected 'x'"]


def test_files_must_be_there_with_their_text(said, make_case, returned):
    """Others may be there too."""
    case = make_case(files={"out.txt": "1\n2\n"})
    assert said(case, returned(2, files={"out.txt": "1\n2\n", "log": ""}), TWO) == []
    assert said(case, returned(2), TWO) == ["file out.txt: no such file, expected '1\\n2\\n'"]
    assert said(case, returned(2, files={"out.txt": "1\n"}), TWO) == ["file out.txt: '1\\n', expected '1\\n2\\n'"]


def test_bytes_of_a_file_are_compared_exactly(said, make_case, returned):
    """What differs is told in hex, from a little before the first byte that does."""
    case = make_case(files={"a.bin": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0"})
    assert said(case, returned(2, files=case.files), TWO) == []
    assert said(case, returned(2, files={"a.bin": b"\x89PNG\r\n\x1a\n\0"}), TWO) == [
        "file a.bin: 9 bytes, from byte 5: 0a 1a 0a 00 b'\\n\\x1a\\n\\x00', "
        "expected 17 bytes, from byte 5: 0a 1a 0a 00 00 00 0d 49 48 44 52 00 b'\\n\\x1a\\n\\x00\\x00\\x00\\rIHDR\\x00'"
    ]
    assert said(make_case(files={"a": b"\xff"}), returned(2, files={"a": "\\xff"}), TWO) == [
        "file a: 4 bytes, from byte 0: 5c 78 66 66 b'\\\\xff', expected 1 bytes, from byte 0: ff b'\\xff'"
    ]
    assert said(make_case(files={"a": b"\xff"}), returned(2), TWO) == ["file a: no such file, expected b'\\xff'"]


def test_standard_error_counts_where_the_case_says_so(said, make_case, returned):
    """Beside what goes to standard output."""
    assert said(make_case(), returned(2, stderr="warning"), TWO) == []
    assert said(make_case(stderr=""), returned(2, stderr="warning"), TWO) == ["stderr: 'warning', expected ''"]


def test_a_file_that_must_not_exist_is_missed_by_nobody(said, make_case, returned):
    """It is told where it is there."""
    case = make_case(files={"old.txt": None})
    assert said(case, returned(2), TWO) == []
    assert said(case, returned(2, files={"old.txt": ""}), TWO) == ["file old.txt: it is there, expected no such file"]


def test_a_script_ends_with_its_exit_code(said, make_case, raised, returned):
    """By SystemExit or at its end; a traceback is no exit, whatever code the interpreter gives it."""
    case = make_case(expectation=Exits(code=0), world=World(script=()))
    exits = raised("builtins.SystemExit")
    assert exits.raised is not None
    for code, sentences in {0: [], 1: ["exit code 1, expected exit code 0"]}.items():
        seen = exits.model_copy(update={"raised": exits.raised.model_copy(update={"exit_code": code})})
        assert said(case, seen, Expected()) == sentences
    assert said(case, returned(None), Expected()) == []
    one = make_case(expectation=Exits(code=1), world=World(script=()))
    assert said(one, raised("builtins.KeyError", message="'x'"), Expected()) == [
        "raised KeyError: 'x', expected exit code 1"
    ]


def test_what_holds_afterwards_is_compared_by_the_same_relation(said, make_case, returned):
    """Told by its expression; one that raised is told with what it raised."""
    case = make_case(after=(After(expression="items", source="[1, 2]"),))
    expected = Expected(value=2, after=([1, 2],))
    assert said(case, returned(2, after=([1, 2],)), expected) == []
    assert said(case, returned(2, after=([1, 3],)), expected) == ["items[1]: 3, expected 2"]
    assert said(case, returned(2), expected) == ["items: not evaluated, expected [1, 2]"]
    opaque = {"$": "opaque", "class": "builtins.NameError", "what": "raised NameError: items"}
    assert said(case, returned(2, after=(opaque,)), expected) == [
        "items: <raised NameError: items>, which equals nothing, expected [1, 2]"
    ]


def test_every_difference_is_told(said, make_case, returned):
    """A wrong value does not hide wrong output."""
    assert said(make_case(stdout="x"), returned(3), TWO) == ["3, expected 2", "stdout: '', expected 'x'"]


def test_an_expectation_that_has_a_problem_passes_nothing(said, make_case, returned):
    """Abstaining beats a false green."""
    assert said(make_case(), returned(2), Expected(value=2, problem="NameError: y")) == [
        "returned 2, expected something that can be evaluated (NameError: y)"
    ]


def test_the_verdict_keeps_what_was_seen(make_case, make_spec, returned):
    """In short texts that fit a prompt."""
    observation = returned([1] * 1000, stdout="x" * 5000, mutated={"0": [2]}, detail="slow")
    verdict = judge(make_case(), make_spec(), observation, TWO)
    assert verdict.actual.startswith("returned [1, 1")
    assert len(verdict.actual) < 250
    assert (len(verdict.stdout), verdict.mutated, verdict.detail) == (2000, {"0": "[2]"}, "slow")


def test_no_text_that_a_terminal_obeys_gets_into_a_verdict(make_case, make_spec, raised):
    """A message is a candidate's text."""
    verdict = judge(make_case(), make_spec(), raised("m.\x1b[31mE", message="\x1b[2J\n\u202e"), TWO)
    assert verdict.actual.isprintable()
    assert all(d.actual.isprintable() for d in verdict.differences)


def test_texts_that_look_alike_are_told_apart(said, make_case, returned):
    """Returned, printed, found in a message: what can't be seen stands there as an escape."""
    assert said(make_case(), returned("e\u0301\xa0"), Expected(value="\xe9 ")) == [
        r"'e\u0301\xa0', expected '\xe9 '".replace(r"\xe9", "\xe9")
    ]
    case = make_case(stdout="\xe9\n", stderr=Pattern(match="o\u0308"))
    assert said(case, returned(2, stdout="e\u0301\n", stderr="\xf6"), TWO) == [
        r"stdout: 'e\u0301\n', expected 'E\n'".replace("E", "\xe9"),
        r"stderr: 'O', expected a text in which 'o\u0308' is found".replace("O", "\xf6"),
    ]
    longer = make_case(stdout="x" * 300 + "\xe9")
    (told,) = said(longer, returned(2, stdout="x" * 300 + "e\u0301"), TWO)
    assert r"e\u0301'" in told


@pytest.mark.parametrize("size", [1, 300, 1_500])
def test_a_value_is_kept_whole(make_case, make_spec, returned, size):
    """Whatever the short line leaves out."""
    value = ["é" * size, list(range(size))]
    verdict = judge(make_case(), make_spec(), returned(encode(value)), TWO)
    assert json.loads(verdict.value_json) == value
    assert not verdict.value_cut


@pytest.mark.parametrize("value", ["a" * MAX_VALUE, [0] * MAX_VALUE], ids=["text", "list"])
def test_a_value_that_is_too_large_is_left_out(make_case, make_spec, returned, value):
    """And that is said."""
    verdict = judge(make_case(), make_spec(), returned(encode(value)), TWO)
    assert (verdict.value_json, verdict.value_cut) == ("", True)


@pytest.mark.parametrize("value", [(1, 2), {1: 2}, b"a", float("nan"), [{"a": (1,)}], {1, 2}], ids=repr)
def test_a_value_that_json_would_change_is_not_kept(make_case, make_spec, returned, value):
    """Its short line alone tells of it."""
    verdict = judge(make_case(), make_spec(), returned(encode(value)), TWO)
    assert (verdict.value_json, verdict.value_cut) == ("", False)


def test_what_is_raised_has_no_value(make_case, make_spec, raised):
    """None is a value that was returned."""
    assert judge(make_case(), make_spec(), raised("builtins.KeyError"), TWO).value_json == ""


CALL = Call(function="f", arguments=("1",))


@pytest.fixture
def alike(make_spec):
    """Whether two observations agree, whichever comes first."""

    def both(one: Observation, other: Observation, spec=None, call: Call = CALL) -> bool:
        chosen = spec or make_spec()
        found = agree(one, other, call, chosen)
        assert agree(other, one, call, chosen) == found
        return found

    return both


@pytest.fixture
def gave(returned):
    """A call that returned this value."""
    return lambda value, **more: returned(encode(value), **more)


@pytest.mark.parametrize(
    ("one", "other"), [(2, 2), (0.1 + 0.2, 0.3), (float("nan"), float("nan")), ([1, {"a": 2}], [1, {"a": 2}])]
)
def test_the_same_values(alike, gave, one, other):
    """By the judge's relation, so that rounding is no difference."""
    assert alike(gave(one), gave(other))


@pytest.mark.parametrize(
    ("one", "other"), [(2, 3), (True, 1), ([1, 2], [2, 1]), ([1], (1,)), ("a", "b"), (None, 0), ({1: 2}, {1: 3})]
)
def test_other_values(alike, gave, one, other):
    """A bool is no int, and order counts."""
    assert not alike(gave(one), gave(other))


def test_the_contract_says_what_counts(alike, gave, make_spec):
    """Whether order does, and whether 2.0 is 2."""
    assert alike(gave([1, 2]), gave([2, 1]), make_spec("list[int]", unordered=True))
    assert alike(gave(2), gave(2.0), make_spec("float"))
    assert not alike(gave(2), gave(2.0), make_spec("int"))


def test_what_can_not_be_told_as_data(alike, gave):
    """Is alike where all that is told of it is: nothing speaks for a difference. It is never like data."""
    assert alike(gave(object()), gave(object()))
    assert not alike(gave(object()), gave(open))
    assert not alike(gave(object()), gave("an object"))


def test_exceptions_by_their_class(alike, raised):
    """Messages differ between any two authors."""
    assert alike(raised("ValueError", "Exception", message="a"), raised("ValueError", "Exception", message="b"))
    assert not alike(raised("ValueError", "Exception"), raised("KeyError", "LookupError", "Exception"))
    assert not alike(raised("ValueError"), raised("UnicodeError", "ValueError"))


def test_an_exception_is_no_result(alike, raised, gave):
    """Not even None."""
    assert not alike(raised("ValueError"), gave(None))


@pytest.mark.parametrize("status", ["died", "timeout"])
def test_two_that_did_not_end(alike, gave, status):
    """Are alike in that, and like nothing else."""
    ended = Observation(name="case", status=status)
    assert alike(ended, Observation(name="other", status=status))
    assert not alike(ended, gave(2))


@pytest.mark.parametrize(
    "more",
    [{"stdout": "hi\n"}, {"files": {"a.txt": "hi"}}, {"mutated": {"x": [1]}}],
    ids=["printed", "written", "changed"],
)
def test_what_is_done_beside_the_result_counts(alike, gave, raised, more):
    """What was printed or written, or became of an argument, whether it returned or raised."""
    assert alike(gave(2, **more), gave(2, **more))
    assert not alike(gave(2, **more), gave(2))
    assert not alike(raised("ValueError", **more), raised("ValueError"))


def test_arguments_are_changed_alike_as_values_are(alike, gave):
    """Rounding is no difference there either."""
    one, other = (gave(None, mutated={"x": encode([number])}) for number in (0.1 + 0.2, 0.3))
    assert alike(one, other)
    assert not alike(one, gave(None, mutated={"x": encode([0.4])}))
    assert not alike(one, gave(None, mutated={"y": encode([0.3])}))


def test_time_does_not_count(alike, gave):
    """Nor what was said on stderr, nor what it is called."""
    assert alike(gave(2, seconds=0.1, stderr="warning"), gave(2, seconds=3.0).model_copy(update={"name": "other"}))


def test_what_is_looked_at_after_the_call(alike, gave):
    """Counts like what the call gave."""
    assert alike(gave(1, after=(encode([2]),)), gave(1, after=(encode([2]),)))
    assert not alike(gave(1, after=(encode(True),)), gave(1, after=(encode(1),)))
    assert not alike(gave(1, after=(encode(2),)), gave(1))
