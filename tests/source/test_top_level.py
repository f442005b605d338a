"""What a module binds at its top level, and how another module imports it."""

from __future__ import annotations

from tdgen.source.top_level import bindings

SOURCE = """
from __future__ import annotations
import re
import numpy as np
import os.path
from decimal import Decimal as D
from . import rates
from .money import Money
from ..base import Base

try:
    from fast import quick
except ImportError:
    quick = None

if True:
    LIMIT: int = 3

a, (b, c) = 1, (2, 3)


def total(items): ...


class Cart: ...
"""


def test_each_name_has_the_line_that_imports_it_elsewhere():
    """Relative imports are told as absolute ones."""
    lines = {one.name: one.line for one in bindings(SOURCE, "shop.pricing.cart").values()}
    assert lines == {
        "re": "import re",
        "np": "import numpy as np",
        "os": "import os.path",
        "D": "from decimal import Decimal as D",
        "rates": "from shop.pricing import rates",
        "Money": "from shop.pricing.money import Money",
        "Base": "from shop.base import Base",
        "quick": "from shop.pricing.cart import quick",
        "LIMIT": "from shop.pricing.cart import LIMIT",
        "a": "from shop.pricing.cart import a",
        "b": "from shop.pricing.cart import b",
        "c": "from shop.pricing.cart import c",
        "total": "from shop.pricing.cart import total",
        "Cart": "from shop.pricing.cart import Cart",
    }


def test_what_is_defined_there_is_told_from_what_is_imported():
    """A test imports the one from here, and the other from where it is at home."""
    found = bindings(SOURCE, "shop.pricing.cart")
    assert {name for name, one in found.items() if one.is_own} == {"quick", "LIMIT", "a", "b", "c", "total", "Cart"}


def test_in_a_package_a_dot_is_the_package_itself():
    """Not the one above it, as in a module."""
    assert bindings("from .money import Money", "shop", is_package=True)["Money"].line == "from shop.money import Money"
