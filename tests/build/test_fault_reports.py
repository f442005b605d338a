"""Charges are few: one of each caller against a function, two against it in all."""

from __future__ import annotations

from tdgen.build import DependencyFault, FaultReports


def test_a_caller_charges_a_function_once():
    """A second time it has to live with what came of it."""
    fault_reports = FaultReports()
    assert not fault_reports
    assert fault_reports.bring(DependencyFault("top", "base", ()))
    assert fault_reports
    assert not fault_reports.admits("top", "base")
    assert not fault_reports.bring(DependencyFault("top", "base", ()))
    assert fault_reports.admits("top", "other")


def test_a_function_is_charged_twice_at_most():
    """Whoever does it."""
    fault_reports = FaultReports()
    assert [fault_reports.bring(DependencyFault(name, "base", ())) for name in ("a", "b", "c")] == [True, True, False]
    assert not fault_reports.admits("d", "base")
