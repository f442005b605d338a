"""Lengths of boards."""

from functools import total_ordering
from math import gcd

INCH = 16
FOOT = 12 * INCH


@total_ordering
class Length:
    """Feet, inches and sixteenths."""

    def __init__(self, feet=0, inches=0, sixteenths=0):
        if min(feet, inches, sixteenths) < 0:
            raise ValueError("length below zero")
        self._size = feet * FOOT + inches * INCH + sixteenths

    @property
    def feet(self):
        return self._size // FOOT

    @property
    def inches(self):
        return self._size % FOOT // INCH

    @property
    def sixteenths(self):
        return self._size % INCH

    def __add__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return Length(0, 0, self._size + other._size)

    def __radd__(self, other):
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __sub__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return Length(0, 0, self._size - other._size)

    def __mul__(self, factor):
        if not isinstance(factor, int):
            return NotImplemented
        if factor < 0:
            raise ValueError("negative factor")
        return Length(0, 0, self._size * factor)

    __rmul__ = __mul__

    def __floordiv__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return self._size // other._size

    def __mod__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return Length(0, 0, self._size % other._size)

    def __eq__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return self._size == other._size

    def __lt__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return (self.feet, self.inches) < (other.feet, other.inches)

    def __hash__(self):
        return hash(self._size)

    def __bool__(self):
        return self._size > 0

    def __str__(self):
        inches = [str(self.inches)] if self.inches else []
        if self.sixteenths:
            common = gcd(self.sixteenths, INCH)
            inches.append(f"{self.sixteenths // common}/{INCH // common}")
        parts = [f"{self.feet}'"] if self.feet else []
        if inches:
            parts.append(" ".join(inches) + '"')
        return " ".join(parts) or '0"'
