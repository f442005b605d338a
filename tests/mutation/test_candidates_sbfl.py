"""Which lines are to blame."""

import pytest

from tdgen.mutation import suspicion


def test_what_only_failing_cases_run_is_most_suspicious():
    """Ochiai: failed / sqrt(failing * (failed + passed))."""
    found = suspicion([{1, 2}, {1, 2}, {1, 2}], [{1, 3}, {1, 2, 3}])
    assert found == pytest.approx({1: 2 / (2 * 5) ** 0.5, 2: 1 / (2 * 4) ** 0.5, 3: 1.0})


def test_lines_that_no_failing_case_ran_are_absent():
    """They can't be at fault."""
    assert suspicion([{1, 9}], [{1}]) == pytest.approx({1: 0.5**0.5})


def test_a_line_that_a_loop_runs_often_counts_once_a_case():
    """Cases count, not rounds."""
    assert suspicion([], [[1, 1, 1, 2]]) == {1: 1.0, 2: 1.0}


@pytest.mark.parametrize(("passing", "failing"), [([], []), ([{1}], []), ([], [set()])])
def test_without_a_failing_case_there_is_no_suspicion(passing, failing):
    """Nothing to blame."""
    assert suspicion(passing, failing) == {}
