"""Scripts are run as scripts: by the judge, and in the file that the user gets."""

from __future__ import annotations

import pytest

FIRST_TRY = """
import sys

def main(argv: list[str]) -> int:
    if len(argv) != 1:
        print("usage: kit FILE", file=sys.stderr)
        return 2
    with open(argv[0], encoding="utf-8") as file:
        print(sum(int(line) for line in file))
    return 0
"""


def script(write, *tries, cases=None):
    """A `main` that adds the numbers of a file, with cases that run it as a script."""
    shown = [
        write.exits(["a.txt"], 0, world={"files": [{"name": "a.txt", "text": "1\n2\n"}]}, observe={"stdout": "3\n"}),
        write.exits([], 2, kind="error", observe={"stdout": "", "stderr": "usage: kit FILE\n"}),
        write.exits(["b.txt"], 0, world={"files": [{"name": "b.txt", "text": "5\n"}]}, observe={"stdout": "5\n"}),
    ]
    return write.function("main(argv: list[str]) -> int", cases=cases or shown, tries=[*tries, FIRST_TRY])


@pytest.mark.parametrize("trust", ["quick", "standard"])
def test_cases_of_an_entry_run_the_module_as_a_script(studio, write, trust):
    """Exit code, standard output and error are judged, and the file that the user gets asks for the same."""
    wrong = FIRST_TRY.replace(", file=sys.stderr", "")
    solved = studio.solve(script(write, wrong), entry_function="main", settings={"trust": trust})
    result = solved["main"]
    assert result.outcome == "green"
    first = {verdict.case: verdict for verdict in result.history[0].verdicts}["script_2"]
    assert [difference.where for difference in first.differences] == ["stdout", "stderr"]
    file = solved.solution.test_files["test_main.py"]
    assert "assert run_script() == 2" in file
    assert 'assert printed.err == "usage: kit FILE\\n"' in file
