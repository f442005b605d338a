"""A module as text: decoded, named, and its units."""

import re

import pytest

from tdgen.errors import InputError
from tdgen.project.module import read_module
from tdgen.project.root import find_project


@pytest.fixture
def read(bare):
    """Read a module of a project with this text."""

    def call(text):
        path = bare.write({"pyproject.toml": "", "a.py": text})
        return read_module(find_project(path), path)

    return call


def stubs(module):
    return [unit.name for unit in module.units.values() if unit.is_stub]


@pytest.mark.parametrize(
    "body", ["...", "pass", "raise NotImplementedError", 'raise NotImplementedError("later")', '"""Doc."""\n    ...']
)
def test_a_stub_has_no_body_of_its_own(read, body):
    """A docstring beside it or not."""
    module = read(f"def f(a: int,\n      b=(1, 2)) -> int:\n    {body}\n\nasync def g(): return 1\n")
    assert stubs(module) == ["f"]
    assert module.units["f"].signature == "def f(a: int,\n      b=(1, 2)) -> int:"


@pytest.mark.parametrize(
    "text",
    [
        "@overload\ndef f(x: int) -> int: ...\n@typing.overload\ndef f(x: str) -> str: ...\ndef f(x): return x\n",
        "class A(ABC):\n    @abstractmethod\n    def m(self): ...\n    @abc.abstractmethod\n    def n(self): ...\n",
        "class P(Protocol[T]):\n    def m(self): ...\n",
        'def f():\n    """Doc alone."""\n',
        "def f():\n    raise ValueError\n",
    ],
)
def test_what_is_meant_to_be_without_a_body_is_no_stub(read, text):
    """Overloads, abstract methods, members of a protocol."""
    assert [name for name in stubs(read(text)) if name not in ("A", "P")] == []


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("def f(): ...\ndef f(): ...\n", "f", r"f is defined 2 times \(lines 1, 2\)"),
        ("if x:\n    def f(): ...\nelse:\n    def f(): ...\n", "f", r"under a condition \(line 4\)"),
        ("try:\n    pass\nexcept E:\n    def f(): ...\n", "f", r"under a condition \(line 4\)"),
        ("class A:\n    def m(self): ...\n    def m(self): ...\n", "A.m", "A.m is defined 2 times"),
        ("class A:\n    if x:\n        def m(self): ...\n", "A.m", "A.m is defined under a condition"),
        ("class A:\n    def m(self): ...\nclass A:\n    pass\n", "A.m", "A is defined 2 times"),
        ("class A:\n    @property\n    def m(self): ...\n    @m.setter\n    def m(self, v): ...\n", "A.m", "property"),
    ],
)
def test_a_name_that_stands_for_several_says_so(read, text, name, why):
    """It can't be told which is meant."""
    assert re.search(why, read(text).units[name].refused)


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"\xef\xbb\xbfx = '\xc3\xa9'\r\n", "utf-8", "x = 'é'\r\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "iso-8859-1", "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        (b"def f():\n\tpass\n", "utf-8", "def f():\n\tpass\n"),
    ],
)
def test_a_text_goes_back_as_it_came(read, data, encoding, text):
    """Byte order mark, declared encoding, line ends and tabs."""
    module = read(data)
    assert (module.encoding, module.text, module.encoded(module.text)) == (encoding, text, data)


def test_what_the_encoding_does_not_have_is_told(read):
    """New code may hold any character."""
    with pytest.raises(InputError, match=r"a\.py is in iso-8859-1, which has no '€'"):
        read(b"# coding: latin-1\n").encoded("€")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"def f(:\n", r"a\.py does not parse: .* \(line 1\)"),
        (b"x = '\xff'\n", r"a\.py can't be read as text"),
        (b"# coding: none-such\n", r"a\.py can't be read as text"),
    ],
)
def test_what_is_no_python_is_told(read, data, told):
    """In a line, with the file's name."""
    with pytest.raises(InputError, match=told):
        read(data)


def test_a_folder_another_file_and_a_link_are_refused(shop):
    """A module is a file that ends in .py."""
    project = find_project(shop / "src/shop/prices.py")
    (shop / "src/other.py").symlink_to(shop / "src/shop/prices.py")
    for name, told in [
        ("src", "is no Python file"),
        ("pyproject.toml", "is no Python file"),
        ("src/other.py", "a link"),
    ]:
        with pytest.raises(InputError, match=told):
            read_module(project, shop / name)


def test_a_module_that_ends_the_process_when_imported_is_only_read(read):
    """Nothing of the user's is run."""
    assert stubs(read("import sys\nsys.exit(3)\n__all__ = [n for n in dir()]\nfrom os import *\ndef f(): ...\n")) == [
        "f"
    ]
