"""Scripts are run as scripts: by the judge, and in the file that the user gets."""

from __future__ import annotations

import pytest

from tdgen.types import Limits

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


@pytest.mark.usefixtures("some_mutants")
@pytest.mark.parametrize("trust", ["quick", "standard"])
def test_cases_of_an_entry_run_the_module_as_a_script(solver, write, trust):
    """Exit code, standard output and error are judged, and the file that the user gets asks for the same."""
    wrong = FIRST_TRY.replace(", file=sys.stderr", "")
    solved = solver.solve(script(write, wrong), entry_function="main", settings={"trust": trust})
    result = solved["main"]
    assert result.outcome == "green"
    first = {verdict.case: verdict for verdict in result.history[0].verdicts}["script_2"]
    assert [difference.where for difference in first.differences] == ["stdout", "stderr"]
    file = solved.solution.test_files["test_main.py"]
    assert "assert run_script() == 2" in file
    assert 'assert printed.err == "usage: kit FILE\\n"' in file


def test_bytes_go_the_whole_way(solver, write):
    """Of a file and of standard input, by the judge and in the user's file; what differs is told in hex."""
    right = """
import sys

def main(argv: list[str]) -> int:
    with open(argv[0], "rb") as old, open(argv[1], "wb") as new:
        new.write(bytes(255 - byte for byte in old.read() + sys.stdin.buffer.read()))
    return 0
"""

    def inverts(name, given, typed, written):
        held = [{"name": "a", "text": {"bytes": repr(given)}}]
        return write.exits(
            ["a", "b"],
            0,
            world={"files": held, "stdin": {"bytes": repr(typed)}},
            observe={"files": [*held, {"name": "b", "text": {"bytes": repr(written)}}]},
        ) | {"name": name}

    cases = [
        inverts("both", b"\x00\xfe", b"\x80", b"\xff\x01\x7f"),
        inverts("typed", b"", b"\xff\xf0", b"\x00\x0f"),
        inverts("held", b"\xa0", b"", b"\x5f"),
    ]
    main = write.function(
        "main(argv: list[str]) -> int", cases=cases, tries=[right.replace("255 - byte", "254 - byte % 255"), right]
    )
    solved = solver.solve(main, entry_function="main")
    assert solved["main"].outcome == "green"
    assert "at file b: 3 bytes, from byte 0: fe 00 7e b'\\xfe\\x00~', expected 3 bytes" in solved.prompts("repair")[0]
    file = solved.solution.test_files["test_main.py"]
    assert '(tmp_path / "a").write_bytes(b"\\x00\\xfe")' in file
    assert '(tmp_path / "b").read_bytes() == b"\\xff\\x01\\x7f"' in file
    assert 'io.BytesIO(b"\\x80")' in file
    told = {test["name"]: test for test in solved.solution.to_dict()["tests"]["main"]}["both"]
    assert told["files"]["b"] == {"base64": "/wF/"}
    assert r"\xff\x01\x7f" in solved.solution.to_html()


def test_a_wording_that_nobody_promised_is_a_pattern(solver, write):
    """Another wording is green, silence is not: for the judge, and in the file that the user gets."""
    silent = FIRST_TRY.replace('print("usage: kit FILE", file=sys.stderr)', "pass")
    other = FIRST_TRY.replace("usage: kit FILE", "kit wants a FILE, and only one")
    cases = [
        write.exits([], 2, kind="error", observe={"stdout": "", "stderr": {"match": r"(?i)\bfile\b"}}),
        write.exits(["a.txt"], 0, world={"files": [{"name": "a.txt", "text": "1\n2\n"}]}, observe={"stdout": "3\n"}),
    ]
    solved = solver.solve(
        write.function("main(argv: list[str]) -> int", cases=cases, tries=[silent, other]), entry_function="main"
    )
    result = solved["main"]
    first, second = ({verdict.case: verdict for verdict in attempt.verdicts} for attempt in result.history)
    (difference,) = first["script_2"].differences
    assert difference.sentence == r"stderr: '', expected a text in which '(?i)\\bfile\\b' is found"
    assert difference.expected in solved.prompts("repair")[0]
    assert second["script_2"].passed
    assert result.outcome == "green"
    assert r'assert re.search(r"(?i)\bfile\b", printed.err)' in solved.solution.test_files["test_main.py"]


def test_a_pattern_that_says_nothing_goes_back_to_its_author(solver, write):
    """With the reason; what can't be searched too."""
    faulty = [
        write.exits([], 2, observe={"stderr": {"match": "(usage"}}),
        write.exits(["a", "b"], 2, observe={"stderr": {"match": ".*"}}),
    ]
    mended = [case | {"observe": {"stderr": {"match": "usage"}}} for case in faulty]
    solved = solver.solve(
        write.function("main(argv: list[str]) -> int", cases=faulty, mended_cases=mended, tries=[FIRST_TRY]),
        entry_function="main",
    )
    told = solved.prompts("cases")[-1]
    assert "its pattern can't be searched ('(usage')" in told
    assert "its pattern for stderr, '.*', is found where nothing is printed" in told
    assert {case.patterns["stderr"] for case in solved["main"].suite.cases} == {"usage"}
    assert solved["main"].outcome == "green"


def test_calls_of_an_entry_are_made_by_the_script_too(solver, write):
    """What does well as a call, and not where the module is the program, goes back to its author."""
    wrong = FIRST_TRY.replace("return 2", 'return 2 if __name__ == "kit" else 3')
    calls = [
        write.returns("main([])", "2", observe={"stderr": "usage: kit FILE\n"}),
        write.returns("main(['a', 'b'])", "2"),
    ]
    solved = solver.solve(script(write, wrong, cases=calls), entry_function="main")
    result = solved["main"]
    assert [attempt.passed for attempt in result.history] == [2, 2]
    assert result.history[0].vetoes == (
        "the calls pass, but not the module run as a script: `python MODULE.py`: exit code 3, expected exit code 2",
    )
    assert result.outcome == "green"


def test_a_module_that_warns_when_it_is_imported_goes_back(solver, double):
    """An invalid escape is an error of tomorrow's Python."""
    right = "def double(number: int) -> int: return 2 * number"
    solved = solver.solve(double(tries=[f"_DOUBLE_X = '\\d'\n{right}", right]))
    first, second = solved["double"].history
    assert "invalid escape" in first.vetoes[0]
    assert second.vetoes == ()


def test_effects_stand_in_the_file_as_a_person_writes_them(solver, write):
    """Attributes of an exception, identity, log records, and a file that must be gone."""
    raising = write.function(
        "clean(names: list[str]) -> list[str]",
        raises=["KeyError"],
        cases=[
            write.returns(
                "clean(names)",
                "['a']",
                setup="names = ['a']",
                observe={
                    "after": [{"expression": "result is names", "value": "True"}],
                    "logs": [{"logger": "kit", "level": "warning", "message": "cleaned 1"}],
                },
            ),
            write.raises(
                "clean([])",
                "KeyError",
                world={"files": [{"name": "sub/old.txt", "text": "x"}]},
                observe={
                    "after": [{"expression": "error.args[0]", "value": "'none'"}],
                    "files": [{"name": "sub/old.txt", "text": None}],
                },
            ),
        ],
        tries=[
            """
            import logging
            import pathlib

            def clean(names: list[str]) -> list[str]:
                if not names:
                    pathlib.Path("sub/old.txt").unlink(missing_ok=True)
                    raise KeyError("none")
                logging.getLogger("kit").warning("cleaned %d", len(names))
                return names
            """
        ],
    )
    solved = solver.solve(raising)
    assert solved["clean"].outcome == "green"
    file = solved.solution.test_files["test_clean.py"]
    for line in (
        "assert result is names",
        "with pytest.raises(KeyError) as raised:",
        'assert raised.value.args[0] == "none"',
        'assert caplog.record_tuples == [("kit", logging.WARNING, "cleaned 1")]',
        'assert not (tmp_path / "sub/old.txt").exists()',
    ):
        assert line in file


def test_a_run_that_the_instruction_shows_is_pinned(solver, write):
    """Its command line, its files, what it prints and its exit code: word for word, whatever the test author says."""
    text = "A script.\n\n    $ cat a.txt\n    1\n    $ kit a.txt\n    sum\t1 \n\nWithout a file it ends with 2."
    example = {
        "function": "main",
        "quote": "$ cat a.txt\n    1\n    $ kit a.txt\n    sum\t1",
        "call": "['a.txt']",
        "expect": "exits",
        "value": "0",
        "files": [{"name": "a.txt", "text": "1\n"}],
        "stdout": "sum\t1\n",
    }
    wrong = FIRST_TRY.replace("print(sum(", "print('sum', sum(")
    right = FIRST_TRY.replace("print(sum(", "print('sum', sep='\\t', *[sum(").replace("in file))", "in file)])")
    solved = solver.solve(
        script(write, wrong, right, cases=[write.exits([], 2)]), text=text, entry_function="main", examples=[example]
    )
    pinned, *_ = solved["main"].suite.cases
    assert (pinned.is_pinned, pinned.world.script, pinned.stdout) == (True, ("a.txt",), "sum\t1\n")
    assert [attempt.passes for attempt in solved["main"].history] == [False, True]


def test_awkward_texts_are_compared_to_the_letter_everywhere(solver, write):
    """Trailing blanks, CRLF, tabs and colours, by the judge and in the file; a long text stands in no prompt whole."""
    odd, long = "a \r\n\tb\x1b[31mred\x1b[0m \n", "line\n" * 200_000
    cases = [
        write.returns("dump('a')", "None", observe={"stdout": odd, "stderr": odd}),
        write.returns("dump('b')", "None", observe={"files": [{"name": "sub/out.txt", "text": long}]}),
    ]
    source = """
        import pathlib
        import sys

        def dump(name: str) -> None:
            sys.stdout.write('a \\r\\n\\tb\\x1b[31mred\\x1b[0m \\n')
            sys.stderr.write('a \\r\\n\\tb\\x1b[31mred\\x1b[0m \\n')
            pathlib.Path('sub').mkdir(exist_ok=True)
            pathlib.Path('sub/out.txt').write_text('line\\n' * 200_000)
        """
    solved = solver.solve(write.function("dump(name: str) -> None", cases=cases, tries=[source]))
    assert solved["dump"].outcome == "green"
    assert all(len(prompt) < 40_000 for prompt in solved.prompts("implement"))


def test_a_script_that_never_ends_fails_and_its_neighbours_are_judged(solver, write):
    """Each run has a process and a time of its own."""
    endless = FIRST_TRY.replace("return 2", "return __import__('time').sleep(9)")
    solved = solver.solve(script(write, endless), entry_function="main", settings={"limits": Limits(wall_s=1.0)})
    first = solved["main"].history[0]
    assert {verdict.case: verdict.passed for verdict in first.verdicts} == {
        "script_a_txt_0": True,
        "script_2": False,
        "script_b_txt_0": True,
    }
    assert solved["main"].outcome == "green"
