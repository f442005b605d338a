"""Numbers: when two are equal, what one costs to compare, and the budget that bounds work on hostile values.

The budget counts steps, with processor time as a backstop. A hostile number may have millions of digits, and Python's
own `Decimal == int` converts the int at a cost that is quadratic in its digits: ten seconds for two million bits. Here
two numbers whose magnitudes differ are unequal at once, and conversions are bounded.
"""

from __future__ import annotations

import math
import time
from decimal import Decimal
from fractions import Fraction

MAX_STEPS = 3_000_000  # a judgement: a few seconds of comparing
MAX_SECONDS = 5.0  # a judgement: no honest comparison takes as long
_STEPS_BETWEEN_LOOKS = 1_000  # a look at the clock costs as much as a few steps


class TooLong(Exception):
    """The steps or the processor time are used up."""


class Budget:
    """So many steps that may still be taken, by this thread and within MAX_SECONDS of its processor time.

    The steps end a large comparison alike on every machine. The clock ends what costs more for each step than any
    honest value does; it is the thread's own, so that a busy machine changes no verdict.
    """

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._left = steps
        self._look_at = self._left
        self._deadline = time.thread_time() + MAX_SECONDS

    def spend(self, steps: int = 1) -> None:
        """Take so many steps; TooLong where there are not as many left, or no time."""
        self._left -= steps
        if self._left < 0:
            raise TooLong
        if self._left < self._look_at:
            self._look_at = self._left - _STEPS_BETWEEN_LOOKS
            if time.thread_time() > self._deadline:
                raise TooLong


Number = int | float | complex | Decimal | Fraction
MAX_BITS = 10_000  # a judgement: beyond, exact comparison with other kinds of numbers takes too long
MAX_DIGITS = 3_000  # the same in decimal digits
_DIGITS_PER_BIT = math.log10(2)


def is_nan(value: object) -> bool:
    """Whether `value` is a float or Decimal that is not a number."""
    return value.is_nan() if type(value) is Decimal else type(value) is float and value != value


def equal(one: Number, other: Number, budget: Budget) -> bool:
    """Whether two numbers, none of them NaN, are equal; TooLong where that can't be told at a bounded cost."""
    budget.spend(cost(one) + cost(other))
    if type(other) is Decimal:
        one, other = other, one
    if type(one) is not Decimal or type(other) in (Decimal, float, complex) or not one.is_finite():
        return bool(one == other)
    ratio = (other, 1) if isinstance(other, int) else other.as_integer_ratio()  # type: ignore[union-attr]
    if not one or not ratio[0]:
        return not one and not ratio[0]
    magnitude = (ratio[0].bit_length() - ratio[1].bit_length()) * _DIGITS_PER_BIT
    if abs(magnitude - one.adjusted()) > 2:
        return False
    if max(part.bit_length() for part in ratio) > MAX_BITS or len(str(one)) > MAX_DIGITS:
        raise TooLong
    return bool(one == other)


def cost(value: Number) -> int:
    """About how many steps an operation on the number costs that is linear in its size."""
    if isinstance(value, int):
        return value.bit_length() // 10_000
    if isinstance(value, Fraction):
        return (value.numerator.bit_length() + value.denominator.bit_length()) // 100
    return 1


def key_text(value: int | float | Decimal | Fraction) -> str:
    """A text that is the same for two numbers, none of them NaN, exactly where they are equal.

    A finite Decimal of very many digits, or with a very large exponent, has a text that no number of another type has.
    """
    if not value:
        return "0"
    if type(value) is Decimal:
        if not value.is_finite():
            return str(float(value))
        text = str(value)
        if len(text) > MAX_DIGITS or abs(value.adjusted()) > MAX_DIGITS:
            digits, _, exponent = f"{value:E}".partition("E")
            return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}E{exponent}"
    elif type(value) is float and math.isinf(value):
        return str(value)
    numerator, denominator = value.as_integer_ratio()
    return f"{numerator:x}" if denominator == 1 else f"{numerator:x}/{denominator:x}"
