"""Tests of a project that are revised, laid into their files."""

import pytest

from tdgen.project.revising import own_test, with_revised
from tdgen.project.root import find_project

FILE = "tests/test_prices.py"
TEXT = """from shop import prices\r
\r
# above\r
@mark(\r
    [1, 2],\r
)\r
def test_one(n):  # odd\r
\tassert  n\r
\r
\r
class TestTwo:\r
\tdef test_two(self):\r
\t\tassert 1 == 1\r
\r
\tdef test_three(self):\r
\t\tassert 3"""


@pytest.fixture
def own(shop):
    """The test of that name in the file."""
    shop.write({FILE: TEXT})
    return lambda name: own_test(find_project(shop / FILE), f"{FILE}::{name}")


def test_nothing_else_changes_by_a_byte(own):
    """Indentation and line ends are the file's, also where it has no last line end."""
    one, three = own("test_one[1]"), own("TestTwo::test_three")
    texts = [
        (one.unit, "@mark([1, 3])\ndef test_one(n):\n    assert n\n"),
        (three.unit, "def test_three(self):\n    if True:\n        assert 4\n"),
    ]
    wanted = TEXT.replace("@mark(\r\n    [1, 2],\r\n)", "@mark([1, 3])").replace("  # odd", "")
    wanted = wanted.replace("assert  n", "assert n").replace("\t\tassert 3", "\t\tif True:\r\n\t\t\tassert 4")
    assert with_revised(one.file, texts) == wanted
    assert (one.id, one.place, three.place) == (f"{FILE}::test_one", f"{FILE}:7", f"{FILE}:15")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def test_one(n):\n    assert n == 2\n", ""),
        ("def test_one(n:\n", "does not parse"),
        ("def test_other(n):\n    pass\n", "is to be the definition of test_one alone"),
        ("import os\n\ndef test_one(n):\n    pass\n", "is to be the definition of test_one alone"),
        ("async def test_one(n):\n    pass\n", "is to be the definition of test_one alone"),
        ("def test_one(n, more):\n    pass\n", "the parameters of test_one are n: keep them"),
        ("@mark([1, 2])\ndef test_one(n):\n    assert n\n", "the verdict is that it stands"),
    ],
)
def test_what_can_not_take_the_place_of_a_test(own, text, told):
    """Another name, other parameters, anything beside it, and what is no other test."""
    assert told in "".join(own("test_one").misfits(text))
    assert bool(own("test_one").misfits(text)) == bool(told)


def test_what_is_not_defined_once_and_plainly_is_nobodys_to_revise(own, shop):
    """Nor a file that is not there, or does not parse."""
    assert own("test_none") is None
    assert own("TestTwo") is None
    shop.write({FILE: TEXT + "\n\ndef test_one():\n    pass\n"})
    project = find_project(shop / FILE)
    assert own_test(project, f"{FILE}::test_one") is None
    assert own_test(project, "tests/test_none.py::test_one") is None
