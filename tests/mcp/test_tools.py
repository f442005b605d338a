"""What the tools say where there is nothing to give."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from tdgen.errors import InputError
from tdgen.mcp.tools import Tools


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ({"key": "sha256:1", "state": "green", "has_ended": True}, "came to a solution that is gone"),
        ({"key": "", "state": "failed", "has_ended": True, "error": "no model"}, "came to nothing: no model"),
        ({"key": "", "state": "running", "has_ended": False}, "is running: ask solve_status"),
    ],
    ids=["gone", "nothing", "going on"],
)
def test_a_solve_without_a_solution_says_why(record, told):
    """Whether it came to none, is not there yet, or is no longer there."""
    tools = Mock(**{"_run.return_value": SimpleNamespace(**record), "_queue.runs.solution.return_value": None})
    with pytest.raises(InputError, match=f"^the solve 1 {told}"):
        Tools.result(tools, "1")
