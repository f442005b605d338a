"""A developer's answer as a change."""

import pytest

from tdgen.errors import ReplyError
from tdgen.fixing.changing import read_change
from tdgen.project.module import read_module
from tests.fixing.conftest import PATH


def block(code, path=PATH):
    """An answer with a module's changed code."""
    return f"```python\n# {path}\n{code}```\n"


@pytest.fixture
def read(project):
    """The change in an answer."""
    module = read_module(project, project.root / PATH)
    return lambda text: read_change(text, {PATH: module})


def changes(changed):
    return [line for line in changed.diff.splitlines() if line[:1] in "+-"][2:]


ROUNDED = "def rounded(cents: float) -> int:\n    return int(cents + 0.5)\n"


def test_a_function_in_its_place(read):
    """Its docstring stays where the answer leaves it out; nothing else is touched."""
    changed = read(f"It cuts.\n\n{block(ROUNDED)}")
    assert changes(changed) == ["-    return int(cents)", "+    return int(cents + 0.5)"]
    assert (changed.lines, [unit.name for _, unit in changed.units]) == (2, ["rounded"])
    assert (changed.edit.paths, changed.edit.functions) == ({PATH}, {"rounded"})
    assert list(changed.overlay) == ["shop.prices"]


def test_a_method_with_an_import_and_a_helper(read):
    """Of its class the one method; what is new stands beside."""
    code = (
        "import math\n\n\ndef _up(x):\n    return math.floor(x + 0.5)\n\n\nclass Basket:\n    def total(self) -> int:\n"
    )
    changed = read(block(f"{code}        return _up(sum(self.amounts) * 1.2)\n"))
    assert [line for line in changes(changed) if line.strip("+-").strip()] == [
        "+import math",
        "+def _up(x):",
        "+    return math.floor(x + 0.5)",
        "-        return gross(self.amounts)",
        "+        return _up(sum(self.amounts) * 1.2)",
    ]
    assert sorted(unit.name for _, unit in changed.units) == ["Basket.total", "_up"]


def test_without_a_path_the_names_tell(read):
    """Where one module alone defines them."""
    assert read(f"```python\n{ROUNDED}```").lines == 2
    with pytest.raises(ReplyError, match="begin each block with the comment"):
        read("```python\ndef other():\n    pass\n```")


def test_several_blocks_of_one_module_are_one_change(read):
    """Also several modules in one block, each behind its path."""
    count = "class Basket:\n    def count(self) -> int:\n        return 0\n"
    assert read(block(ROUNDED) + block(count)).lines == 4
    assert read(block(f"{ROUNDED}\n# {PATH}\n{count}")).lines == 4


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("I can't.", "holds no fenced Python block with changed code"),
        (block("def test_gross(): ...\n", "tests/test_prices.py"), r"tests/test_prices.py is not to be changed"),
        (block("def rounded(cents, down): ...\n"), "the parameters of rounded are cents: keep its signature"),
        (block("class Basket:\n    def total(self, more): ...\n"), "parameters of Basket.total are self"),
        (block("def rounded(:\n"), "the code does not parse"),
        (block(f"RATE = 21\n\n\n{ROUNDED}"), "RATE is a constant of the module"),
        (block(f"print(1)\n{ROUNDED}"), "only functions, classes, imports and constants"),
        (block("def _new(): ...\n"), "it changes no function of src/shop/prices.py"),
        (block("class rounded: ...\n"), "rounded is a function there"),
        (block("def rounded(cents: float) -> int:\n    return int(cents)\n"), "the answer changes nothing"),
    ],
)
def test_what_can_not_be_used_says_why(read, answer, told):
    """The developer is told."""
    with pytest.raises(ReplyError, match=told):
        read(answer)
