from datetime import date
from decimal import Decimal

import pytest

import solution
from solution import Closures, Loan

# 2024-05-06 is a Monday
NEVER = Closures(frozenset(), frozenset())
SUNDAYS = Closures(frozenset({6}), frozenset())
WEEKEND = Closures(frozenset({5, 6}), frozenset({date(2024, 5, 13)}))
RATE, CAP = Decimal("0.20"), Decimal("5")


def test_is_open():
    assert solution.is_open(date(2024, 5, 10), WEEKEND) is True
    assert solution.is_open(date(2024, 5, 11), WEEKEND) is False
    assert solution.is_open(date(2024, 5, 13), WEEKEND) is False


def test_due_date_counts_closed_days():
    assert solution.due_date(date(2024, 5, 6), 14, WEEKEND) == date(2024, 5, 20)


def test_due_date_moves_on():
    assert solution.due_date(date(2024, 5, 6), 6, SUNDAYS) == date(2024, 5, 13)


def test_due_date_moves_over_several():
    assert solution.due_date(date(2024, 5, 6), 5, WEEKEND) == date(2024, 5, 14)


def test_due_date_zero_days():
    assert solution.due_date(date(2024, 5, 6), 0, NEVER) == date(2024, 5, 6)


def test_overdue_none():
    assert solution.overdue_days(date(2024, 5, 10), date(2024, 5, 10), NEVER) == 0
    assert solution.overdue_days(date(2024, 5, 10), date(2024, 5, 1), NEVER) == 0


def test_overdue_includes_the_return():
    assert solution.overdue_days(date(2024, 5, 6), date(2024, 5, 7), NEVER) == 1
    assert solution.overdue_days(date(2024, 5, 6), date(2024, 5, 10), NEVER) == 4


def test_overdue_skips_closed():
    assert solution.overdue_days(date(2024, 5, 10), date(2024, 5, 15), WEEKEND) == 2


def test_overdue_returned_on_a_closed_day():
    assert solution.overdue_days(date(2024, 5, 10), date(2024, 5, 12), WEEKEND) == 0


@pytest.mark.parametrize(("day", "amount"), [(6, "0.00"), (7, "0.00"), (8, "0.00"), (9, "0.60"), (10, "0.80")])
def test_fine_leniency(day, amount):
    found = solution.fine(date(2024, 5, 6), date(2024, 5, day), NEVER, RATE, CAP)
    assert found == Decimal(amount)
    assert str(found) == amount


def test_leniency_is_of_open_days():
    assert str(solution.fine(date(2024, 5, 10), date(2024, 5, 15), WEEKEND, RATE, CAP)) == "0.00"
    assert str(solution.fine(date(2024, 5, 10), date(2024, 5, 16), WEEKEND, RATE, CAP)) == "0.60"


def test_cap():
    assert str(solution.fine(date(2024, 5, 1), date(2024, 5, 26), NEVER, RATE, CAP)) == "5.00"
    assert str(solution.fine(date(2024, 5, 1), date(2024, 5, 25), NEVER, RATE, CAP)) == "4.80"
    assert str(solution.fine(date(2024, 5, 1), date(2024, 5, 31), NEVER, RATE, CAP)) == "5.00"


def test_half_up():
    assert str(solution.fine(date(2024, 5, 1), date(2024, 5, 4), NEVER, Decimal("0.015"), CAP)) == "0.05"
    assert str(solution.fine(date(2024, 5, 1), date(2024, 5, 6), NEVER, Decimal("0.005"), CAP)) == "0.03"
    assert str(solution.fine(date(2024, 5, 1), date(2024, 5, 6), NEVER, Decimal("0.125"), CAP)) == "0.63"


def test_statement():
    loans = [
        Loan("Dune", date(2024, 5, 1), date(2024, 5, 11)),
        Loan("Emma", date(2024, 5, 1), None),
        Loan("Kim", date(2024, 5, 1), date(2024, 5, 8)),
    ]
    found = solution.statement(loans, 7, NEVER, RATE, CAP, date(2024, 5, 12))
    assert found == "Emma: 0.80\nDune: 0.60\ntotal: 1.40"


def test_statement_ties_keep_the_order():
    loans = [Loan(title, date(2024, 5, 1), None) for title in "CAB"]
    found = solution.statement(loans, 7, NEVER, RATE, CAP, date(2024, 5, 12))
    assert found == "C: 0.80\nA: 0.80\nB: 0.80\ntotal: 2.40"


def test_statement_of_nothing():
    assert solution.statement([], 7, NEVER, RATE, CAP, date(2024, 5, 12)) == "total: 0.00"


def test_statement_without_fines():
    loans = [Loan("Dune", date(2024, 5, 1), date(2024, 5, 10))]
    assert solution.statement(loans, 7, NEVER, RATE, CAP, date(2024, 6, 12)) == "total: 0.00"


def test_statement_moves_the_due_date():
    # due on Saturday 11 May, moved to Tuesday 14 May
    loans = [Loan("Dune", date(2024, 5, 6), date(2024, 5, 17))]
    assert solution.statement(loans, 5, WEEKEND, RATE, CAP, date(2024, 6, 1)) == "Dune: 0.60\ntotal: 0.60"
