"""What a class costs beside functions that do the same: both become green, and one unit asks for less than eight."""

import class_costs
import pytest
from class_costs import costs


@pytest.mark.timeout(120)
def test_a_class_of_eight_methods_asks_for_at_most_half_of_what_eight_functions_do(
    shared_sandboxes, warm, monkeypatch, capsys
):
    """As many cases, and at most half of the tokens of plan and prompts."""
    monkeypatch.setattr(class_costs, "ROUNDS", 1)  # no time is looked at
    costs(*shared_sandboxes)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()]
    figures = {cells[0]: [float(cell) for cell in cells[1:]] for cells in rows if cells and cells[1][:1].isdigit()}
    assert [figures[name][:2] for name in ("a class", "functions")] == [[1, 16], [8, 16]]
    plan, prompts, both, calls = figures["ratio"][3:]
    assert plan < 1
    assert prompts <= 0.5
    assert both <= 0.5
    assert calls == pytest.approx(3 / 17, abs=0.01)
