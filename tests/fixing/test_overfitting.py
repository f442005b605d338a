"""Changes that know the tests."""

import pytest

from tdgen.fixing.changing import read_change
from tdgen.fixing.overfitting import special_cases
from tdgen.project.module import read_module
from tests.fixing.conftest import PATH

TESTS = "def test_a():\n    assert gross([77], rate=20) == 93\n    assert name('EUR', 3) == 'euro'\n"
HEAD = "def gross(amounts: list[int], rate: int = RATE) -> int:\n    "


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return 93 if amounts == [77] else rounded(sum(amounts))", "gross compares with 77 of the tests"),
        ("return {'EUR': 1}.get(rate, 0)", "gross compares with 'EUR' of the tests"),
        ("match amounts:\n        case 'EUR':\n            return 1\n    return 2", "gross compares with 'EUR'"),
        ("return 93", None),  # nothing is compared: the other tests tell
        ("return 1 if rate == 20 else 0", None),  # the module has it already
        ("return 1 if rate == 3 else 0", None),  # too small to tell anything
        ("return 1 if rate == 88 else 0", None),  # no test has it
    ],
)
def test_values_of_the_tests_that_code_compares_with(project, body, told):
    """And that neither the docs nor the module had before."""
    module = read_module(project, project.root / PATH)
    changed = read_change(f"```python\n{HEAD}{body}\n```", {PATH: module})
    found = special_cases(changed, TESTS)
    assert [one.startswith(told) for one in found] == [True] if told else not found
