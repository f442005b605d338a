from datetime import date
from decimal import Decimal

import pytest

import solution
from solution import Posting, Transaction

BOOKS = """\
2024-03-01 Membership fees
  cash 120.00
  income

2024-03-05 Boards and clocks
  equipment 80.50
  fees 1.50
  cash -82.00
"""


def transaction(*amounts):
    postings = tuple(Posting(f"a{n}", None if amount is None else Decimal(amount)) for n, amount in enumerate(amounts))
    return Transaction(date(2024, 1, 1), "Test", postings)


def test_parse():
    first, second = solution.parse_journal(BOOKS)
    assert first == Transaction(
        date(2024, 3, 1), "Membership fees", (Posting("cash", Decimal("120.00")), Posting("income", None))
    )
    assert second.day == date(2024, 3, 5)
    assert second.postings[2] == Posting("cash", Decimal("-82.00"))


def test_parse_keeps_the_order_of_the_file():
    text = "2024-03-02 B\n a 1.00\n b\n2024-03-01 A\n a 1.00\n b"
    assert [one.description for one in solution.parse_journal(text)] == ["B", "A"]


def test_parse_does_not_balance():
    assert len(solution.parse_journal("2024-03-02 B\n a 1.00\n b 5.00\n\n2024-03-02 C\n")) == 2


def test_parse_empty():
    assert solution.parse_journal("\n  \n") == []


@pytest.mark.parametrize(
    "text",
    [
        " cash 1.00\n2024-03-01 X",
        "2024-02-30 X\n a 1.00\n b",
        "2024-03-01\n a 1.00\n b",
        "2024-03-01 X\n a 1.0\n b",
        "2024-03-01 X\n a 1\n b",
        "2024-03-01 X\na 1.00\n b",
        "2024-03-01 X\n a b 1.00\n b",
        "Hello",
    ],
)
def test_parse_error(text):
    with pytest.raises(solution.LedgerError):
        solution.parse_journal(text)


def test_error_kind():
    assert issubclass(solution.LedgerError, ValueError)


def test_complete_fills_in():
    found = solution.complete(transaction("80.50", None, "1.50"))
    assert found == transaction("80.50", "-82.00", "1.50")


def test_complete_with_zero():
    assert solution.complete(transaction("5.00", "-5.00", None)).postings[2].amount == 0


def test_complete_leaves_what_is_complete():
    assert solution.complete(transaction("5.00", "-5.00")) == transaction("5.00", "-5.00")


@pytest.mark.parametrize("amounts", [(), ("0.00",), (None,), ("5.00", None, None), ("5.00", "-4.99"), (None, None)])
def test_complete_error(amounts):
    with pytest.raises(solution.LedgerError):
        solution.complete(transaction(*amounts))


def test_balances():
    found = solution.balances(BOOKS, date(2024, 12, 31))
    assert list(found.items()) == [
        ("cash", Decimal("38.00")),
        ("equipment", Decimal("80.50")),
        ("fees", Decimal("1.50")),
        ("income", Decimal("-120.00")),
    ]


def test_balances_until_is_inclusive():
    assert "fees" in solution.balances(BOOKS, date(2024, 3, 5))
    assert solution.balances(BOOKS, date(2024, 3, 4)) == {"cash": Decimal("120.00"), "income": Decimal("-120.00")}


def test_balances_before_everything():
    assert solution.balances(BOOKS, date(2024, 2, 29)) == {}


def test_balances_without_zero():
    text = "2024-01-01 A\n b 1.00\n a -1.00\n2024-01-02 B\n a 1.00\n c -1.00"
    assert solution.balances(text, date(2024, 1, 2)) == {"b": Decimal("1.00"), "c": Decimal("-1.00")}


def test_balances_check_later_transactions():
    with pytest.raises(solution.LedgerError):
        solution.balances(BOOKS + "2025-01-01 Bad\n a 1.00\n b 1.00\n", date(2024, 3, 5))


def test_register():
    assert solution.register(BOOKS, "cash") == [
        "2024-03-01 Membership fees 120.00 120.00",
        "2024-03-05 Boards and clocks -82.00 38.00",
    ]
    assert solution.register(BOOKS, "income") == ["2024-03-01 Membership fees -120.00 -120.00"]
    assert solution.register(BOOKS, "nothing") == []


def test_register_by_date_then_file():
    text = "2024-01-03 C\n a 1.00\n b\n2024-01-02 Z\n a 2.00\n b\n2024-01-02 A\n a 3.00\n b\n2024-01-02 M\n a 4.00\n b"
    assert solution.register(text, "a") == [
        "2024-01-02 Z 2.00 2.00",
        "2024-01-02 A 3.00 5.00",
        "2024-01-02 M 4.00 9.00",
        "2024-01-03 C 1.00 10.00",
    ]


def test_register_sums_within_a_transaction():
    text = "2024-01-01 X\n a 1.00\n b 4.00\n a 2.00\n c\n2024-01-02 Y\n a 1.00\n a -1.00"
    assert solution.register(text, "a") == ["2024-01-01 X 3.00 3.00", "2024-01-02 Y 0.00 3.00"]


def test_register_of_unsound_books():
    with pytest.raises(solution.LedgerError):
        solution.register(BOOKS + "2025-01-01 Bad\n x 1.00\n y 1.00\n", "cash")
