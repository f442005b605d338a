"""The names of a project by module."""

import os

import pytest

from tdgen.project import index as reading
from tdgen.project.index import read_index
from tdgen.project.root import find_project


def index_of(project, **more):
    return read_index(find_project(next(project.root.rglob("*.py"))), **more)


def test_a_name_is_followed_through_packages_to_its_definition(shop):
    """Through re-exports, relative imports, other names and stars."""
    shop.write({"src/shop/a.py": "from . import Order as O\n", "src/shop/b.py": "from .a import *\nfrom os import *\n"})
    index = index_of(shop)
    for module, name in [("shop.prices", "Order"), ("shop.a", "O"), ("shop.b", "O"), ("shop", "Order")]:
        found = index.resolve(module, name)
        assert (found.module, found.entry.name) == ("shop.orders", "Order")
    assert index.resolve("shop.b", "path") is None
    assert index.resolve("shop.none", "Order") is None


def test_modules_that_import_each_other_end(bare):
    """A name that nobody defines is not looked for without end."""
    bare.write({"pyproject.toml": "", "a.py": "from b import x\n", "b.py": "from a import x\nclass A(A): pass\n"})
    assert index_of(bare).resolve("a", "x") is None
    assert index_of(bare).attributes("b", "A") == ()


def test_attributes_are_inherited_where_the_base_is_the_projects(bare):
    """The base's first."""
    bare.write({
        "pyproject.toml": "",
        "a.py": "class Base:\n    one: int\n    def m(self): ...\n",
        "b.py": "import a\nfrom a import Base\nclass Sub(Base, Exception):\n    two = 2\n",
    })  # fmt: skip
    assert index_of(bare).attributes("b", "Sub") == ("one", "two")


def test_a_file_that_cant_be_read_leaves_the_others(bare, monkeypatch):
    """A syntax error elsewhere, another encoding, a file that is data."""
    monkeypatch.setattr(reading, "_LARGEST", 50)
    bare.write(
        {"pyproject.toml": "", "a.py": "def (\n", "b.py": b"'\xff'", "c.py": "# " + "x" * 50, "d.py": "def f(): 1\n"}
    )
    index = index_of(bare)
    assert [bool(index.sources[name].outline.error) for name in "abcd"] == [True, True, True, False]


def test_what_did_not_change_is_not_read_again(shop, tmp_path_factory, monkeypatch):
    """By size and time of change; a file that went is forgotten."""
    folder = tmp_path_factory.mktemp("cache") / "new"
    first = index_of(shop, folder=folder)
    read = []
    decoded = reading.decoded
    monkeypatch.setattr(reading, "decoded", lambda *given: read.append(given[1]) or decoded(*given))
    assert index_of(shop, folder=folder).sources == first.sources
    assert read == []
    (shop / "tests/test_prices.py").unlink()
    path = shop.write({"src/shop/orders.py": "class Order: pass\n"})
    os.utime(path, ns=(1, 1))
    again = index_of(shop, folder=folder)
    assert read == ["src/shop/orders.py"]
    assert first.sources.keys() - again.sources.keys() == {"tests.test_prices"}


@pytest.mark.parametrize("content", [b"", b"[]", b'{"format": 1, "files": {"a": 3}}', b'{"format": 0}', b"\xff"])
def test_a_kept_index_that_cant_be_used_is_written_anew(shop, tmp_path_factory, content):
    """Whatever is in it."""
    folder = tmp_path_factory.mktemp("cache")
    first = index_of(shop, folder=folder)
    (kept,) = folder.iterdir()
    good = kept.read_bytes()
    kept.write_bytes(content)
    assert index_of(shop, folder=folder).sources == first.sources
    assert kept.read_bytes() == good


def test_a_name_that_only_one_module_defines_is_found_anywhere(shop):
    """A docstring may speak of a class that its module does not import."""
    assert index_of(shop).anywhere("Line").module == "shop.orders"
    shop.write({"src/shop/z.py": "class Line: pass\n"})
    assert index_of(shop).anywhere("Line") is None


def test_what_an_import_leads_to_is_followed(bare):
    """Over other modules; not over the packages that a module lies in, as those are being imported before it."""
    bare.write({
        "pyproject.toml": "", "p/__init__.py": "from p import a\n", "p/a.py": "", "p/b.py": "from p import c\n",
        "p/c.py": "def f():\n    from p.a import x\n", "p/d.py": "import p.d\n",
    })  # fmt: skip
    index = index_of(bare)
    assert [name for name in ("p.b", "p.c", "p.d", "p", "os") if index.leads_to(name, "p.a")] == ["p.b", "p.c"]
