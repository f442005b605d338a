"""Calls taken apart and put together again."""

from __future__ import annotations

import ast

import pytest

from tdgen.inputs import generated_inputs
from tdgen.inputs.drawing import text_pattern
from tdgen.inputs.templates import TemplateReader
from tdgen.specs.interfaces import class_spec
from tdgen.types import ClassInterface, Method, World


@pytest.fixture
def slots(spec, case):
    """The keys and values of a call's slots, those of arguments by their parameter's names."""

    def told(*arguments: str, parameters=("a: int", "*rest: int", "key: str = ''"), **more) -> list[tuple[str, object]]:
        form = TemplateReader(spec(*parameters)).template(case(*arguments, **more))
        return [(slot.key if slot.whole else "-", slot.value) for slot in form.slots]

    return told


def test_arguments_are_slots_by_their_parameters_names(slots):
    """Positional, starred and by name; the same inside a larger call."""
    assert slots("1", "2", "3", "key='x'") == [("a", 1), ("*rest", 2), ("*rest", 3), ("key", "x")]
    assert slots(call="asyncio.run(f(1, key='x'))") == [("a", 1), ("key", "x")]
    assert slots(call="f(f(2))") == [("a", 2)]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("f(expand(','))", []),
        ("f(expand('a', f(3)), 2)", [("a", 3), ("*rest", 2)]),
        ("expand(f(3), 'x')", [("a", 3)]),
        ("f(int('7'))", [("-", "7")]),
        ("f(sorted([2, 1]), 5)", [("-", [2, 1]), ("*rest", 5)]),
    ],
)
def test_what_another_planned_function_is_called_with_is_no_slot(call, found, slots):
    """Another argument would test that one: it may raise before this function is called."""
    assert slots(call=call) == found


def test_what_a_function_of_the_setups_own_is_called_with_is_a_slot(slots):
    """It is no planned one; what a planned one gives is bound as it is."""
    assert slots(call="f(made(3))", setup="def made(n):\n    return n") == [("-", 3)]
    assert slots("x", setup="x = expand(',')") == []


def test_how_a_result_is_read_is_no_slot(slots):
    """Under which keys, and by what functions of modules; what it is asked is one."""
    paths = "sorted(re.sub('{.+?}', '{}', path) for path in f().openapi()['paths'])"
    assert slots(call=paths) == []
    assert slots(call="client.post('/pens', json={'n': 1}).json()['n']") == [("-", "/pens"), ("-", {"n": 1})]


PLACES = {
    "call": ("list(itertools.islice(f(), 5))", [5]),
    "nested": ("[f(n) for n in [1, 2]]", [[1, 2]]),
    "computed": ("f(10**6)[: 3]", [3]),
    "in quotes": ("f(f'{x} 1')", []),
    "lambda": ("sorted(f(), key=lambda p: p[1])", []),
    "opened": ("open('a', 'w').write('b')", ["b"]),
}


def test_what_a_setup_binds_to_an_argument_is_a_slot_under_its_parameters_name(slots):
    """Whatever else the setup does, and however it is bound; a name that is bound twice tells nothing."""
    assert slots("x", setup="x = 1\nlog = [5]\ndef helper():\n    return 7") == [("a", 1)]
    assert slots("x", "key=y", setup="x, y = 1, 'k'") == [("a", 1), ("key", "k")]
    assert slots(call="[f(x), log]", setup="x: int = 1\nlog = [5]") == [("a", 1)]
    assert slots("x", setup="x = 1\nx = 2") == []
    assert slots("3", setup="f(1)\nsleep(2)") == [("a", 1), ("a", 3)]


def test_what_is_done_with_the_result_is_no_slot_beside_an_argument(slots):
    """It would ask about other code than the function's; what the result itself is called with reaches it."""
    assert slots(call="f(1)[0] == g(5)") == [("a", 1)]
    assert slots(call="f(1).get('k')") == [("a", 1)]
    assert slots(call="f(1)(2)") == [("a", 1), ("-", 2)]
    assert slots(call="list(itertools.islice(f(), 5))", world=World(stdin="x")) == [("-", "x")]


@pytest.mark.parametrize(("call", "values"), PLACES.values(), ids=PLACES)
def test_other_values_are_slots_where_they_mean_what_they_say(call, values, slots):
    """The largest readable parts; not what is computed with."""
    assert [value for _, value in slots(call=call)] == values


@pytest.mark.parametrize("call", ["f( 1,\n  'é',  2 )", "'ö' + f('日')  [0]", "g(x)(f(3), y=[1,\n2])"])
def test_only_the_slots_text_changes(call, spec, case):
    """Whatever characters stand before it."""
    form = TemplateReader(spec("a: Any")).template(case(call=call))
    assert form.called(form.originals).call.translate({10: None, 32: None}) == call.translate({10: None, 32: None})
    changed = form.called(form.texts(tuple(range(100, 100 + len(form.slots))))).call
    assert all(str(100 + n) in changed for n in range(len(form.slots)))


def test_bytes_of_a_world_are_drawn_as_bytes(spec, case):
    """A file that is no text stays one, and no two of them read alike by chance."""
    form = TemplateReader(spec()).template(case(world=World(files={"a": b"\xff"}, stdin="x")))
    assert [slot.shape.kind for slot in form.slots] == ["bytes", "str"]
    assert form.called(form.texts((b"\xfe", "y"))).world == World(files={"a": b"\xfe"}, stdin="y")
    assert len(text_pattern(form.called(form.originals))) == 4


def test_a_world_is_slots_too(spec, case):
    """Each text in its place."""
    world = World(files={"b": "2", "a": "1"}, stdin="x", environment={"HOME": "/"}, clock="2024-01-01", seed=3)
    form = TemplateReader(spec()).template(case(world=world))
    assert form.values == ("1", "2", "x", "/", "2024-01-01")
    built = form.called(("A", "B", "X", "H", "2025-01-01")).world
    assert built == World(files={"a": "A", "b": "B"}, stdin="X", environment={"HOME": "H"}, clock="2025-01-01", seed=3)


def test_what_is_no_python_has_no_form(spec, case):
    """It can't be varied."""
    assert TemplateReader(spec("a: int")).template(case("1 +")) is None
    assert TemplateReader(spec("a: int")).template(case("1", setup="def")) is None


SHELF = class_spec(
    "Shelf",
    ClassInterface(
        methods=(
            Method(signature="def __init__(self, limit: int) -> None"),
            Method(signature="def put(self, names: list[str], *more: str, at: int = 0) -> int"),
            Method(signature="def of(names: list[str]) -> 'Shelf'", kind="static"),
            Method(signature="def join(self, other: str) -> str"),
        )
    ),
)


@pytest.mark.parametrize(
    ("call", "setup", "found"),
    [
        ("shelf.put(['a'], 'b', at=2)", "", [("put.names", ["a"]), ("put.*more", "b"), ("put.at", 2)]),
        ("shelf.put(['a'])", "shelf = Shelf(3)", [("limit", 3), ("put.names", ["a"])]),
        ("shelf.put(names)", "names = ['a']\nshelf = Shelf(3)", [("put.names", ["a"]), ("limit", 3)]),
        ("Shelf(3).put(['a'])", "", [("limit", 3), ("put.names", ["a"])]),
        ("Shelf.of(['a']).join('x')", "", [("of.names", ["a"]), ("join.other", "x")]),
        ("','.join(['a'])", "", [("-", ","), ("-", ["a"])]),
        ("shelf.join('x')", "shelf = Shelf(3)\nshelf.put(['a'])", [("limit", 3), ("join.other", "x")]),
    ],
    ids=["of each kind", "after a constructor", "bound before", "at once", "static", "of another", "earlier steps"],
)
def test_what_a_method_is_called_with_is_a_slot_by_its_parameter(case, call, setup, found):
    """In what is observed; earlier steps are for sequences to vary."""
    form = TemplateReader(SHELF).template(case(call=call, setup=setup))
    assert [(slot.key if slot.whole else "-", slot.value) for slot in form.slots] == found


def test_inputs_of_a_method_have_its_parameters_types(case):
    """No question is asked about what the contract does not allow."""
    cases = [case(call="shelf.put([])", setup="shelf = Shelf()")]
    given = [
        ast.literal_eval(one.call.call.removeprefix("shelf.put(").removesuffix(")"))
        for one in generated_inputs(SHELF, cases)
    ]
    assert len(given) > 3
    assert all(type(names) is list and all(type(one) is str for one in names) for names in given)
