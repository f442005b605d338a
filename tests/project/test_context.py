"""What prompts may see of a project."""

import pytest

from tdgen.project.context import context_of
from tdgen.project.filling import read_filling
from tdgen.project.focus import focus_of, focus_on
from tdgen.project.index import read_index
from tdgen.project.module import read_module
from tdgen.project.root import find_project
from tdgen.project.selection import select


@pytest.fixture
def context(shop):
    """The context of what is named, or of all stubs."""

    def call(*names, tokens=3_000, helpers=True):
        path = shop / "src/shop/prices.py"
        project = find_project(path)
        module = read_module(project, path)
        focus = focus_on(module, select(module, names).units)._replace(helpers=helpers)
        return context_of(read_index(project), module, focus, tokens)

    return call


@pytest.fixture
def asked(shop):
    """The context of what somebody asks for in words."""

    def call(prose, owner="", tokens=3_000):
        path = shop / "src/shop/prices.py"
        project = find_project(path)
        return context_of(read_index(project), read_module(project, path), focus_of(prose, owner), tokens)

    return call


def test_prompts_see_what_is_near_and_no_code(context):
    """The module with its imports, and the classes that annotations lead to; not the stub itself."""
    assert (
        context("gross").prompt
        == '''# module shop.prices, the code's place

"""Prices in cents."""
from __future__ import annotations
from shop import Order

RATE = 20

def _rounded(cents: float) -> int:
    ...

class Basket:
    """A basket that becomes an order."""
    order
    def __init__(self, order: Order) -> None: ...
    def total(self) -> int:
        """The gross sum of the order at the usual rate."""
    def bare(self): ...

def done(x):
    """It is done."""

# module shop.orders

class Status(Enum):
    """How far an order is."""
    OPEN = 1
    SENT = 2

@dataclass(frozen=True)
class Line:
    """One line of an order."""
    name: str
    cents: int

@dataclass
class Order:
    """What somebody wants."""
    lines: list[Line] = field(default_factory=list)
    status: Status = Status.OPEN
    def add(self, line: Line) -> None:
        """Add a line."""'''
    )


def test_what_is_mentioned_is_told_whole_and_neighbours_in_short(shop, context):
    """A stub's own class, too: what its methods raise settles what a stub of it must."""
    doc = '"""Short.\n\n        Raises:\n            KeyError: there is none\n        """'
    shop.write(
        {
            "src/shop/prices.py": f"class Cart:\n    def take(self):\n        {doc}\n        return 1\n\n"
            '    def drop(self):\n        """Take one, and forget it."""\n        ...\n\n'
            f"def beside():\n        {doc}\n        return 2\n"
        }
    )
    prompt = context("Cart.drop").prompt
    assert prompt.count("KeyError: there is none") == 1
    assert prompt.count("Short.") == 2


def test_the_developer_sees_helpers_code(context):
    """No stub's, and no other function's; a stub's class is shown as it stands, so that it is not told twice."""
    assert context("gross").code == "def _rounded(cents: float) -> int:\n    return int(cents + 0.5)\n"
    assert "class Basket" not in context("Basket.total").code


def test_helpers_of_others_and_words_of_prose_are_no_code_beside(shop, context):
    """`join` is a word there; `_sorted` serves another function; `_merge_pair` is alike; nothing else calls `_key`."""
    shop.write(
        {
            "src/shop/prices.py": "def join(a): return _sorted(a)\n\ndef _sorted(a): return a\n\n"
            "def _merge_pair(a): return a\n\ndef _key(a): return a\n\n"
            "def head(a): return _merge_pair(a)\n\n"
            'def merge(a):\n    """Join what is sorted, as `head` does."""\n    ...\n'
        }
    )
    found = context("merge")
    assert [line.split("(")[0] for line in found.code.splitlines() if line] == [
        *("def _merge_pair", "def _key", "def head"),
    ]
    assert found.helpers == "def join(a):\n    ...\n\ndef _sorted(a):\n    ..."


def test_a_private_class_that_nothing_else_uses_is_shown_as_it_stands(shop, context):
    """It is there for the code that is missing, as a private function is."""
    private = "class _Both:\n    def __init__(self, parts):\n        self._parts = parts\n"
    stub = 'def both(*parts):\n    """Both."""\n    ...\n'
    shop.write({"src/shop/prices.py": f"{private}\nclass _Used:\n    pass\n\nUSED = _Used()\n\n{stub}"})
    assert context("both").code == private


def test_functions_that_only_new_code_may_call_are_not_shown_to_who_writes_cases(shop, context):
    """Where cases make instances of the project's classes, they may be made by these."""
    shop.write({"src/shop/prices.py": 'def net(cents):\n    """Net."""\n    ...\n\ndef gross(cents): return cents\n'})
    assert "gross" not in context("net").prompt
    assert "def gross(cents):" in context("net").helpers
    stub = 'class Till:\n    def open(self):\n        """Open it."""\n        ...\n'
    shop.write({"src/shop/prices.py": f"{stub}\ndef till(): ...\n"})
    assert "def till():" in context("Till.open").prompt


def test_public_attributes_are_those_of_the_classes_shown(context):
    """Instances are told by them."""
    orders = {"Order": ("lines", "status"), "Line": ("name", "cents"), "Status": ("OPEN", "SENT")}
    public = {f"shop.orders.{name}": held for name, held in orders.items()}
    public["shop.prices.Basket"] = ("order",)
    assert context().public == public


def test_what_does_not_fit_is_left_out_from_the_farthest(context):
    """What the signature names stays longest; what is far is named alone before it goes."""
    small = context("gross", tokens=110)
    assert "class Order:" in small.prompt
    assert "def done(x): ...\n" in small.prompt
    assert "def done" not in context("gross", tokens=100).prompt
    assert len(small.prompt) <= 444 < len(context("gross").prompt)
    assert context("gross", tokens=0).code == ""


def test_a_class_that_a_docstring_names_need_not_be_imported(shop, context):
    """Where the project has one of that name."""
    text = (shop / "src/shop/prices.py").read_text()
    shop.write({
        "src/shop/prices.py": text.replace("rounded half up", "as a Receipt says"),
        "src/shop/receipts.py": "class Receipt:\n    number: int\n",
    })  # fmt: skip
    assert "# module shop.receipts\n\nclass Receipt:\n    ...\n    number: int" in context("gross").prompt


def test_names_that_the_module_lacks_are_told_with_their_places(shop, context):
    """What is shown of other modules, and what is imported for type checkers alone, under the name that it has here."""
    text = (shop / "src/shop/prices.py").read_text()
    own = (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shop import Order as O\n"
        "    from decimal import Decimal\n"
    )
    assert context("gross").elsewhere == {"Line": "shop.orders.Line", "Status": "shop.orders.Status"}
    shop.write(
        {
            "src/shop/prices.py": text.replace("from shop import Order\n", "")
            .replace("Order", "O")
            .replace("\nRATE", f"{own}\nRATE")
        }
    )
    elsewhere = context("gross").elsewhere
    assert {name: elsewhere[name] for name in ("O", "Decimal", "Line")} == {
        "O": "shop.Order", "Decimal": "decimal.Decimal", "Line": "shop.orders.Line",
    }  # fmt: skip


def test_prose_may_name_things_as_one_speaks_of_them(shop, asked):
    """A class by its plural, a function by the words of its name; not what only tests have, nor by a single word."""
    shop.write({
        "src/shop/receipts.py": "class Receipt:\n    number: int\n",
        "src/shop/texts.py": "def money_text(cents):\n    ...\n\ndef number(x):\n    ...\n",
        "tests/test_receipts.py": "def money_receipt():\n    ...\n",
    })  # fmt: skip
    prompt = asked("The text of the money in all receipts, by number.").prompt
    assert "class Receipt:" in prompt
    assert "def money_text(cents):" in prompt
    assert "def number" not in prompt
    assert "money_receipt" not in prompt


def test_what_prose_names_stays_longest(asked):
    """By its very name first; and all of the class that a method is for."""
    assert "def done" in asked("As `done` has it, for orders.", tokens=80).prompt
    assert "def done" not in asked("For orders.", tokens=80).prompt
    assert "def total(self) -> int:" in asked("Half of it.", "Basket", tokens=160).prompt


def test_who_adds_a_function_sees_the_code_of_those_that_prose_names(asked):
    """And private helpers, as who fills a stub does."""
    done = 'def done(x):\n    """It is done."""\n    return x\n'
    assert (
        asked("As `done` has it.").code == f"def _rounded(cents: float) -> int:\n    return int(cents + 0.5)\n\n{done}"
    )


def test_a_class_that_the_prose_tells_of_is_shown_without_its_docstring(shop):
    """Its attributes and other methods stand there: the instruction of its method begins with what the class says."""
    task = read_filling([f"{shop / 'src/shop/prices.py'}::Basket.total"])
    assert "class Basket:" in task.target.context
    assert "A basket that becomes an order." in task.instruction
    assert "A basket that becomes an order." not in task.target.context


def test_of_the_class_that_methods_are_added_to_the_docs_are_whole(shop, asked):
    """Its examples say what its methods do; of other classes the first paragraphs are enough."""
    path = shop / "src/shop/prices.py"
    long = "\n\n    ".join(["A basket that becomes an order.", *("It holds much. " * 40 for _ in range(3)), "The end."])
    path.write_text(path.read_text().replace("A basket that becomes an order.", long))
    assert "The end." in asked("Half of it.", "Basket").prompt
    assert "The end." not in asked("Half of a basket.").prompt


def test_helpers_are_for_who_writes_code(context):
    """Functions that nothing mentions are left out where nobody writes any; classes and constants stay."""
    shown = context("gross", helpers=False).prompt
    assert "def done" not in shown
    assert "RATE = 20" in shown
    assert "class Basket:" in shown


def test_what_a_module_imports_and_does_not_use_yet_is_shown(shop, context):
    """Only the code that is missing can need it, though no docstring names it; what is in use, too, is told briefly."""
    zone = '"""A zone `hours` from UTC."""\n\n    def __init__(self, hours: int) -> None:\n        self.hours = hours\n'
    used = '"""In use."""\n\n    def at(self):\n        """Where it is."""\n'
    (shop / "src/shop/zones.py").write_text(f"class Zone:\n    {zone}\n\nclass Used:\n    {used}")
    path = shop / "src/shop/prices.py"
    path.write_text(
        path.read_text().replace(
            "from shop import Order\n", "from shop import Order\nfrom shop.zones import Used, Zone\n"
        )
        + "\n\nU = Used\n"
    )
    prompt = context("gross").prompt
    assert "def __init__(self, hours: int) -> None" in prompt
    assert 'class Used:\n    """In use."""\n    def at(self): ...' in prompt


def test_of_a_long_module_what_nothing_mentions_is_named_alone(shop, context):
    """Seventy helpers with their docs would be half of every prompt."""
    helper = 'def helper_{0}(value):\n    """{1}"""\n    return value\n\n\nclass Other{0}(Exception):\n    """{1}"""\n'
    with (shop / "src/shop/prices.py").open("a") as file:
        file.writelines("\n\n" + helper.format(number, "What it does. " * 10) for number in range(9))
    prompt = context("gross").prompt
    assert "def helper_1(value): ...\nclass Other1(Exception): ...\n" in prompt
    assert "What it does" not in prompt


def test_of_many_functions_those_that_share_no_word_with_the_focus_are_named_alone(shop, context):
    """Of sixty signatures new code calls hardly one."""
    others = "".join(f"def helper_{number}(value: int, other: str): return value\n" for number in range(60))
    shop.write({
        "src/shop/prices.py": 'def net(cents):\n    """What is left of the gross cents."""\n    ...\n\n'
        f"def gross_of(cents): return cents\n\n{others}"
    })  # fmt: skip
    lines = context("net").helpers.splitlines()
    assert lines[0] == "def gross_of(cents): ..."
    assert lines[-1].startswith("# and helper_0, helper_1, ")
    assert "def helper_0" not in context("net").helpers


def test_what_sets_a_modules_state_is_shown_to_who_writes_cases(shop, context):
    """Nothing else brings about what a function does by that state; what sets its own variables is no such."""
    shop.write({
        "src/shop/prices.py": "_now = {}\n\ndef use(rate):\n    _now['rate'] = rate\n\n"
        "def local(rate):\n    _now = {}\n    _now['rate'] = rate\n\n"
        'def net(cents):\n    """Net by the rate in use."""\n    ...\n'
    })  # fmt: skip
    prompt = context("net").prompt
    assert "def use(rate):" in prompt
    assert "def local(" not in prompt


def test_a_class_called_like_a_parameter_is_shown(shop, context):
    """Where the parameter has no annotation, and one class of the project alone has the name."""
    shop.write({"src/shop/prices.py": 'def net(line, kind: object):\n    """Net."""\n    ...\n'})
    assert "class Line:" in context("net").prompt


def test_a_function_that_docs_name_as_code_is_shown_wherever_it_stands(shop, context):
    """As a class is; a word of prose, and what only tests have, is none."""
    (shop / "src/shop/rounding.py").write_text('def half_up(value):\n    """Half up."""\n\ndef likely(): ...\n')
    (shop / "tests/test_more.py").write_text("def checked(): ...\n")
    text = (shop / "src/shop/prices.py").read_text()
    shop.write({"src/shop/prices.py": text.replace("rounded half up.", "likely, like ``half_up``, not `checked`.")})
    prompt = context("gross").prompt
    assert '# module shop.rounding\n\ndef half_up(value):\n    """Half up."""' in prompt
    assert "def likely" not in prompt
    assert "def checked" not in prompt


def test_a_private_constant_without_a_value_is_left_out(shop, context):
    """So is a class's name that is given another value; a public constant is at least told to be there."""
    text = (shop / "src/shop/prices.py").read_text()
    table = "object() if len([{'a': lambda: 0} for number in range(9) for other in range(9) if number < other]) else 0"
    more = f"_table = {table} or {table}\nBasket = {table} or {table}\nTABLE = {table} or {table}\n"
    shop.write({"src/shop/prices.py": f"{text}\n\n{more}"})
    prompt = context("gross").prompt
    assert "TABLE = ..." in prompt
    assert "_table" not in prompt
    assert "Basket = ..." not in prompt


def test_a_docstring_of_code_beside_stands_once(shop, context):
    """With the project, where it does."""
    doc = '"""What is done.\n\n    With care.\n    """\n'
    net = 'def net(cents):\n    """As `done` has it."""\n    ...\n'
    shop.write({"src/shop/prices.py": f"def done(x):\n    {doc}    return x\n\n{net}"})
    assert "With care." in context("net").prompt
    assert context("net").code == 'def done(x):\n    """…"""\n    return x\n'


def test_helpers_called_alike_have_little_room(shop, context):
    """Those with the most words in common come first."""
    body = f"    return '{'x' * 900}'\n\n"
    names = [*(f"_row_{number}" for number in range(5)), "_html_row_line"]
    functions = "".join(f"def {name}():\n{body}" for name in names)
    uses = f"USED = [{', '.join(names)}]\n"
    shop.write({"src/shop/prices.py": f'{functions}{uses}def row_line():\n    """A line."""\n    ...\n'})
    shown = [line for line in context("row_line").code.splitlines() if line.startswith("def ")]
    assert shown == ["def _row_0():", "def _html_row_line():"]


def test_imports_that_nothing_uses_are_told_beside_the_code(shop, context):
    """They are likely for the body that is missing; those for the compiler are for nothing."""
    path = shop / "src/shop/prices.py"
    path.write_text(path.read_text().replace("from shop", "import warnings\nfrom shop", 1))
    assert "# imported by the module, and used by nothing there yet: " in context("gross").code
    told = next(line for line in context("gross").code.splitlines() if line.startswith("# imported"))
    assert "warnings" in told
    assert "annotations" not in told
    path.write_text(path.read_text() + '\n\n__all__ = ["warnings"]\n')
    assert "warnings" not in context("gross").code.partition("# imported")[2]


def test_imports_that_a_module_gives_on_are_not_told_as_unused(shop, context):
    """Another module imports them from there."""
    path = shop / "src/shop/prices.py"
    path.write_text(path.read_text().replace("from shop", "import warnings\nfrom shop", 1))
    (shop / "src/shop/till.py").write_text("from shop.prices import warnings\n")
    assert "# imported" not in context("gross").code


def test_values_that_new_code_may_need_are_shown_whole(shop, context):
    """Of constants that docs name, that a helper shown uses, or that nothing uses."""
    rows = "".join(f"    'key {number}': lambda value: value * {number},\n" for number in range(9))
    path = shop / "src/shop/prices.py"
    used = f"USED = {{\n{rows}}}\n"
    lines = f"RATE = 20\n{used}UNUSED = {{\n{rows}}}\nNAMED = {{\n{rows}}}\nLONG = [{'1000, ' * 999}]\n"
    text = path.read_text().replace("RATE = 20\n", lines).replace('"""The sum', '"""As `NAMED` has it. The sum')
    path.write_text(f"{text}\n\nFIRST = USED['key 1'], NAMED\n")
    code = context("gross").code
    assert code.startswith(f"UNUSED = {{\n{rows}}}\n\nNAMED = {{\n{rows}}}\n")
    assert "LONG" not in code
    assert "USED = {\n" not in code.replace("UNUSED", "")
    path.write_text(path.read_text().replace("return int(cents + 0.5)", "return int(USED['key 1'](cents) + 0.5)"))
    assert used in context("gross").code.replace("UNUSED", "")
