"""Charges are few: one of each caller against a function, two against it in all."""

from __future__ import annotations

from tdgen.build import Charge, Docket


def test_a_caller_charges_a_function_once():
    """A second time it has to live with what came of it."""
    docket = Docket()
    assert not docket
    assert docket.bring(Charge("top", "base", ()))
    assert docket
    assert not docket.admits("top", "base")
    assert not docket.bring(Charge("top", "base", ()))
    assert docket.admits("top", "other")


def test_a_function_is_charged_twice_at_most():
    """Whoever does it."""
    docket = Docket()
    assert [docket.bring(Charge(name, "base", ())) for name in ("a", "b", "c")] == [True, True, False]
    assert not docket.admits("d", "base")
