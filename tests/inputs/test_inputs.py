"""Inputs made up from a contract and its cases: new, typed, in order, and alike for the same seed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from itertools import islice

import pytest

from tdgen.inputs import generated_inputs, not_covered, searched, text_pattern, weight
from tdgen.specs.interfaces import class_spec
from tdgen.types import Call, Case, ClassInterface, ExpectedException, Method, Value, World
from tests.inputs.conftest import COLOR, POINT

PROGRAM = """
from tdgen.inputs import generated_inputs
from tdgen.types import Case, FunctionSpec, Parameter, Returns, Value
spec = FunctionSpec(name="f", purpose="-", returns=Returns(type="int"),
    parameters=(Parameter(name="a", type="set[str]"), Parameter(name="b", type="dict[str, int]")))
cases = [Case(name="c", function="f", arguments=(a, b), expectation=Value(source="0"))
    for a, b in (("{'x', 'yy', 'z'}", "{'k': 3}"), ("{'q', 'x'}", "{}"))]
for one in generated_inputs(spec, cases, seed=7):
    print(one.call.expression)
"""


def generated(*given, **options) -> tuple[Call, ...]:
    return tuple(one.call for one in generated_inputs(*given, **options))


def plain(call: Call) -> list:
    return [ast.literal_eval(argument) for argument in call.arguments]


def test_the_same_seed_gives_the_same_inputs_whatever_the_hash_seed():
    """No set's order decides anything."""
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert len(told[0].splitlines()) > 100


def test_arguments_alike_take_what_was_seen_at_each_other(spec, case):
    """Of one type, and of the same several kinds: a text that was only ever the second may come first."""
    cases = [case("1", "2"), case("3", "'4,5'"), case("'1'", "'2'")]
    of_one = generated(spec("a: int | str", "b: int | str"), cases)
    assert any("," in str(plain(call)[0]) for call in of_one)


def test_what_has_to_do_with_each_other_is_exchanged_once(spec, case):
    """A low above the high is unlikely, and the first thing to ask about."""
    cases = [case(str(n), "0", "10") for n in (3, 5, 12, -20)]
    made = [
        made
        for made in generated_inputs(spec("x: int", "low: int", "high: int"), cases)
        if plain(made.call)[1:] == [10, 0]
    ]
    assert made
    assert not any(one.keeps for one in made)


def test_a_number_of_any_size_may_have_either_sign_where_both_were_seen(spec, case):
    """A small negative one and large positive ones are not two sorts."""
    cases = [case("[1, 100, 98, -7]"), case("[0, 1]"), case("[]")]
    made = generated(spec("a: list[int]"), cases)
    assert any(item < -9 and item % 10 for call in made for item in plain(call)[0])


def test_another_seed_gives_others(spec, case):
    """So that a caller who wants more gets more."""
    contract, cases = spec("a: list[int]"), [case("[1, 2, 3]"), case("[4]")]
    assert generated(contract, cases, seed=1) != generated(contract, cases, seed=2)


def test_no_two_do_the_same_and_none_does_what_a_case_does(spec, case):
    """However the case spells it."""
    cases = [case("[1,2,  3]"), case(call="f([2, 3])"), case("[0x10]")]
    calls = generated(spec("a: list[int]"), cases)
    situations = {call.call_key for call in calls}
    assert len(situations) == len(calls) == 200
    assert not situations & {case.call_key for case in cases}
    assert not {"f([1, 2, 3])", "f([16])"} & {call.expression for call in calls}


def test_at_most_as_many_as_asked_for(spec, case):
    """A smaller number is a smaller effort, not another choice of sources."""
    assert len(generated(spec("a: str"), [case("'hello'")], most=7)) == 7
    assert generated(spec("a: str"), [case("'hello'")], most=0) == ()


ANNOTATED = {
    "ints": ("int", "5", int),
    "strings": ("str", "'abc'", str),
    "lists of ints": ("list[int]", "[3, 1, 2]", list),
    "lists of lists": ("list[list[str]]", "[['a'], []]", list),
    "tuples": ("tuple[int, str]", "(1, 'a')", tuple),
    "dicts": ("dict[str, list[int]]", "{'a': [1]}", dict),
    "sets": ("set[int]", "{1, 2}", set),
    "bytes": ("bytes", "b'ab'", bytes),
    "bools": ("bool", "True", bool),
}


@pytest.mark.parametrize(("annotation", "source", "kind"), ANNOTATED.values(), ids=ANNOTATED)
def test_inputs_are_of_the_annotated_type(annotation, source, kind, spec, case):
    """All the way down, and None only where the annotation has it."""
    calls = generated(spec(f"a: {annotation}"), [case(source)])
    assert calls
    assert {type(plain(call)[0]) for call in calls} == {kind}
    assert not any("None" in call.expression for call in calls)


def test_items_are_of_the_annotated_type_too(spec, case):
    """A float's place takes an int, an int's place no float."""
    for call in generated(spec("a: tuple[int, list[str]]"), [case("(1, ['a'])"), case("(2, [])")]):
        number, texts = plain(call)[0]
        assert type(number) is int
        assert all(type(text) is str for text in texts)


def test_none_where_the_annotation_admits_it(spec, case):
    """It is meant, so it keeps the contract."""
    made = generated_inputs(spec("a: int | None"), [case("3"), case("4")])
    assert [each.keeps for each in made if each.call.arguments == ("None",)] == [True]


def test_a_value_that_breaks_its_annotation_in_a_case_stands_for_itself(spec, case):
    """A case that passes '4' for an int means it: the annotation does not bind its neighbours."""
    calls = generated(spec("a: int"), [case("3"), case("'4'")])
    assert any(isinstance(plain(call)[0], str) for call in calls)


KEPT = {
    "signs": ("a: int", [("3",), ("40",), ("1",)], lambda a: a > 0),
    "non-empty lists": ("a: list[int]", [("[3, 1]",), ("[1]",)], lambda a: len(a) > 0),
    "sorted lists": ("a: list[int]", [("[1, 2, 4]",), ("[3, 5]",), ("[-1, 0, 9]",)], lambda a: a == sorted(a)),
    "no doubles": ("a: list[int]", [("[4, 2]",), ("[5, 3]",), ("[0, 9, 1]",)], lambda a: len({*a}) == len(a)),
    "rectangles": (
        "a: list[list[int]]",
        [("[[1, 2], [3, 4], [5, 6]]",), ("[[1], [2]]",), ("[]",)],
        lambda a: len({len(row) for row in a}) < 2,
    ),
    "letters": ("a: str", [("'abc'",), ("'xyz'",), ("''",)], lambda a: not a or (a.isalpha() and a.islower())),
    "few letters": ("a: str", [("'(())'",), ("'()()'",), ("''",)], lambda a: set(a) <= {"(", ")"}),
    "a form": ("a: str", [("'12:30'",), ("'7:05'",)], lambda a: a.replace(":", "", 1).isdigit()),
    "as long": (
        "a: list[int] / b: list[int]",
        [("[1]", "[2]"), ("[1, 2]", "[0, 5]"), ("[]", "[]")],
        lambda a, b: len(a) == len(b),
    ),
    "in order": ("a: int / b: int", [("1", "2"), ("0", "9"), ("3", "4"), ("2", "8")], lambda a, b: a < b),
    "an item": ("a: int / b: list[int]", [("1", "[2, 1]"), ("0", "[0]"), ("5", "[5, 9, 2]")], lambda a, b: a in b),
    "a count": (
        "a: list[int] / b: int",
        [("[1]", "1"), ("[4, 7]", "2"), ("[0, 0, 0]", "0")],
        lambda a, b: 0 <= b <= len(a),
    ),
}


@pytest.mark.parametrize(("parameters", "arguments", "holds"), KEPT.values(), ids=KEPT)
def test_most_inputs_keep_what_all_cases_keep(parameters, arguments, holds, spec, case):
    """Those that do come first and say so; at most a fifth do not, where there are enough of the others."""
    made = generated_inputs(spec(*parameters.split(" / ")), [case(*row) for row in arguments], most=60)
    assert [each.keeps for each in made] == sorted((each.keeps for each in made), reverse=True)
    assert sum(each.keeps for each in made) > 12
    assert all(holds(*plain(each.call)) for each in made if each.keeps)
    assert not all(holds(*plain(each.call)) for each in made if not each.keeps)


def test_the_simplest_come_first(spec, case):
    """In each source: so a short row of inputs has the short ones, and those of all sources."""
    calls = generated(spec("a: list[int]"), [case("[5, 3, 8, 1]"), case("[2]"), case("[]")])
    lengths = [len(call.expression) for call in calls]
    assert max(lengths[:12]) < max(lengths)
    assert {len(plain(call)[0]) for call in calls[:20]} >= {1, 2, 4}


def test_without_cases_the_annotations_are_enough(spec):
    """And shared types by their fields."""
    calls = generated(spec("a: list[Point]", "*", "c: Color", "d: date = date(2024, 1, 1)"), (), (POINT, COLOR))
    told = [call.expression for call in calls]
    assert "f([], c=Color.BLUE)" in told
    assert any("Point(" in text and "d=datetime.date(" in text for text in told)


def test_a_type_that_tells_nothing_gives_no_inputs(spec):
    """A function as an argument can't be made up, and neither can an open file."""
    assert generated(spec("a: Callable[[int], int]"), ()) == ()
    assert generated(spec("a: TextIO"), ()) == ()
    assert generated(spec(), ()) in ((), (Call(function="f"),))


def test_what_can_not_be_made_up_is_kept_as_it_is(spec, case):
    """The other arguments vary around it."""
    calls = generated(spec("a: Callable[[int], int]", "n: int"), [case("lambda x: x + 1", "2"), case("abs", "-3")])
    assert len(calls) > 20
    assert {call.arguments[0] for call in calls} == {"lambda x: x + 1", "abs"}


def test_an_async_function_is_awaited(spec):
    """As its cases would."""
    calls = generated(spec("n: int", is_async=True), ())
    assert calls
    assert all(call.expression.startswith("asyncio.run(f(") for call in calls)


def test_a_parameter_that_no_case_gives_is_tried(spec, case):
    """Beside the arguments that they give."""
    told = {call.expression for call in generated(spec("a: int", "strict: bool = False"), [case("3")])}
    assert "f(3, strict=True)" in told


CALLS = {
    "a closure": ("f(3)(4)", "f(4)(4)"),
    "a coroutine": ("asyncio.run(f(5))", "asyncio.run(f(6))"),
    "an iterator": ("list(itertools.islice(f(), 5))", "list(itertools.islice(f(), 4))"),
    "a setup": ("f(x)", "f(x)"),
}


@pytest.mark.parametrize(("call", "expected"), CALLS.values(), ids=CALLS)
def test_a_call_that_is_more_keeps_its_form(call, expected, spec, case):
    """Only what it spells out changes."""
    made = generated(spec("n: int"), [case(call=call, setup="x = [1, 2]\n" if "x" in call else "")])
    assert expected in {each.call for each in made}
    assert {each.call.translate({ord(c): None for c in "-0123456789"}) for each in made} == {
        call.translate({ord(c): None for c in "0123456789"})
    }


def test_a_setup_varies_in_what_it_spells_out(spec, case):
    """Its statements stay."""
    setups = {call.setup for call in generated(spec("n: list[int]"), [case(call="f(x)", setup="x = [1, 2]\n")])}
    assert "x = [2]\n" in setups
    assert all(setup.startswith("x = [") for setup in setups)


def test_a_world_varies_in_its_texts_and_times(spec, case):
    """Files under their names, stdin, and a clock that stays a clock."""
    world = World(files={"in.txt": "a 1\nb 2\n"}, stdin="3 4\n", clock="2024-02-28T12:00:00")
    calls = generated(spec("path: str"), [case("'in.txt'", world=world)])
    assert {call.arguments for call in calls} == {("'in.txt'",)}
    assert {tuple(call.world.files) for call in calls} == {("in.txt",)}
    assert "b 2\n" in {call.world.files["in.txt"] for call in calls}
    assert any(call.world.stdin not in ("3 4\n", None) for call in calls)
    clocks = {call.world.clock for call in calls}
    assert "2024-02-29T12:00:00" in clocks
    assert all(clock and clock.count("-") == 2 for clock in clocks)


def test_the_words_of_a_command_line_vary_in_number_and_content(spec, case):
    """One is dropped, given twice, or another number that the code spells out."""
    runs = [case("main()", world=World(script=words)) for words in (("10", "a.txt"), ("80", "b.txt"))]
    made = [*generated(spec(), runs), *(call for call, _ in islice(searched(spec(), runs, hints=[50]), 500))]
    words = {call.world.script for call in made}
    assert {("10",), ("50", "a.txt")} <= words
    assert any(len(given) > 2 for given in words)


def test_texts_are_tried_with_one_character_more_or_less(spec, case):
    """What a grammar must refuse is mostly that near to what it reads."""
    calls = [call for call, _ in islice(searched(spec("text: str"), [case("'A1-4'")]), 1500)]
    assert {"A1-A4", "A1 -4", "-A1-4", "A14", "A1-4\n", "a1-4"} <= {text for call in calls for text in plain(call)}


def test_a_record_keeps_the_keys_that_all_have(spec, case):
    """A row without its id is none that the words allow."""
    cases = [case("[{'id': 'a', 'town': 'x'}, {'id': 'b'}]"), case("[{'id': 'c'}]"), case("[]")]
    made = [eval(call.arguments[0]) for call in generated(spec("rows: list[dict[str, str]]"), cases)]
    assert len(made) > 20
    assert all("id" in row for rows in made for row in rows)


def test_an_empty_list_of_a_helpers_is_not_filled_with_just_anything(spec, case):
    """Nobody says that numbers are in it."""
    setup = "def n(tags):\n    return {'tags': tags}\nnote = n([])"
    made = generated(spec("note: dict[str, object]"), [case("note", setup=setup)])
    assert not [call.setup for call in made if "n([0" in call.setup or "n([1" in call.setup]


def test_what_is_computed_is_left_alone(spec, case):
    """The parts of `10**6` mean something else than they say: 11**6 or 10**60 would surprise a machine."""
    calls = generated(spec("n: int", "m: int"), [case("10**6", "3"), case("2 * 10**5", "4")])
    assert {call.arguments[0] for call in calls} == {"10**6", "2 * 10**5"}


@pytest.mark.parametrize(
    ("source", "longer"),
    [("[0] * 3", [0] * 4), ("[10, 3] + [0] * 2", [10, 3, 0]), ("('a',) * 3", ("a",) * 2), ("'ab' * 2", "aba")],
)
def test_a_short_sequence_that_is_put_together_is_one_value(spec, case, source, longer):
    """It is taken as what it comes to, and changed as such."""
    assert (longer,) in map(tuple, map(plain, generated(spec("rolls"), [case(source)])))


def test_a_long_one_is_left_alone(spec, case):
    """It is large on purpose."""
    calls = generated(spec("rolls: list[int]", "n: int"), [case("[0] * 10**4", "3"), case("[0] * 1000", "4")])
    assert {call.arguments[0] for call in calls} == {"[0] * 10**4", "[0] * 1000"}


def test_counts_stay_near_what_was_seen(spec, case):
    """A count of a billion tells nothing that one of a hundred does not, and takes long."""
    calls = generated(spec("n: int"), [case("3"), case("12")])
    assert all(abs(plain(call)[0]) <= 120 for call in calls)


HOSTILE = [
    "[" * 300 + "]" * 300,
    "0x" + "f" * 6000,
    "{**{'a': 1}}",
    "{[]: 1}",
    "float('nan')",
    "Decimal('sNaN')",
    "date(2024, 13, 1)",
    "'\\ud800'",
    "'\\0'",
    "...",
    "f'{1}'",
    "'" + "x" * 50_000 + "'",
    "1e999",
    "datetime(9999, 12, 31)",
    "b'\\xff'",
    "(x := 3)",
]


@pytest.mark.parametrize("source", HOSTILE, ids=[source[:20] for source in HOSTILE])
def test_awkward_cases_do_no_harm(source, spec, case):
    """Inputs come all the same, from the other cases where this one is no use."""
    calls = generated(spec("a: Any", "b: int"), [case(source, "1"), case("3", "2")], most=50)
    assert len(calls) == 50
    for call in calls:
        ast.parse(call.expression)


def test_a_case_that_is_no_python_is_passed_over(spec, case):
    """Others may be."""
    assert generated(spec("a: int"), [case("1 +"), case("2")], most=5)


def test_limit_cases_are_not_varied(spec, case):
    """They are large on purpose, and one of them takes long enough."""
    large = case(repr(list(range(300))), kind="limit")
    calls = generated(spec("a: list[int]"), [large, case("[1, 2]")])
    assert max(len(plain(call)[0]) for call in calls) < 200


def test_weights_prefer_what_is_read_fastest():
    """Less around it, shorter, plain, small."""

    def call(*arguments: str, **more) -> Call:
        return Call(function="f", arguments=arguments, **more)

    row = [call("0"), call("1"), call("-1"), call("'a'"), call("'é'"), call("[1, 2]"), call("0", setup="x = 1")]
    assert sorted(row, key=weight) == row


def test_a_case_in_other_words_is_no_new_input(spec, case):
    """By name, by place, set up before, at its default, or as a record told field by field."""
    contract = spec("a: int", "p: Point", "b: int = 3")
    cases = [case("n", "p=Point(1, label='x')", setup="n = 2"), case("5", "Point(1)", "b=3")]
    same = [case("2", "Point(x=1, label='x')"), case("a=2", "p=q", setup="q = Point(1, 'x')"), case("5", "Point(x=1)")]
    assert not_covered([one.done for one in same], contract, cases, (POINT,)) == ()
    other = case("2", "Point(1)").done
    assert not_covered([other], contract, cases, (POINT,)) == (other,)
    made = generated(contract, cases, (POINT,))
    assert not_covered(made, contract, cases, (POINT,)) == made


def test_a_path_is_one_of_those_that_were_seen(spec, case):
    """No file answers to another; where no case speaks of files, a path is a value like others."""
    contract = spec("path: str", "word: str")
    told = {"a.txt": "one two", "b.txt": "three"}
    cases = [case("'a.txt'", "'one'", world=World(files=told)), case("'b.txt'", "'two'", world=World(files=told))]
    paths = {call.arguments[0] for call in generated(contract, cases)}
    assert paths == {"'a.txt'", "'b.txt'"}
    pure = [case("'a.txt'", "'one'"), case("'b.txt'", "'two'")]
    assert len({call.arguments[0] for call in generated(contract, pure)}) > 2


def test_what_a_setup_gives_keeps_the_parameters_type(spec, case):
    """`lines = ['x']` is varied as the list[str] that it is passed as."""
    made = generated(spec("lines: list[str]"), [case("lines", setup="lines = ['x', 'y']\nlog = [1]")])
    setups = {call.setup for call in made}
    assert len(setups) > 5
    for setup in setups:
        lines, log = setup.splitlines()
        assert log == "log = [1]"
        assert all(isinstance(item, str) for item in ast.literal_eval(lines.removeprefix("lines = ")))


def test_calls_are_alike_that_differ_in_the_letters_of_their_texts_alone(case):
    """Numbers that stand by themselves tell calls apart, and so does the case of letters."""
    assert text_pattern(case("'ab 12'", "3").done) == text_pattern(case("'xyz 4'", "3").done)
    assert text_pattern(case("'ab'").done) != text_pattern(case("'Ab'").done)
    assert text_pattern(case("'ab'", "3").done) != text_pattern(case("'ab'", "4").done)


def test_the_folder_that_has_no_name_can_be_varied(spec, case):
    """It has no name to put another in the place of."""
    assert generated(spec("folder: Path"), [case("Path('.')"), case("Path('a')")])


def test_of_a_constructor_is_asked_whether_it_makes_an_instance():
    """The instance itself is no value that could be told; methods are called as they are."""
    interface = ClassInterface(methods=(Method(signature="def __init__(self, size: int) -> None"),))
    cases = [
        Case(name="bad", function="Box", arguments=("0",), expectation=ExpectedException(type="ValueError")),
        Case(name="room", function="Box", setup="box = Box(3)", call="box.room()", expectation=Value(source="3")),
    ]
    calls = generated(class_spec("Box", interface), cases)
    made = [call for call in calls if "type(" in call.expression]
    assert made
    assert all(call.expression.endswith("is Box") for call in made)
    assert not any(call.expression.startswith("Box(") for call in calls)
    assert any(call.expression == "box.room()" for call in calls)


def test_of_a_class_without_cases_nothing_is_made_up():
    """No call is made from its constructor's annotations alone."""
    interface = ClassInterface(methods=(Method(signature="def __init__(self, size: int) -> None"),))
    assert generated(class_spec("Box", interface), []) == ()


def test_a_function_that_is_passed_is_given_what_it_was_given(spec, case):
    """The length of a number is nobody's question; what is passed with no function may be anything that was seen."""
    cases = [
        case("len", "['a', 'bb']"),
        case("lambda x: x > 1", "[1, 2, 3]"),
        case("lambda x: x > 1", "[4, 0]"),
        case("lambda x: 1 // 0", "[]"),
        case("None", "[5, 6]"),
    ]
    inputs = generated_inputs(spec("key: Callable[[object], object] | None", "items: list[object]"), cases)
    likely = [one.call.arguments for one in inputs if one.keeps]
    given = {
        code: {type(item) for passed, items in likely if passed == code for item in ast.literal_eval(items)}
        for code in ("len", "lambda x: x > 1", "lambda x: 1 // 0", "None")
    }
    assert given == {"len": {str}, "lambda x: x > 1": {int}, "lambda x: 1 // 0": set(), "None": {str, int}}
