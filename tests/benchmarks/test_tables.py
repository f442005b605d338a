"""Tables as they are printed."""

import pytest
from tables import cell, quantile, table


def test_a_table_is_markdown_with_aligned_columns(capsys):
    """Names to the left, figures to the right."""
    table("T", ("what", "n"), [("long name", 1), ("x", 12.345)])
    assert capsys.readouterr().out.splitlines()[3:] == [
        "| what      |    n |",
        "|-----------|------|",
        "| long name |    1 |",
        "| x         | 12.3 |",
    ]


@pytest.mark.parametrize(
    ("value", "shown"), [(True, "yes"), (None, "–"), (1234.5, "1234"), (0.0123, "0.0123"), ("a|b\nc", "a\\|b c")]
)
def test_values_fit_a_cell(value, shown):
    """One line, no bar that would part it."""
    assert cell(value) == shown


def test_a_quantile_is_a_value_that_was_measured():
    """Nine tenths of ten values do not exceed the ninth."""
    assert quantile(list(range(1, 11)), 0.9) == 9
    assert quantile([], 0.9) == 0.0
