"""The law of repair: what must be named before the simulated model mends it, whoever names it."""

from simulated.law import is_named, troubles_of

OFF_BY_ONE = (
    "def widest_gap(numbers: list) -> int:\n    return max((b - a for a, b in zip(numbers, numbers[1:])), default=0)\n"
)
RAISES = "def widest_gap(numbers: list) -> int:\n    first = numbers[0]\n    return 3\n"
MISNAMED = "def widest_gap(numbers: list) -> int:\n    return max(gabs)\n"
HANGS = "def widest_gap(numbers: list) -> int:\n    while len(numbers) == 2:\n        pass\n    return 0\n"


def test_a_wrong_value_is_named_by_input_expected_and_actual(gap, bench):
    """In tdgen's words and in pytest's; each of the three is needed."""
    found = troubles_of(gap, OFF_BY_ONE, "", bench)
    assert is_named(found, "- call_4: `widest_gap([5, 1])` returns `4`\n  -4, expected 4")
    assert is_named(found, ">       assert widest_gap([5, 1]) == 4\nE       assert -4 == 4")
    assert not is_named(found, "`widest_gap([5, 1])` is wrong: -4")
    assert not is_named(found, "it gave -4, expected 4")
    assert not is_named(found, "widest_gap([5, 1]) should be 4")


def test_a_number_within_another_names_nothing(gap, bench):
    """14 and 4.5 are not 4."""
    found = troubles_of(gap, OFF_BY_ONE, "", bench)
    assert not is_named(found, "widest_gap([5, 1]) gave -4, expected 14 or 4.5")


def test_what_stands_far_apart_names_nothing(gap, bench):
    """A passage is forty lines."""
    found = troubles_of(gap, OFF_BY_ONE, "", bench)
    assert not is_named(found, "widest_gap([5, 1])" + "\n" * 60 + "-4, expected 4")


def test_an_exception_is_named_by_its_class_and_the_line(gap, bench):
    """Not by one of them."""
    found = troubles_of(gap, RAISES, "", bench)
    assert is_named(found, "IndexError: list index out of range\n  in widest_gap, `first = numbers[0]`")
    assert not is_named(found, "IndexError: list index out of range")
    assert not is_named(found, "something is wrong at `first = numbers[0]`")


def test_a_missing_name_is_named_by_itself(gap, bench):
    """Beside the word that it is missing."""
    found = troubles_of(gap, MISNAMED, "", bench)
    assert is_named(found, "line 2: Undefined name `gabs`")
    assert is_named(found, "NameError: name 'gabs' is not defined")
    assert not is_named(found, "NameError")


def test_a_function_under_another_name_is_named_by_its_own(gap, bench):
    """As tdgen and as pytest's import tell it."""
    found = troubles_of(gap, "def widest(numbers):\n    return 0\n", "", bench)
    assert is_named(found, "the code does not define 'widest_gap'; it defines: widest")
    assert is_named(found, "ImportError: cannot import name 'widest_gap' from 'it'")


def test_unreadable_code_is_named_by_its_line(gap, bench):
    """By number or by text."""
    found = troubles_of(gap, "def widest_gap(numbers)\n    return 0\n", "", bench)
    assert is_named(found, "the code does not parse: expected ':' (line 1: `def widest_gap(numbers)`)")
    assert is_named(found, "def widest_gap(numbers)\n   ^\nSyntaxError: expected ':'")
    assert not is_named(found, "SyntaxError")


def test_what_never_ends_is_named_by_the_input(gap, bench):
    """And that it did not end."""
    found = troubles_of(gap, HANGS, "", bench)
    assert is_named(found, "- call_4: `widest_gap([5, 1])` returns `4`\n  no result within 2 s")
    assert not is_named(found, "pytest did not end within 5 seconds")


def test_tests_that_a_prompt_shows_count_beside_the_known_calls(gap, bench):
    """A case that somebody wrote later can be what names the fault."""
    shown = "- settled_1: `widest_gap([90, 1])` returns `89`"
    told = "- settled_1: `widest_gap([90, 1])` returns `89`\n  -89, expected 89"
    assert is_named(troubles_of(gap, OFF_BY_ONE, shown, bench), told)
    assert not is_named(troubles_of(gap, OFF_BY_ONE, "", bench), told)


def test_nothing_is_wrong_with_the_reference(gap, bench):
    """So there is nothing to name."""
    assert troubles_of(gap, gap.reference, "", bench) == []
    assert not is_named([], "anything")
