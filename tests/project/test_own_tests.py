"""The project's own tests, and where new ones go."""

import pytest

from tdgen.project.index import read_index
from tdgen.project.module import read_module
from tdgen.project.own_tests import own_tests, places_of_tests, units_in_tests, unreadable_tests
from tdgen.project.root import find_project

places_of_tests.__test__ = False


@pytest.fixture
def seen(shop):
    """The project, its index and the module, after some files were added."""

    def call(files=()):
        shop.write(dict(files) | {"pyproject.toml": ""})
        path = shop / "src/shop/prices.py"
        project = find_project(path)
        return project, read_index(project), read_module(project, path)

    return call


def test_tests_that_import_the_module_come_first(seen):
    """By its name, then through its package; the one named after it before others."""
    files = {
        "tests/test_a.py": "import shop.prices as p\n",
        "tests/test_b.py": "def test():\n    from shop.prices import gross\n",
        "tests/test_c.py": "import shop\n",
        "tests/test_d.py": "import os\n",
        "tests/helper.py": "import shop.prices\n",
        "src/shop/test_like.py": "import shop.prices\n",
    }
    tests = own_tests(*seen(files))
    assert tests.direct == ("tests/test_prices.py", "tests/test_a.py", "tests/test_b.py")
    assert (tests.through, tests.others) == (("tests/test_c.py",), ("tests/test_d.py",))


def test_tests_that_name_units_are_told_with_these(seen):
    """Functions by name; methods where their class stands in the file, too; nothing of files without the module."""
    files = {
        "tests/test_a.py": (
            "from shop.prices import Basket, gross\n\n\ndef test_g():\n    assert gross(1)\n\n\n"
            "class TestBasket:\n    def test_t(self):\n        assert Basket(1).total() == gross(1)\n\n"
            "    def helper(self):\n        return gross\n\n\ndef test_none():\n    pass\n"
        ),
        "tests/test_b.py": "from shop import prices\n\n\ndef test_t():\n    assert total(1)\n",
        "tests/test_c.py": "def test_g():\n    assert gross(1)\n",
        "tests/test_d.py": "import shop.prices\n\n\ndef test_g(:\n    gross()\n",
    }
    found = units_in_tests(*seen(files), ["gross", "Basket.total"])
    assert found == {
        "tests/test_a.py::test_g": ("gross",),
        "tests/test_a.py::TestBasket::test_t": ("gross", "Basket.total"),
    }


def test_a_file_of_tests_that_does_not_parse_is_told(seen):
    """Nobody can tell what it tests, and whose words are lost so; another file that does not parse is none of them."""
    project, index, _ = seen({"tests/test_d.py": "def test_g(:\n", "src/shop/odd.py": "def (:\n"})
    (told,) = unreadable_tests(project, index)
    assert told == "tests/test_d.py does not parse, and its tests are not seen: invalid syntax (line 1)"


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({}, "tests/test_gross.py"),
        ({"tests/test_gross.py": ""}, "tests/test_prices_gross.py"),
        ({"tests/deep/test_gross.py": ""}, "tests/test_prices_gross.py"),
        ({"tests/deep/test_gross.py": "", "tests/__init__.py": ""}, "tests/test_gross.py"),
        ({"tests/test_gross.py": "", "tests/test_prices_gross.py": ""}, "tests/test_prices_gross_2.py"),
        ({"tests/test_prices.py": "", "tests/unit/test_p.py": "import shop.prices\n"}, "tests/unit/test_gross.py"),
        ({"tests/test_prices.py": "", "tests/shop/test_o.py": ""}, "tests/shop/test_gross.py"),
    ],
)
def test_new_tests_go_beside_those_of_the_module(seen, files, place):
    """Under names that no other test has, which pytest would confuse outside of packages."""
    assert places_of_tests(*seen(files), ["test_gross.py"]) == {"test_gross.py": place}


def test_the_projects_own_way_of_naming_is_kept(shop, seen):
    """`prices_test.py` asks for `gross_test.py`."""
    (shop / "tests/test_prices.py").unlink()
    given = seen({"tests/prices_test.py": "import shop.prices\n"})
    assert places_of_tests(*given, ["test_gross.py"]) == {"test_gross.py": "tests/gross_test.py"}


def test_a_project_without_tests_gets_a_folder_of_them(shop, seen):
    """At its root."""
    (shop / "tests/test_prices.py").unlink()
    (shop / "tests").rmdir()
    assert places_of_tests(*seen(), ["test_a.py", "test_b.py"]) == {
        "test_a.py": "tests/test_a.py",
        "test_b.py": "tests/test_b.py",
    }
