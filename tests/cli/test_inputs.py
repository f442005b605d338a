"""What is handed in: prose in an argument, a file or a pipe; what can't be read is said in one line."""

import io
from pathlib import Path

import pytest

from tdgen.cli.inputs import MOST_BYTES, instruction_in


class TestWhatCanBeRead:
    """A text, a file, the standard input."""

    def test_text_is_itself(self):
        """White space and line ends are left as they are."""
        assert instruction_in(" add(a, b)\n adds ") == " add(a, b)\n adds "

    def test_an_existing_file_is_read(self):
        """By its name; a byte order mark is none of the instruction's."""
        Path("spec").write_bytes("\ufeffadd: addiert Zahlen, größer".encode())
        assert instruction_in("spec") == "add: addiert Zahlen, größer"

    @pytest.mark.parametrize("body", ['"""Twice n."""', "...", "raise NotImplementedError"])
    def test_a_function_without_a_body_is_an_instruction(self, body: str):
        """Also in a module beside one that is written."""
        code = f"def half(n):\n    return n / 2\n\n\ndef double(n):\n    {body}\n"
        Path("foo.py").write_text(code)
        assert instruction_in("foo.py") == code

    def test_a_dash_is_the_standard_input(self, monkeypatch: pytest.MonkeyPatch):
        """Read to its end."""
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"from a pipe\n")))
        assert instruction_in("-") == "from a pipe\n"

    @pytest.mark.parametrize("text", ["sort and/or filter the list", "see notes.md for x", "x" * 5000, "a\0b c", ""])
    def test_a_sentence_is_not_taken_for_a_path(self, text: str):
        """Slashes and endings in prose, a text too long for a name, a character that no name has."""
        assert instruction_in(text) == text


class TestWhatCanNot:
    """One line each, exit code 2, before any work."""

    def test_no_instruction_at_all(self, tdgen):
        """Says the ways to give one."""
        ran = tdgen("solve")
        assert (ran.code, ran.err) == (
            2,
            "tdgen: give the instruction: TEXT in quotes, a FILE, or - for the standard input\n",
        )

    @pytest.mark.parametrize("text", ["", "   ", "\n\t\n"])
    def test_an_empty_or_blank_instruction(self, tdgen, text: str):
        """Nothing can be planned from nothing."""
        ran = tdgen("solve", text)
        assert (ran.code, ran.out, ran.err) == (
            2,
            "",
            "tdgen: the instruction is empty: say in a sentence or more what the functions should do\n",
        )

    def test_an_instruction_of_a_megabyte(self, tdgen):
        """Is more than can be planned at once."""
        Path("long.md").write_text("add numbers " * 87_382)
        ran = tdgen("solve", "long.md")
        assert (ran.code, ran.err) == (
            2,
            "tdgen: the instruction has 1,048,584 characters, at most 100,000 can be planned at once: split it, or "
            "point to one part of it\n",
        )

    def test_a_file_that_no_hand_wrote(self, tdgen):
        """It is not even read to its end."""
        with Path("huge.md").open("wb") as file:
            file.truncate(MOST_BYTES + 1)
        assert tdgen("solve", "huge.md").err == (
            "tdgen: huge.md has more than 16 MB: name a text that is written by hand\n"
        )

    @pytest.mark.parametrize(
        ("content", "line"),
        [
            (b"\xff\xfe\x00a", "tdgen: spec.md is not UTF-8 text: give plain text\n"),
            (b"\x7fELF\x00\x01", "tdgen: spec.md is a binary file: give plain text\n"),
        ],
    )
    def test_a_binary_file(self, tdgen, content: bytes, line: str):
        """Also one whose bytes happen to be UTF-8."""
        Path("spec.md").write_bytes(content)
        ran = tdgen("solve", "spec.md")
        assert (ran.code, ran.err) == (2, line)

    @pytest.mark.parametrize(
        "name", ["spec.md", "SPEC.TXT", "docs/spec", "/no/such", "foo.py", "image.png", "app.js", "größe.docx"]
    )
    def test_a_file_that_is_not_there(self, tdgen, name: str):
        """What looks like a file's name is none of the instructions that a model is paid for."""
        ran = tdgen("solve", name)
        assert (ran.code, ran.err) == (
            2,
            f"tdgen: there is no file {name} (an instruction is a sentence or more: put it in quotes)\n",
        )

    @pytest.mark.parametrize(
        "code", ["def double(n):\n    return 2 * n\n", "class Stack:\n    size = 0\n", "import os\nprint(os.sep)\n"]
    )
    def test_a_module_that_is_written(self, tdgen, code: str):
        """Nothing in it is left to write: no model is asked what might be meant."""
        Path("foo.py").write_text(code)
        ran = tdgen("solve", "foo.py")
        assert (ran.code, ran.out, ran.err) == (
            2,
            "",
            "tdgen: foo.py is finished code, and tdgen changes no code that is there: say in prose what a new function "
            "should do (a function without a body is one to write)\n",
        )

    def test_a_folder(self, tdgen):
        """Names the folder."""
        Path("spec").mkdir()
        ran = tdgen("solve", "spec")
        assert (ran.code, ran.err) == (2, "tdgen: spec is a folder: name a file\n")

    def test_control_characters_are_no_prose(self, tdgen):
        """Nor do they reach the terminal."""
        ran = tdgen("solve", "add \x1b[31m numbers")
        assert (ran.code, ran.err) == (2, "tdgen: the instruction is not text: it holds the character U+001B\n")

    @pytest.mark.parametrize(
        ("source", "line"),
        [
            ("", "tdgen: test_b.py has no test in it: no function in it is named test_…\n"),
            ("def helper():\n    pass\n", "tdgen: test_b.py has no test in it: no function in it is named test_…\n"),
            ("def test_b(:\n    pass\n", "tdgen: test_b.py is not Python: line 1: invalid syntax\n"),
        ],
        ids=["empty", "without a test", "no Python"],
    )
    def test_a_test_file_that_says_nothing(self, tdgen, source: str, line: str):
        """It is named, before anything is sent; the one beside it may be as good as it likes."""
        Path("test_a.py").write_text("from kit import f\n\n\ndef test_a():\n    assert f(1) == 1\n")
        Path("test_b.py").write_text(source)
        ran = tdgen("solve", "add numbers", "--tests", "test_a.py", "--tests", "test_b.py")
        assert (ran.code, ran.err) == (2, line)

    @pytest.mark.parametrize("option", ["--tests", "--plan"])
    def test_a_file_beside_it_that_is_not_there(self, tdgen, option: str):
        """Told apart from an unreadable one."""
        ran = tdgen("solve", "add numbers", option, "none")
        assert (ran.code, ran.err) == (2, "tdgen: none can't be read: there is no such file\n")
