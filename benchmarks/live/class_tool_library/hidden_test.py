import pytest

import solution
from solution import Member, Tool, ToolLibrary


@pytest.fixture
def library():
    library = ToolLibrary()
    for code, title in (("D1", "drill"), ("S1", "saw"), ("L1", "ladder")):
        library.add(Tool(code, title))
    return library


@pytest.fixture
def ada():
    return Member("Ada")


@pytest.fixture
def bo():
    return Member("Bo")


@pytest.fixture
def cy():
    return Member("Cy")


def refused(call, reason):
    with pytest.raises(solution.Refused) as caught:
        call()
    assert caught.value.reason == reason
    assert str(caught.value) == reason


def test_tool_and_member(ada):
    tool = Tool("D1", "drill")
    assert (tool.code, tool.title) == ("D1", "drill")
    assert (ada.name, ada.limit, ada.debt, ada.tools) == ("Ada", 2, 0, [])
    assert Member("Bo", 5).limit == 5


def test_add_twice(library, ada):
    library.lend("D1", ada, 0)
    with pytest.raises(ValueError):
        library.add(Tool("D1", "dowel"))
    assert library.give_back("D1", 1) is None


def test_lend_and_give_back(library, ada, bo):
    assert library.lend("S1", ada, 100) == 107
    assert library.lend("D1", ada, 101) == 108
    assert ada.tools == ["S1", "D1"]
    assert library.give_back("S1", 107) is None
    assert (ada.tools, ada.debt) == (["D1"], 0)
    assert library.lend("S1", bo, 107) == 114
    assert (ada.tools, bo.tools) == (["D1"], ["S1"])


def test_tools_is_a_new_list(library, ada):
    library.lend("S1", ada, 0)
    ada.tools.clear()
    assert ada.tools == ["S1"]


def test_late(library, ada):
    library.lend("S1", ada, 0)
    library.lend("D1", ada, 0)
    library.give_back("S1", 8)
    assert ada.debt == 50
    library.give_back("D1", 10)
    assert ada.debt == 200
    assert ada.tools == []


def test_pay(library, ada):
    library.lend("S1", ada, 0)
    library.give_back("S1", 9)
    for cents in (0, -5, 101):
        with pytest.raises(ValueError):
            ada.pay(cents)
        assert ada.debt == 100
    ada.pay(60)
    refused(lambda: library.lend("S1", ada, 9), "debt")
    ada.pay(40)
    assert ada.debt == 0
    assert library.lend("S1", ada, 9) == 16


def test_limit(library, ada):
    library.lend("D1", ada, 0)
    library.lend("S1", ada, 0)
    refused(lambda: library.lend("L1", ada, 0), "limit")
    assert ada.tools == ["D1", "S1"]
    library.give_back("D1", 0)
    assert library.lend("L1", ada, 0) == 7


def test_on_loan(library, ada, bo):
    library.lend("D1", ada, 0)
    refused(lambda: library.lend("D1", bo, 1), "on loan")
    refused(lambda: library.lend("D1", ada, 1), "on loan")
    assert bo.tools == []


def test_reserve(library, ada, bo, cy):
    library.lend("D1", ada, 0)
    assert [library.reserve("D1", bo), library.reserve("D1", cy)] == [1, 2]
    assert library.waiting("D1") == ["Bo", "Cy"]
    assert library.waiting("S1") == []
    assert library.give_back("D1", 3) == "Bo"
    assert library.waiting("D1") == ["Bo", "Cy"]


def test_first_in_line_gets_it(library, ada, bo, cy):
    library.lend("D1", ada, 0)
    library.reserve("D1", bo)
    library.reserve("D1", cy)
    library.give_back("D1", 3)
    refused(lambda: library.lend("D1", cy, 3), "reserved")
    refused(lambda: library.lend("D1", ada, 3), "reserved")
    assert library.waiting("D1") == ["Bo", "Cy"]
    assert library.lend("D1", bo, 4) == 11
    assert library.waiting("D1") == ["Cy"]
    assert library.give_back("D1", 5) == "Cy"
    assert library.lend("D1", cy, 5) == 12
    assert library.give_back("D1", 6) is None
    assert library.lend("D1", ada, 6) == 13


def test_refused_first_in_line_stays_there(library, ada, bo):
    library.lend("S1", bo, 0)
    library.lend("D1", ada, 0)
    library.reserve("D1", bo)
    library.give_back("D1", 1)
    library.give_back("S1", 8)
    refused(lambda: library.lend("D1", bo, 8), "debt")
    assert library.waiting("D1") == ["Bo"]
    bo.pay(50)
    assert library.lend("D1", bo, 8) == 15
    assert library.waiting("D1") == []


def test_reserve_refused(library, ada, bo, cy):
    refused(lambda: library.reserve("D1", ada), "available")
    library.lend("D1", ada, 0)
    refused(lambda: library.reserve("D1", ada), "own loan")
    library.reserve("D1", bo)
    refused(lambda: library.reserve("D1", bo), "already waiting")
    library.give_back("D1", 1)
    refused(lambda: library.reserve("D1", bo), "already waiting")
    assert library.reserve("D1", ada) == 2
    assert library.reserve("D1", cy) == 3
    assert library.waiting("D1") == ["Bo", "Ada", "Cy"]


def test_reserving_with_debt_and_at_the_limit(library, ada):
    bo = Member("Bo", 1)
    library.lend("L1", bo, 0)
    library.give_back("L1", 9)
    library.lend("D1", ada, 9)
    assert bo.debt == 100
    assert library.reserve("D1", bo) == 1
    library.give_back("D1", 9)
    bo.pay(100)
    library.lend("S1", bo, 9)
    refused(lambda: library.lend("D1", bo, 9), "limit")
    assert library.waiting("D1") == ["Bo"]


def test_not_on_loan(library, ada):
    refused(lambda: library.give_back("D1", 0), "not on loan")
    library.lend("D1", ada, 0)
    library.give_back("D1", 1)
    refused(lambda: library.give_back("D1", 90), "not on loan")
    assert ada.debt == 0


def test_unknown_code(library, ada):
    for call in (
        lambda: library.lend("X9", ada, 0),
        lambda: library.give_back("X9", 0),
        lambda: library.reserve("X9", ada),
        lambda: library.waiting("X9"),
    ):
        with pytest.raises(LookupError):
            call()
