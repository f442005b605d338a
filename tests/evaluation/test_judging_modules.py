"""Hidden pytest files: a module is right where it passes every test that the reference passes."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.evaluation import read_dataset
from tdgen.evaluation.judging import ModuleJudge

RIGHT = "def double(number):\n    return number + number\n"


@pytest.fixture
def judge(write_task, shared_sandboxes):
    """What judges a task's modules."""
    return lambda files=None: ModuleJudge(read_dataset(write_task("made", files))[0], *shared_sandboxes)


def test_right_code_passes_what_the_reference_passes(judge):
    """Each test counts, and those that fail are named."""
    made = judge()
    good, bad = made.judge(RIGHT), made.judge("def double(number):\n    return 42\n")
    assert (good.right, good.tests, good.forgeable) == (True, 3, True)
    assert (bad.right, bad.failed) == (False, 2)
    assert any("test_text" in fault for fault in bad.faults)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "def triple(number):\n    return 3\n",
        "def double(:",
        "import os\nos._exit(0)\n",
        "import sys\nsys.exit(0)\n",
        "import pytest\npytest.skip('no', allow_module_level=True)\n",
        "import pytest\npytest.exit('done', returncode=0)\n",
        "import os\n\n\ndef double(number):\n    os._exit(0)\n",
        "import pytest\n\n\ndef double(number):\n    pytest.skip('no')\n",
        "import pytest\n\n\ndef double(number):\n    pytest.exit('done', returncode=0)\n",
        RIGHT + "\n\nimport pytest\npytest.mark.parametrize = lambda *given: lambda test: None\n",
    ],
    ids=[
        *("nothing", "another name", "no Python", "exits", "sys.exit", "skips", "ends pytest"),
        *("exits in a call", "skips in a call", "ends pytest in a call", "takes tests away"),
    ],
)
def test_a_module_that_keeps_tests_from_running_is_not_right(judge, source):
    """Whatever it does instead of answering."""
    found = judge().judge(source)
    assert found.failed > 0
    assert not found.right


@pytest.mark.parametrize("hidden", ["x = 1", "import solution\n\ndef test_it():\n    assert solution.double(1) == 3"])
def test_tests_that_the_reference_does_not_pass_are_refused(judge, hidden):
    """Nothing could be said of a module by them."""
    with pytest.raises(InputError, match="the hidden tests of made don't all pass on its own reference"):
        judge({"hidden_test.py": hidden})
