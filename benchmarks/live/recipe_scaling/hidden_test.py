from fractions import Fraction

import pytest

import solution


@pytest.mark.parametrize(
    ("text", "value"),
    [("2", Fraction(2)), ("3/4", Fraction(3, 4)), ("3/2", Fraction(3, 2)), (" 1 1/2 ", Fraction(3, 2)), ("0", Fraction(0))],
)
def test_parse_quantity(text, value):
    found = solution.parse_quantity(text)
    assert found == value
    assert isinstance(found, Fraction)


@pytest.mark.parametrize("text", ["", "cup", "1/0", "2 1/0", "1.5", "-1", "1/2 1", "1 2", "1  1/2"])
def test_no_quantity(text):
    with pytest.raises(solution.QuantityError):
        solution.parse_quantity(text)


def test_error_is_a_value_error():
    assert issubclass(solution.QuantityError, ValueError)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(2), "2"),
        (Fraction(0), "0"),
        (Fraction(6, 8), "3/4"),
        (Fraction(3, 2), "1 1/2"),
        (Fraction(10, 4), "2 1/2"),
        (Fraction(1), "1"),
    ],
)
def test_format_quantity(value, text):
    assert solution.format_quantity(value) == text


def test_parse_ingredient():
    found = solution.parse_ingredient("  1 1/2 cup:  rye flour ")
    assert found == solution.Ingredient(name="rye flour", quantity=Fraction(3, 2), unit="cup")


def test_parse_ingredient_without_quantity():
    assert solution.parse_ingredient(" salt ") == solution.Ingredient(name="salt", quantity=None, unit="")


def test_first_colon_separates():
    found = solution.parse_ingredient("2 pc: eggs: large")
    assert (found.name, found.unit, found.quantity) == ("eggs: large", "pc", 2)


@pytest.mark.parametrize("line", ["cup: flour", ": flour", "2: flour", "some cups: flour"])
def test_bad_amount(line):
    with pytest.raises(solution.QuantityError):
        solution.parse_ingredient(line)


@pytest.mark.parametrize("line", ["1 1/2 cup: rye flour", "3/4 l: milk", "salt", "2 pc: eggs: large"])
def test_round_trip(line):
    assert solution.format_ingredient(solution.parse_ingredient(line)) == line


def test_scale():
    text = "1 1/2 cup: flour\n\n3/4 l: milk\nsalt\n   \n"
    assert solution.scale_recipe(text, 4, 6) == "2 1/4 cup: flour\n1 1/8 l: milk\nsalt"


def test_pieces_round_up():
    assert solution.scale_recipe("1 pc: egg", 6, 2) == "1 pc: egg"
    assert solution.scale_recipe("4 pc: egg", 6, 2) == "2 pc: egg"


def test_whole_pieces_stay():
    assert solution.scale_recipe("3 pc: egg", 6, 4) == "2 pc: egg"
    assert solution.scale_recipe("3 pc: egg", 4, 4) == "3 pc: egg"


def test_only_the_result_is_rounded():
    assert solution.scale_recipe("1/2 pc: lemon", 2, 8) == "2 pc: lemon"
    assert solution.scale_recipe("1 1/2 pc: lemon", 1, 2) == "3 pc: lemon"


def test_other_units_are_not_rounded():
    assert solution.scale_recipe("1 cup: rice", 3, 1) == "1/3 cup: rice"


def test_empty_recipe():
    assert solution.scale_recipe("", 2, 4) == ""


@pytest.mark.parametrize(("made_for", "wanted"), [(0, 4), (4, 0), (-1, 2)])
def test_servings(made_for, wanted):
    with pytest.raises(ValueError) as caught:
        solution.scale_recipe("salt", made_for, wanted)
    assert not isinstance(caught.value, solution.QuantityError)


def test_one_serving_is_allowed():
    assert solution.scale_recipe("2 cup: rice", 1, 1) == "2 cup: rice"
