"""What one test of the user's own file claims, read without running it."""

from __future__ import annotations

import pytest

from tdgen.types import Check, ExpectedException, Tolerance, Value


@pytest.mark.parametrize(
    ("claim", "call", "expected"),
    [
        ("slugify('A b') == 'a-b'", "slugify('A b')", "'a-b'"),
        ("'a-b' == slugify('A b', sep='-')", "slugify('A b', sep='-')", "'a-b'"),
        ("total([]) is None", "total([])", "None"),
        ("shop.is_open(9) is True", "is_open(9)", "True"),
        ("len(slugify('abc')) == 3", "len(slugify('abc'))", "3"),
        ("list(shop.items(2)) == [0, 1]", "list(items(2))", "[0, 1]"),
        ("shop.make_adder(3)(4) == 7", "make_adder(3)(4)", "7"),
        ("slugify(total(1)) == 'x'", "slugify(total(1))", "'x'"),
        ("total(Basket([1])) == Basket([2])", "total(Basket([1]))", "Basket([2])"),
        ("total(1) == math.pi", "total(1)", "math.pi"),
    ],
)
def test_an_equation_is_a_value(claim, call, expected, one_case):
    """`==` with the call on either side, and `is` with None, True and False."""
    case = one_case(f"def test_it():\n    assert {claim}\n")
    assert (case.expression, case.expectation) == (call, Value(source=expected))
    assert case.provenance == "user"


@pytest.mark.parametrize(
    ("claim", "expected", "tolerance"),
    [
        ("total(1) == pytest.approx(0.3)", "0.3", Tolerance(rel=1e-6, abs=1e-12)),
        ("total(1) == pytest.approx(0.3, rel=1e-3)", "0.3", Tolerance(rel=1e-3, abs=1e-12)),
        ("pytest.approx(0.3, abs=0.1) == total(1)", "0.3", Tolerance(rel=0.0, abs=0.1)),
        ("total(1) == pytest.approx([1, 2.5])", "[1.0, 2.5]", Tolerance(rel=1e-6, abs=1e-12)),
        ("total(1) == pytest.approx({1: 2})", "{1: 2.0}", Tolerance(rel=1e-6, abs=1e-12)),
        ("math.isclose(total(1), 0.3)", "0.3", Tolerance(rel=1e-9, abs=0.0)),
        ("math.isclose(3, total(1), rel_tol=1e-5, abs_tol=1e-8)", "3.0", Tolerance(rel=1e-5, abs=1e-8)),
    ],
)
def test_a_tolerance_is_read(claim, expected, tolerance, one_case):
    """Approx and isclose with their own defaults; whole numbers become floats, for which a tolerance holds."""
    assert one_case(f"def test_it():\n    assert {claim}\n").expectation == Value(source=expected, tolerance=tolerance)


@pytest.mark.parametrize(
    ("claim", "call", "check"),
    [
        ("slugify('a')", "slugify('a')", "result"),
        ("not slugify('a')", "slugify('a')", "not result"),
        ("slugify('a') != 'b'", "slugify('a')", "result != 'b'"),
        ("'a' in slugify('a')", "slugify('a')", "'a' in result"),
        ("slugify('a').startswith('a')", "slugify('a')", "result.startswith('a')"),
        ("abs(total(1) - 2) < 0.1", "abs(total(1) - 2)", "result < 0.1"),
        ("isinstance(total(1), int)", "total(1)", "isinstance(result, int)"),
        ("0 < total(1) < 3", "total(1)", "0 < result < 3"),
        ("total(1) is not None", "total(1)", "result is not None"),
    ],
)
def test_everything_else_said_of_one_call_is_a_check(claim, call, check, one_case):
    """Any predicate, over `result`."""
    case = one_case(f"def test_it():\n    assert {claim}\n")
    assert (case.expression, case.expectation) == (call, Check(source=check))


def test_an_exception(one_case):
    """`pytest.raises` around one call, with its pattern."""
    case = one_case(
        """
        def test_it():
            with pytest.raises(shop.EmptyBasket, match="no items"):
                total(Basket([]))
        """
    )
    assert case.expectation == ExpectedException(type="EmptyBasket", match="no items")
    assert (case.expression, case.kind) == ("total(Basket([]))", "error")


def test_an_escaped_pattern(one_case):
    """`re.escape` of a text is the pattern that it makes."""
    body = "def test_it():\n    with pytest.raises(ValueError, match=re.escape('a.b')):\n        x = total(1)\n"
    assert one_case(body).expectation == ExpectedException(type="ValueError", match=r"a\.b")
