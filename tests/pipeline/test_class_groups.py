"""Two classes that need each other are planned, ordered, built and judged together."""

from __future__ import annotations

import pytest

CUSTOMER = '''
class Customer:
    """Who orders; knows its orders."""

    name: str

    def __init__(self, name: str) -> None: ...

    def order(self, cents: int) -> Order: ...

    @property
    def orders(self) -> list[Order]: ...

    def spent(self) -> int: ...
'''
ORDER = '''
class Order:
    """What a customer orders; knows who ordered it."""

    customer: Customer
    cents: int

    def __init__(self, customer: Customer, cents: int) -> None: ...

    def share(self) -> float: ...
'''
RIGHT_CUSTOMER = '''
class Customer:
    """Who orders; knows its orders."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._orders: list[Order] = []

    def order(self, cents: int) -> Order:
        """Order for so many cents."""
        made = Order(self, cents)
        self._orders.append(made)
        return made

    @property
    def orders(self) -> list[Order]:
        """All orders."""
        return list(self._orders)

    def spent(self) -> int:
        """What all orders cost."""
        return sum(one.cents for one in self._orders)
'''
RIGHT_ORDER = '''
class Order:
    """What a customer orders; knows who ordered it."""

    def __init__(self, customer: Customer, cents: int) -> None:
        self.customer = customer
        self.cents = cents

    def share(self) -> float:
        """Its part of what the customer spent."""
        return self.cents / self.customer.spent()
'''


@pytest.fixture
def customer(write):
    def written(*tries):
        ann = "ann = Customer('Ann')"
        cases = [
            write.returns("ann.name", "'Ann'", name="name", setup=ann),
            write.returns("ann.spent()", "0", name="nothing", setup=ann),
            write.returns("ann.spent()", "5", name="spent", setup=f"{ann}\nann.order(2)\nann.order(3)"),
            write.returns(
                "[one.cents for one in ann.orders]", "[2, 3]", name="orders", setup=f"{ann}\nann.order(2)\nann.order(3)"
            ),
            write.returns("ann.orders", "[Order(cents=2)]", name="circular", setup=f"{ann}\nann.order(2)"),
            write.returns(
                "[made.cents, made.customer is ann]", "[7, True]", name="knows", setup=f"{ann}\nmade = ann.order(7)"
            ),
        ]
        return write.klass(CUSTOMER, cases=cases, tries=tries or [RIGHT_CUSTOMER])

    return written


@pytest.fixture
def order(write):
    def written(*tries):
        ann = "ann = Customer('Ann')\none = ann.order(2)"
        cases = [
            write.returns("one.share()", "1.0", name="all", setup=ann),
            write.returns("one.share()", "0.25", name="part", setup=f"{ann}\nann.order(6)"),
            write.returns("one.customer.name", "'Ann'", name="whose", setup=ann),
            write.returns("one.cents", "2", name="cents", setup=f"{ann}\nann.order(6)\nann.order(6)"),
        ]
        return write.klass(ORDER, cases=cases, tries=tries or [RIGHT_ORDER])

    return written


@pytest.mark.parametrize("trust", ["quick", "standard", "strict"])
def test_two_classes_that_need_each_other_are_one_group(solver, customer, order, trust):
    """As their signatures say: authors and developers see the other's interface, and both are judged in one module."""
    readings = [RIGHT_CUSTOMER + RIGHT_ORDER] * 3
    solved = solver.solve(customer(), order(), settings={"trust": trust}, readings=readings)
    assert solved.solution.all_tests_passed, [result.reason for result in solved.solution.results]
    assert solved.solution.plan.spec("Order").dependencies == ("Customer",)
    for purpose in ("cases", "implement"):
        assert "def share(self) -> float" in solved.prompts(purpose, "Customer")[0]
        assert "def spent(self) -> int" in solved.prompts(purpose, "Order")[0]


def test_a_fault_in_one_is_repaired_in_that_one(solver, customer, order):
    """Its own cases tell it; the other's code stays."""
    wrong = RIGHT_CUSTOMER.replace("self._orders.append(made)", "pass")
    solved = solver.solve(customer(wrong, RIGHT_CUSTOMER), order())
    assert solved.solution.all_tests_passed, [result.reason for result in solved.solution.results]
    assert len(solved["Customer"].history) == 2
    assert len(solved["Order"].history) == 1


GRAPH = """
class Graph:
    def __init__(self) -> None: ...

    def node(self, name: str) -> int: ...

    def edges(self) -> int: ...
"""
NODE = """
class Node:
    def __init__(self, name: str) -> None: ...

    def joins(self) -> int: ...
"""


def test_what_no_signature_names_a_planner_says(solver, write):
    """Each class names the other among its dependencies."""
    graph = write.klass(
        GRAPH,
        uses=["Node"],
        cases=[
            write.returns("graph.node('a')", "0", name="first", setup="graph = Graph()"),
            write.returns(
                "graph.edges()", "1", name="second", setup="graph = Graph()\ngraph.node('a')\ngraph.node('b')"
            ),
        ],
        tries=[
            """
            class Graph:
                def __init__(self):
                    self._nodes = []

                def node(self, name):
                    self._nodes.append(Node(name))
                    return len(self._nodes) - 1

                def edges(self):
                    return len(self._nodes) - 1
            """
        ],
    )
    node = write.klass(
        NODE,
        uses=["Graph"],
        cases=[
            write.returns("Node('a').joins()", "0", name="alone"),
            write.returns("Node('').joins()", "0", name="no"),
        ],
        tries=[
            """
            class Node:
                def __init__(self, name):
                    self._name = name

                def joins(self):
                    graph = Graph()
                    graph.node(self._name)
                    return graph.edges()
            """
        ],
    )
    solved = solver.solve(graph, node)
    assert solved.solution.all_tests_passed, [result.reason for result in solved.solution.results]
    assert "class Graph:" in solved.prompts("implement", "Node")[0]
