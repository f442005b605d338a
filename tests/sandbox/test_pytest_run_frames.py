"""What a project's test run may tell of failures and lines: anything else is garbled, and costs next to nothing."""

import pytest

from tdgen.sandbox.pytest_run import _ChildRun
from tdgen.types import FileJob, Place

PLACE = ["src/a.py", 3, "f"]
FAILED = {"failed": "t.py::a", "type": "KeyError", "message": "no", "places": [PLACE]}
RAN = {"ran": "t.py::a", "modules": [[0, "src/a.py", "a"]], "lines": "0:3-5,9;1:2"}


@pytest.fixture
def seen():
    """What was seen of a run so far."""
    return _ChildRun(FileJob(files={}, tests=(), project_tests="run", traced=True))


def test_failures_and_lines_are_taken(seen):
    """Lines of a module that was never named are left out."""
    assert seen._accept(dict(FAILED))
    assert seen._accept(dict(RAN))
    assert seen.failures["t.py::a"].places == (Place(path="src/a.py", line=3, function="f"),)
    assert seen.ran == {"t.py::a": {"src/a.py": "3-5,9"}}


@pytest.mark.parametrize(
    "content",
    [
        FAILED | {"failed": 3},
        FAILED | {"message": "x" * 5_000},
        FAILED | {"places": [PLACE] * 300},
        FAILED | {"places": [["src/a.py", "3", "f"]]},
        FAILED | {"places": [["src/a.py", True, "f"]]},
        RAN | {"lines": "0:3-"},
        RAN | {"lines": "0:" + "9" * 5_000},
        RAN | {"lines": "0:٣"},
        RAN | {"modules": [[0, "src/a.py"]]},
        RAN | {"modules": 3},
    ],
)
def test_what_is_none_of_these_is_garbled(seen, content):
    """Numbers that no int takes, and texts without end, among them."""
    assert not seen._accept(dict(content))
    assert not seen.ran
    assert not seen.failures
