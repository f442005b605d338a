"""Classes in JavaScript and TypeScript: objects stay on the other side, cases make, call and read them as in Python."""

from __future__ import annotations

import pytest

from tdgen.errors import PlanError
from tdgen.languages.javascript import JavaScript
from tdgen.types import FunctionSpec, Plan, Returns
from tdgen.types.interface import ClassInterface, Method
from tests.languages.conftest import outcomes
from tests.languages.test_javascript_way import ran
from tests.scripted import with_answer

SKELETON = '''
class Purse:
    """Coins in a purse."""

    owner: str

    def __init__(self, owner: str, most: int = 10) -> None: ...
    def put(self, *coins: int) -> int: ...
    def take(self, coin: int) -> "Purse": ...
    @property
    def total(self) -> int: ...
    @classmethod
    def of(cls, coins: list[int]) -> "Purse": ...
    async def wait(self, seconds: float = 1.0) -> bool: ...
'''
PURSE = """class Purse {
  #coins = [];
  constructor(owner, most = 10) {
    this.owner = owner;
    this.most = most;
  }
  put(...coins) {
    if (this.#coins.length + coins.length > this.most) throw new ValueError("full");
    this.#coins.push(...coins);
    return this.#coins.length;
  }
  take(coin) {
    const place = this.#coins.indexOf(coin);
    if (place < 0) throw new KeyError(String(coin));
    this.#coins.splice(place, 1);
    return this;
  }
  get total() {
    return this.#coins.reduce((sum, one) => sum + one, 0);
  }
  static of(coins) {
    const made = new Purse("nobody");
    made.put(...coins);
    return made;
  }
  async wait(seconds = 1) {
    await new Promise((done) => setTimeout(done, seconds * 1000));
    return true;
  }
}"""
TYPED = (
    PURSE.replace("#coins = []", "#coins: number[] = [];\n  owner: string;\n  most: number")
    .replace("(owner, most", "(owner: string, most: number")
    .replace("put(...coins)", "put(...coins: number[]): number", 1)
    .replace("take(coin)", "take(coin: number): Purse")
    .replace("get total()", "get total(): number")
    .replace("of(coins)", "of(coins: Array<number>): Purse")
    .replace("wait(seconds = 1)", "wait(seconds: number = 1): Promise<boolean>")
)


def purse(write, *tries, **more):
    """A class with state, errors, a property, a static method and an async one."""
    setup = "p = Purse('Ann')\np.put(1, 2, 5)"
    cases = [
        write.returns("p.total", "8", setup=f"{setup}\np.put(7)\np.take(7)"),
        write.returns("p.put(1)", "4", setup=setup, observe={"after": [{"expression": "p.total", "value": "9"}]}),
        write.raises(
            "p.take(1)",
            "KeyError",
            setup=f"{setup}\np.take(1)\np.put(4)",
            observe={"after": [{"expression": "p.total", "value": "11"}]},
        ),
        write.returns("p.take(2) is p", "True", setup=f"{setup}\np.put(2)\np.take(2)"),
        write.returns("Purse.of([3, 4]).total", "7"),
        write.returns("p.owner", "'Bob'", setup=f"{setup}\np.owner = 'Bob'"),
        write.raises("Purse('x', most=0).put(1)", "ValueError"),
        write.returns("asyncio.run(Purse('x').wait())", "True"),
    ]
    return write.klass(SKELETON, **{"cases": cases, "tries": tries, "raises": ["KeyError", "ValueError"]} | more)


def test_a_class_is_repaired_and_green(in_javascript, write, js):
    """Red on a class that nothing can be made of; a wrong method is told, and the second attempt is green."""
    wrong = js(PURSE.replace("sum + one, 0", "sum + one, 1"))
    solved = in_javascript(purse(write, wrong, js(PURSE)))
    assert (solved["Purse"].outcome, len(solved["Purse"].history)) == ("green", 2)
    assert (
        "put(...coins) { … } // ...coins: Array<number (whole)>; gives number (whole)" in solved.prompts("implement")[0]
    )
    assert "9, expected 8" in solved.prompts("repair")[0]


def test_a_class_with_types(in_typescript, write, ts):
    """The same in TypeScript: its members' heads have types."""
    solved = in_typescript(purse(write, ts(TYPED)))
    assert solved["Purse"].outcome == "green"
    for head in ("owner: string;", "put(...coins: Array<number>): number {", "static of(coins: Array<number>): Purse"):
        assert head in solved.prompts("implement")[0]


def test_what_is_written_tests_objects_too(in_javascript, write, js, node_sandbox):
    """Setups, errors, what holds after them, properties, identity and promises are said in the language's own tests."""
    files = in_javascript(purse(write, js(PURSE))).solution.files()
    assert "can't be said" not in files["kit.test.mjs"]
    assert "assert.throws(() => p.take(1), KeyError);\n  {\n    const actual = p.total;" in files["kit.test.mjs"]
    wrong = {**files, "kit.mjs": files["kit.mjs"].replace('ValueError("full")', 'KeyError("full")')}
    code, log = ran(node_sandbox, wrong, ["/usr/bin/node", "--test"])
    assert (code, "# pass 7" in log, "# fail 1" in log) == (1, True, True), log
    assert 'instance of "ValueError". Received "KeyError"' in log


CLASSES = {
    "class Bag:\n    def __len__(self) -> int: ...": "JavaScript has no __len__: plan a method of a plain name",
    "class Bag(list):\n    def put(self) -> int: ...": "the base list can't be had in JavaScript",
    "class Bag:\n    def put(self, **named: int) -> int: ...": "no abstract methods and no ** parameters",
    "class Bag:\n    def put(self, f: Callable[[int], int]) -> int: ...": "Callable has no counterpart in JavaScript",
}


@pytest.mark.parametrize("skeleton", CLASSES)
def test_a_class_that_it_can_not_write_goes_back(in_javascript, solver, write, skeleton):
    """Each is named to the planner, with what to plan instead."""
    model = solver.model(write.klass(skeleton))
    model = with_answer(model, "plan", model._script.answers[0].text, attempt=2)
    with pytest.raises(PlanError) as error:
        in_javascript(text="Write Bag.", model=model)
    assert CLASSES[skeleton] in str(error.value)


def test_objects_of_several_classes(node_sandbox):
    """An object that is given, kept and given back is the same one; a subclass has what its base has."""
    plan = Plan(
        module="kit",
        functions=(
            unit("Shape", "def __init__(self, name: str)", "def label(self) -> str"),
            unit("Box", "def area(self) -> int", bases=("Shape",)),
            unit(
                "Pile", "def add(self, box: Box) -> None", "def top(self) -> Box | None", "def all(self) -> list[Box]"
            ),
        ),
    )
    source = {
        "Shape": "class Shape { constructor(name) { this.name = name; } label() { return this.name; } }",
        "Box": "class Box extends Shape { area() { return 4; } }",
        "Pile": "class Pile { #all = []; add(box) { this.#all.push(box); } top() { return this.#all.at(-1) ?? null; } "
        "all() { return this.#all; } }",
    }
    setup = "[p := Pile(), b := Box('b'), p.top(), p.add(b)]"
    calls = (
        f"{setup}[2]",
        f"({setup}, p.top() is b, p.all()[0] is b, b.label(), b.area(), isinstance(b, Shape))[1:]",
        "Pile().add(3)",
        "Box()",
        "Pile().missing",
    )
    told = outcomes(node_sandbox, JavaScript().module(plan, source, ""), calls, memory_mb=2048)
    assert told[:2] == ["returned None", "returned (True, True, 'b', 4, True)"]
    assert told[2] == "returned None"  # JavaScript does not mind: what is given is not checked by the bridge
    assert "missing 1 required positional argument" in told[3]
    assert "AttributeError" in told[4]


def unit(name: str, *signatures: str, bases: tuple[str, ...] = ()) -> FunctionSpec:
    """A class of these methods."""
    interface = ClassInterface(bases=bases, methods=tuple(Method(signature=one) for one in signatures))
    return FunctionSpec(name=name, purpose="", parameters=(), returns=Returns(type="None"), interface=interface)


def test_a_constructor_that_gives_another_thing(node_sandbox):
    """It is an exception that no case expects, not one that Python's own attributes would raise."""
    plan = Plan(module="kit", functions=(unit("Bag", "def one(self) -> int"),))
    source = "class Bag { constructor() { return { one: () => 1 }; } one() { return 1; } }"
    (told,) = outcomes(node_sandbox, JavaScript().module(plan, {"Bag": source}, ""), ["Bag()"], memory_mb=2048)
    assert told == "raised thrown.NotMade: its constructor gives no object of the class"


HOSTILE = {
    "gives an object that was never made": "return { __proto__: Bag.prototype };",
    "hides the object behind a proxy": "return new Proxy(this, { get: () => 9, getPrototypeOf: () => Bag.prototype });",
    "gives its class another constructor": "Bag.prototype.constructor = Object; return this;",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_an_object_that_is_none_says_nothing(node_sandbox, name):
    """What its methods give is what they do: no number of an object can be forged, and nothing else is reached."""
    plan = Plan(module="kit", functions=(unit("Bag", "def me(self) -> Bag", "def one(self) -> int"),))
    source = f"class Bag {{ #n = 1; me() {{ {HOSTILE[name]} }} one() {{ return this.#n; }} }}"
    module = JavaScript().module(plan, {"Bag": source}, "")
    told, after = outcomes(node_sandbox, module, ("Bag().me().one()", "Bag().one()"), memory_mb=2048)
    assert told != "returned 1"
    assert after == "returned 1"
