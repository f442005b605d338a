"""A task in a project."""

import pytest

from tdgen.errors import Contradicted, InputError
from tdgen.project.filling import read_filling


def test_a_contradiction_is_told_at_the_places_of_its_quotes(shop):
    """In the docs of the module, and in tests and pages that are shown; spaces may be others there, as in a prompt."""
    test = "from shop.prices import gross\n\n\ndef test_gross():\n    assert gross(\n        1\n    ) == 2\n"
    shop.write({"tests/test_prices.py": test, "README.md": "# Shop\n\n    >>> gross(7)\n    9\n"})
    task = read_filling([str(shop / "src/shop/prices.py")])
    error = Contradicted("it can't be", "of tax, rounded half up", "gross( 1 ) == 2", ">>> gross(7)\n9", "nowhere")
    line = task.module.text.partition("of tax, rounded")[0].count("\n") + 1
    assert str(task.placed(error)) == f"src/shop/prices.py:{line}, tests/test_prices.py:5, README.md:3: it can't be"
    assert str(task.placed(Contradicted("it can't be", "nowhere"))) == "it can't be"


def test_a_module_that_no_test_can_import_is_refused(shop):
    """Before anything is asked."""
    stub = 'def gross(cents: int) -> int:\n    """Doc."""\n    raise NotImplementedError\n'
    shop.write({"src/shop/my-prices.py": stub})
    with pytest.raises(InputError, match=r"my-prices\.py can't be tested: 'my-prices' is no name that can be imported"):
        read_filling([str(shop / "src/shop/my-prices.py")])
