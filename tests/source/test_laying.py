"""New source laid into an existing module: what comes in, and that all else stays."""

import ast

import pytest

from tdgen.impl.developer import is_large, method_lines
from tdgen.source.fragment import Fragment, trusted_fragment
from tdgen.source.laying import laid, with_changed_methods
from tdgen.types import ClassInterface, FunctionSpec, Method, Returns

MODULE = '''#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Prices."""
from __future__ import annotations

import os  # the folder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shop.orders import Order

RATE = 0.2


# the sum of an order
@traced
def total(order: Order, *, rate: float = RATE) -> float:  # gross
    """Sum it up.

    With the tax.
    """
    raise NotImplementedError("todo")
    # after


def count(order): ...  # one day


class Basket(Base):
    """A basket."""

    size: int = 3

    def __init__(self, items): self.items = items

    @property
    def first(self): return self.items[0]

    # what is added goes last
    def add(self, item):
        """Add it."""
        pass

    def clear(self): self.items = []
'''


def test_a_body_takes_the_stubs_place_and_all_else_stays():
    """Comments, decorators, the docstring and the user's own signature are as they were."""
    new = trusted_fragment("def total(order, *, rate=0.3):\n    '''Mine.'''\n    # all\n    return rate * 2\n")
    assert laid(MODULE, {"total": new}) == MODULE.replace(
        'raise NotImplementedError("todo")', "# all\n    return rate * 2"
    )


def test_a_stub_on_one_line_becomes_several():
    """The comment on it was about the stub."""
    new = Fragment((), "def count(order):\n    n = len(order)\n    return n\n")
    after = "def count(order):\n    n = len(order)\n    return n\n"
    assert laid(MODULE, {"count": new}) == MODULE.replace("def count(order): ...  # one day\n", after)


def test_a_docstring_beside_its_header_gets_a_line_of_its_own():
    """As code goes below it."""
    new = Fragment((), "def f():\n    return 1\n")
    assert laid('def f(): "Doc."; ...\n', {"f": new}) == 'def f():\n    "Doc."\n    return 1\n'


def test_another_header_comes_with_its_body():
    """A body that names other parameters would mean nothing under the old header."""
    new = Fragment((), "async def count(orders,\n                many=2):\n    return many\n")
    after = "async def count(orders,\n                many=2):\n    return many\n"
    assert laid(MODULE, {"count": new}) == MODULE.replace("def count(order): ...  # one day\n", after)


def test_of_a_class_only_what_differs_is_written():
    """Methods that are laid out in another way, left-out members and the class's docstring stay as they were."""
    new = """class Basket(Base):
    def __init__(self, items):
        self.items = items

    def add(self, item):
        self.items.append(self._told(item))

    def _told(self, item):
        return item
"""
    after = '''        """Add it."""
        self.items.append(self._told(item))

    def _told(self, item):
        return item
'''
    assert laid(MODULE, {"Basket": Fragment((), new)}) == MODULE.replace('        """Add it."""\n        pass\n', after)


def test_of_a_class_only_the_methods_that_are_asked_for_are_taken():
    """A change to another method is left out; what is new comes."""
    new = "class Basket(Base):\n    size: int = 4\n    limit: int = 9\n    def add(self, item):\n        return 1\n"
    new += "    def clear(self):\n        return 2\n"
    text = laid(MODULE, {"Basket": Fragment((), new)}, methods={"Basket": ("add",)})
    assert "size: int = 3\n    limit: int = 9\n" in text
    assert "return 1" in text
    assert "def clear(self): self.items = []" in text


def test_a_method_alone_is_laid_by_its_full_name():
    """Its code is written as a function, and indented where it goes."""
    new = Fragment((), 'def add(self, item):\n    self.text = """\nas it is\n"""\n')
    after = 'self.text = """\nas it is\n"""'
    assert laid(MODULE, {"Basket.add": new}) == MODULE.replace(
        '"""Add it."""\n        pass', f'"""Add it."""\n        {after}'
    )


def test_getter_and_setter_are_told_apart():
    """Two methods of one name are found by their decorators."""
    text = "class A:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, v): ...\n"
    new = text.replace("self): ...", "self):\n        return 1").replace("v): ...", "v):\n        self.y = v")
    assert laid(text, {"A": Fragment((), new)}) == new


def test_a_class_that_is_a_stub_as_a_whole_is_filled():
    """Its header and docstring stay, with a blank line behind it."""
    text = 'class A(B):  # base\n    """What it is."""\n    ...\n'
    new = "class A(B):\n    x = 1\n\n    def f(self):\n        return 1\n"
    after = 'class A(B):  # base\n    """What it is."""\n\n    x = 1\n\n    def f(self):\n        return 1\n'
    assert laid(text, {"A": Fragment((), new)}) == after


def test_helpers_come_before_their_unit_and_once():
    """Two units that brought the same have it before the first; a comment above a unit stays with it."""
    helper = "# words\n_WORDS = 3\n\n\ndef _many():\n    return _WORDS\n"
    new = {
        "count": Fragment((), helper + "\n\ndef count(order):\n    return _many()\n"),
        "total": Fragment((), helper + "\n\ndef total(order, *, rate):\n    return _many()\n"),
    }
    text = laid(MODULE, new)
    assert f"{helper}\n\n# the sum of an order\n@traced\ndef total" in text
    assert text.count("_WORDS = 3") == text.count("def _many") == 1


def test_what_needs_the_unit_on_import_comes_after_it():
    """A subclass of the class that is written, say."""
    new = "class A:\n    x = 1\n\n\nclass _Sub(A):\n    y = 2\n\n\n_SUB = _Sub\n"
    text = laid('class A:\n    """It."""\n    ...\n\n\nB = 1\n', {"A": Fragment((), new)})
    assert text.index("class A") < text.index("class _Sub") < text.index("_SUB") < text.index("B = 1")
    compile(text, "a", "exec")


def test_what_comes_after_the_last_line_of_a_file_is_added_to_it():
    """The unit is all that the file ends with."""
    new = "def f():\n    return 1\n\n\n_BY_NAME = {1: f}\n"
    assert laid("def f(): ...\n", {"f": Fragment((), new)}) == "def f():\n    return 1\n\n\n_BY_NAME = {1: f}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from a import b, d\n", "from a import b, c, d\n"),
        ("from a import (\n    d,\n    b,\n)\n", "from a import (\n    d,\n    b,\n    c,\n)\n"),
        ("from a import B, MAX\n", "from a import B, MAX, c\n"),
        ("from a import d  # as ever\n", "from a import d  # as ever\nfrom a import c\n"),
        (f"from a import {'d' * 72}\n", f"from a import {'d' * 72}\nfrom a import c\n"),
        ("from .a import d\n", "from .a import d\n\nfrom a import c\n"),
        ("from a import *\n", "from a import *\nfrom a import c\n"),
    ],
)
def test_an_import_from_a_module_that_is_imported_from_joins_that(before, after):
    """Where it is sorted; not where there is a comment, or no room."""
    new = Fragment(("from a import c",), "def f():\n    return c\n")
    text = laid(f"{before}\n\ndef f(): ...\n".replace("\n", "\r\n"), {"f": new})
    assert text.replace("\r\n", "\n") == f"{after}\n\ndef f():\n    return c\n"
    assert text.count("\n") == text.count("\r\n")


def test_imports_of_another_kind_are_a_group_of_their_own_and_one_line_a_module():
    """The standard library's first."""
    new = Fragment(("from shop.b import x", "from json import loads, dumps"), "def f():\n    return x, loads, dumps\n")
    laid_text = laid("import os\n\n\ndef f(): ...\n", {"f": new}, module="shop.a")
    assert laid_text.startswith("import os\nfrom json import dumps, loads\n\nfrom shop.b import x\n\n\ndef f():\n")


def test_imports_follow_the_files_own_and_none_comes_twice():
    """What the module has, what no code uses, and what type checkers alone must see is left out."""
    imports = ("import os", "from typing import Any, Iterable", "import re", "from shop.orders import Order")
    new = Fragment(imports, "def total(order: Order, *, rate: Any) -> float:\n    return re.sub(os.sep, '', order)\n")
    text = laid(MODULE, {"total": new})
    assert "from typing import TYPE_CHECKING, Any\n\nif TYPE_CHECKING:\n" in text
    assert text.index("import os  # the") < text.index("import re\n") < text.index("from typing")
    assert text.count("Order\n") == 1
    assert text.count("import os") == 1


def test_an_import_for_type_checkers_is_made_where_code_needs_the_name():
    """An annotation is not evaluated, a call is."""
    new = Fragment(("from shop.orders import Order",), "def count(order):\n    return Order(order)\n")
    assert laid(MODULE, {"count": new}).count("from shop.orders import Order") == 2


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("", "import re\n\n\n"),
        ('"""Doc."""\n\n\n', '"""Doc."""\n\nimport re\n\n\n'),
        ("#!/bin/python\n# -*- coding: utf-8 -*-\n", "#!/bin/python\n# -*- coding: utf-8 -*-\n\nimport re\n\n\n"),
        ("# License.\n\n\n", "# License.\n\nimport re\n\n\n"),
        ("# about f\n", "import re\n\n\n# about f\n"),
        ("from __future__ import annotations\n\n\n", "from __future__ import annotations\n\nimport re\n\n\n"),
    ],
)
def test_a_file_without_imports_gets_its_first_at_the_top(head, after):
    """After the docstring, the license and `from __future__`, before the comment of the first function."""
    new = Fragment(("import re",), "def f(): return re\n")
    assert laid(f"{head}def f(): ...\n", {"f": new}) == f"{after}def f():\n    return re\n"


def test_a_name_that_the_module_uses_otherwise_gives_way():
    """The new code's own import or helper gets another name."""
    text = "from datetime import datetime\n\n\ndef _pad(x):\n    return datetime\n\n\ndef f(x): ...\n"
    new = "def _pad(x, n):\n    return x\n\n\ndef f(x):\n    return _pad(datetime.date(x), 2)\n"
    result = laid(text, {"f": Fragment(("import datetime",), new)})
    assert "import datetime as _datetime\n" in result
    assert "def __pad(x, n):\n    return x\n" in result
    assert "return __pad(_datetime.date(x), 2)" in result
    assert "def _pad(x):\n    return datetime\n" in result


@pytest.mark.parametrize("line", ["from shop.prices import RATE", "from .prices import RATE"])
def test_a_module_is_not_imported_into_itself(line):
    """What the new code would have from the module, it has."""
    new = Fragment((line,), "def count(order):\n    return RATE\n")
    assert "import RATE" not in laid(MODULE, {"count": new}, module="shop.prices")


NEW = {
    "total": Fragment(("import re",), "_T = 1\n\n\ndef total(order, *, rate):\n    return re, _T\n"),
    "Basket": Fragment((), "class Basket(Base):\n    def add(self, item):\n        if item:\n            self.x = 1\n"),
}


@pytest.mark.parametrize("eol", ["\r\n", "\r"])
def test_line_endings_are_the_files(eol):
    """Whichever end a file's lines have, the new ones have too."""
    assert laid(MODULE.replace("\n", eol), NEW) == laid(MODULE, NEW).replace("\n", eol)


def test_a_byte_order_mark_and_a_missing_last_line_end_stay():
    """Also where the last unit is what changes."""
    text = "\ufeffx = 1\ndef f(): ..."
    assert laid(text, {"f": Fragment((), "def f():\n    return 1\n")}) == "\ufeffx = 1\ndef f():\n    return 1"


def test_tabs_and_narrow_indentation_are_taken_up():
    """Each level of the new code becomes one of the file, in its helpers too."""
    helper = "\n\ndef _h():\n    return 1\n"
    new = Fragment((), f"def m(self):\n    for x in self:\n        return (1,\n                2)\n{helper}")
    for unit in ("\t", "  "):
        text = f'class A:\n{unit}def m(self):\n{unit}{unit}"""M."""\n{unit}{unit}pass\n'
        result = laid(text, {"A.m": new})
        assert result.startswith(f"def _h():\n{unit}return 1\n\n\nclass A:\n")
        assert f'"""M."""\n{unit * 2}for x in self:\n{unit * 3}return (1,\n' in result
        ast.parse(result)


def test_a_stub_that_was_decorated_keeps_that_and_gets_what_the_new_code_adds():
    """The new decorator is nearest to the function."""
    new = Fragment(("from functools import cache",), "@cache\ndef total(order, *, rate):\n    return 1\n")
    assert "@traced\n@cache\ndef total(order: Order" in laid(MODULE, {"total": new})


def test_a_unit_that_is_nowhere_is_an_error():
    """In the module or in the code."""
    with pytest.raises(ValueError, match="the module does not define lost"):
        laid(MODULE, {"lost": Fragment((), "def lost(): pass\n")})
    with pytest.raises(ValueError, match="the code does not define total"):
        laid(MODULE, {"total": Fragment((), "x = 1\n")})


def test_what_is_there_already_changes_nothing():
    """However it is laid out."""
    text = "class A(B):\n    pass # yes\n\n\ndef f( x ): return x\n"
    new = {"A": Fragment((), "class A(B):\n    pass\n"), "f": Fragment((), "def f(x):\n    return x\n")}
    assert laid(text, new) == text


def test_a_new_import_stands_where_it_is_sorted_among_its_kind():
    """The standard library's, other packages', the project's own; with none of its kind it goes behind all."""
    module = (
        "import abc\n\n# numbers\nimport decimal\nfrom zlib import crc32\n\nimport numpy\n\nfrom . import b\n"
        "from shop import c\n\n\ndef f(): ...\n"
    )
    imports = ("import collections", "import yaml", "from json import loads", "from .a import x", "import ast")
    body = "def f():\n    return ast, collections, yaml, loads, x\n"
    text = laid(module, {"f": Fragment(imports, body)}, module="shop.d")
    assert text.startswith(
        "import abc\nimport ast\nimport collections\n\n# numbers\nimport decimal\nfrom json import loads\n"
        "from zlib import crc32\n\nimport numpy\nimport yaml\n\nfrom . import b\nfrom .a import x\nfrom shop import c\n"
    )
    assert laid("# why\nimport re\n\n\ndef f(): ...\n", {"f": Fragment(("import ast",), body)}).startswith(
        "import ast\n# why\nimport re\n"
    )


def test_what_the_interpreter_reads_of_the_first_lines_stays_first():
    """No import and no helper comes before it."""
    begin = "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n"
    body = "def f():\n    return ast, re\n"
    text = laid(f"{begin}import re\n\n\ndef f(): ...\n", {"f": Fragment(("import ast",), body)})
    assert text.startswith(f"{begin}import ast\nimport re\n")
    text = laid(f"{begin}def f(): ...\n", {"f": Fragment((), "_N = 1\n\n\ndef f():\n    return _N\n")})
    assert text.startswith(f"{begin}_N = 1\n")


WRITTEN = '''import re

_TILL_LIMIT = 9


class Till:
    """A till."""  # its comment stays

    kind: str = "till"

    def __init__(self) -> None:
        self._balance = 0

    @property
    def balance(self) -> int:
        # so does this one
        return self._balance

    @balance.setter
    def balance(self, cents: int) -> None:
        self._balance = cents

    def take(self, cents: int) -> int:
        return 0


def _till_check(cents: int) -> None:
    assert cents
'''


@pytest.fixture
def spec():
    names = ["__init__(self)", "balance(self)", "take(self, cents: int)"]
    methods = tuple(Method(signature=f"def {name} -> int") for name in names)
    return FunctionSpec(
        name="Till", purpose="A till.", returns=Returns(type="Till"), interface=ClassInterface(methods=methods)
    )


def changed(code, spec):
    return with_changed_methods(code, WRITTEN, spec.name, [method.name for method in spec.interface.methods])


def test_a_method_takes_the_place_of_the_one_of_its_name(spec):
    """Nothing else changes by a letter, comments neither."""
    code = "class Till:\n    def take(self, cents: int) -> int:\n        self._balance -= cents\n        return cents\n"
    wanted = WRITTEN.replace("        return 0\n", "        self._balance -= cents\n        return cents\n")
    assert changed(code, spec) == wanted


def test_a_setter_takes_the_place_of_the_setter(spec):
    """Not of the property, whose name it has; decorators go with it."""
    code = (
        "class Till:\n    @balance.setter\n    def balance(self, cents: int) -> None:\n        self._balance = -cents\n"
    )
    assert changed(code, spec) == WRITTEN.replace("self._balance = cents", "self._balance = -cents")


def test_what_is_new_comes_beside_what_is_there(spec):
    """A private method at the end of the class, an attribute before the methods, a helper before the class."""
    code = (
        "import math\nimport re\n\n_TILL_LEAST = 1\n\nclass Till:\n  limit = 3\n\n  def _all(self):\n    return 'new'\n"
    )
    found = changed(code, spec)
    (of_class,) = [node for node in ast.parse(found).body if isinstance(node, ast.ClassDef)]
    names = [ast.unparse(node).split("(")[0].split("\n")[-1] for node in of_class.body]
    assert names[1:3] == ["kind: str = 'till'", "limit = 3"]
    assert of_class.body[-1].name == "_all"
    assert found.index("_TILL_LEAST = 1") < found.index("class Till")
    assert found.count("import re") == 1
    assert found.startswith("import math\n")


def test_constants_and_helpers_that_change_take_their_places(spec):
    """By their names."""
    code = "_TILL_LIMIT = 5\n\nclass Till:\n    pass\n\ndef _till_check(cents):\n    assert cents > 0\n"
    found = changed(code, spec)
    assert "_TILL_LIMIT = 5" in found
    assert "_TILL_LIMIT = 9" not in found
    assert "assert cents > 0" in found
    assert found.count("def _till_check") == 1


def test_an_answer_with_all_methods_is_the_class_as_a_whole(spec):
    """What it leaves out is gone."""
    code = "class Till:\n    def __init__(self): ...\n    def balance(self): ...\n    def take(self, cents): ...\n"
    assert changed(code, spec) == code


@pytest.mark.parametrize("code", ["class Till:\n    def take(", "def take(self): ...\n"], ids=["no Python", "no class"])
def test_what_can_not_be_merged_is_left_to_the_checks(spec, code):
    """It is told to its author like any answer that can't be used."""
    assert changed(code, spec) == code


def test_the_lines_of_methods_are_those_of_their_bodies():
    """A property and its setter are one; the `def` line runs when the class is made, and tells nothing."""
    lines = method_lines(WRITTEN, "Till")
    assert list(lines) == ["__init__", "balance", "take"]
    text = WRITTEN.splitlines()
    assert text[lines["take"].start - 1].strip() == "return 0"
    assert text[lines["balance"].stop - 2].strip() == "self._balance = cents"


def test_a_class_of_more_than_eight_methods_is_large(spec):
    """A function never is."""
    many = tuple(Method(signature=f"def m{n}(self) -> int") for n in range(9))
    assert not is_large(spec)
    assert is_large(spec.model_copy(update={"interface": ClassInterface(methods=many)}))
    assert not is_large(spec.model_copy(update={"interface": ClassInterface(methods=many[:8])}))
    assert not is_large(spec.model_copy(update={"interface": None}))
