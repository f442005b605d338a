import pytest

import solution
from solution import ReviewError, ReviewGate


def merged():
    gate = ReviewGate("ann", needed=1)
    gate.approve("bob")
    gate.merge()
    return gate


def test_error_class():
    assert issubclass(ReviewError, Exception)


def test_new_gate_is_empty():
    gate = ReviewGate("ann")
    assert gate.approvals == []
    assert gate.blockers == {}


def test_example():
    gate = ReviewGate("Ann")
    gate.approve("Bob")
    gate.approve(" CARL ")
    assert gate.approvals == ["bob", "carl"]
    gate.merge()


def test_example_with_push():
    gate = ReviewGate("Ann")
    gate.approve("Bob")
    gate.approve(" CARL ")
    gate.push()
    assert gate.approvals == []
    with pytest.raises(ReviewError):
        gate.merge()
    gate.approve("Bob")
    gate.approve("Carl")
    gate.merge()


def test_needed_below_one():
    with pytest.raises(ValueError):
        ReviewGate("ann", needed=0)
    with pytest.raises(ValueError):
        ReviewGate("ann", needed=-3)


def test_blank_names():
    with pytest.raises(ValueError):
        ReviewGate("  ")
    gate = ReviewGate("ann")
    with pytest.raises(ValueError):
        gate.approve("")
    with pytest.raises(ValueError):
        gate.block(" \t", "no")
    with pytest.raises(ValueError):
        gate.withdraw("   ")


def test_approvals_sorted():
    gate = ReviewGate("ann")
    for who in ("zoe", "Bob", "mia"):
        gate.approve(who)
    assert gate.approvals == ["bob", "mia", "zoe"]


def test_author_can_not_approve_in_any_spelling():
    gate = ReviewGate(" Ann")
    with pytest.raises(ReviewError):
        gate.approve("ANN ")
    assert gate.approvals == []


def test_author_may_block():
    gate = ReviewGate("ann")
    gate.block("Ann", "not ready")
    assert gate.blockers == {"ann": "not ready"}


def test_approving_again_changes_nothing():
    gate = ReviewGate("ann")
    gate.approve("bob")
    gate.approve("BOB")
    assert gate.approvals == ["bob"]
    with pytest.raises(ReviewError):
        gate.merge()


def test_block_removes_own_approval():
    gate = ReviewGate("ann")
    gate.approve("bob")
    gate.approve("carl")
    gate.block("Bob", "bug")
    assert gate.approvals == ["carl"]
    assert gate.blockers == {"bob": "bug"}


def test_approve_removes_own_block():
    gate = ReviewGate("ann")
    gate.block("bob", "bug")
    gate.block("carl", "slow")
    gate.approve("bob")
    assert gate.approvals == ["bob"]
    assert gate.blockers == {"carl": "slow"}


def test_blocking_again_replaces_reason_stripped():
    gate = ReviewGate("ann")
    gate.block("bob", "bug")
    gate.block("bob", "  Still a bug ")
    assert gate.blockers == {"bob": "Still a bug"}


def test_blank_reason_changes_nothing():
    gate = ReviewGate("ann")
    gate.approve("bob")
    gate.block("carl", "slow")
    with pytest.raises(ValueError):
        gate.block("bob", "  ")
    with pytest.raises(ValueError):
        gate.block("carl", "")
    assert gate.approvals == ["bob"]
    assert gate.blockers == {"carl": "slow"}


def test_withdraw_either_opinion():
    gate = ReviewGate("ann")
    gate.approve("bob")
    gate.block("carl", "slow")
    gate.withdraw("Bob ")
    gate.withdraw("CARL")
    assert gate.approvals == []
    assert gate.blockers == {}


def test_withdraw_without_opinion():
    gate = ReviewGate("ann")
    with pytest.raises(ReviewError):
        gate.withdraw("bob")
    gate.approve("bob")
    gate.push()
    with pytest.raises(ReviewError):
        gate.withdraw("bob")


def test_push_keeps_blocks():
    gate = ReviewGate("ann")
    gate.approve("bob")
    gate.block("carl", "slow")
    gate.push()
    assert gate.approvals == []
    assert gate.blockers == {"carl": "slow"}


def test_merge_with_a_block_fails_and_changes_nothing():
    gate = ReviewGate("ann", needed=1)
    gate.approve("bob")
    gate.block("carl", "slow")
    with pytest.raises(ReviewError):
        gate.merge()
    assert gate.approvals == ["bob"]
    assert gate.blockers == {"carl": "slow"}
    gate.withdraw("carl")
    gate.merge()


def test_after_merge_everything_raises():
    gate = merged()
    for action in (
        lambda: gate.approve("carl"),
        lambda: gate.block("carl", "late"),
        lambda: gate.withdraw("bob"),
        lambda: gate.push(),
        lambda: gate.merge(),
    ):
        with pytest.raises(ReviewError):
            action()
    assert gate.approvals == ["bob"]
    assert gate.blockers == {}


def test_properties_give_copies():
    gate = ReviewGate("ann")
    gate.approve("bob")
    gate.block("carl", "slow")
    gate.approvals.append("eve")
    gate.blockers.clear()
    assert gate.approvals == ["bob"]
    assert gate.blockers == {"carl": "slow"}
