"""Rescale recipes with exact quantities."""

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction


class QuantityError(ValueError):
    """A text that is no quantity."""


@dataclass(frozen=True)
class Ingredient:
    name: str
    quantity: Fraction | None
    unit: str


_QUANTITY = re.compile(r"(?:([0-9]+) )?([0-9]+)/([0-9]+)|([0-9]+)")


def parse_quantity(text):
    match = _QUANTITY.fullmatch(text.strip())
    if match is None:
        raise QuantityError(f"not a quantity: {text!r}")
    whole, over, under, alone = match.groups()
    if alone is not None:
        return Fraction(int(alone))
    if int(under) == 0:
        raise QuantityError(f"zero denominator: {text!r}")
    return int(whole or 0) + Fraction(int(over), int(under))


def format_quantity(value):
    whole, rest = divmod(Fraction(value), 1)
    if rest == 0:
        return str(whole)
    if whole == 0:
        return f"{rest.numerator}/{rest.denominator}"
    return f"{whole} {rest.numerator}/{rest.denominator}"


def parse_ingredient(line):
    amount, colon, name = line.partition(":")
    if not colon:
        return Ingredient(line.strip(), None, "")
    parts = amount.strip().rsplit(None, 1)
    if len(parts) != 2:
        raise QuantityError(f"no quantity and unit: {line!r}")
    return Ingredient(name.strip(), parse_quantity(parts[0]), parts[1])


def format_ingredient(ingredient):
    if ingredient.quantity is None:
        return ingredient.name
    return f"{format_quantity(ingredient.quantity)} {ingredient.unit}: {ingredient.name}"


def scale_recipe(text, made_for, wanted):
    if made_for < 1 or wanted < 1:
        raise ValueError("servings must be at least 1")
    factor = Fraction(wanted) / Fraction(made_for)
    lines = []
    for line in text.splitlines():
        if not line.strip():
            continue
        ingredient = parse_ingredient(line)
        if ingredient.quantity is not None:
            quantity = ingredient.quantity * factor
            if ingredient.unit == "pc":
                quantity = Fraction(math.ceil(ingredient.quantity)) * factor
                quantity = Fraction(math.ceil(quantity))
            ingredient = replace(ingredient, quantity=quantity)
        lines.append(format_ingredient(ingredient))
    return "\n".join(lines)
