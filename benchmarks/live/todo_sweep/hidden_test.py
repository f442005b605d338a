import os
from datetime import date

import pytest

import solution

DAY = date(2024, 3, 5)


@pytest.fixture
def files(tmp_path):
    return tmp_path / "todo.md", tmp_path / "archive.md"


def put(path, text):
    path.write_bytes(text.encode("utf-8"))


def get(path):
    return path.read_bytes().decode("utf-8")


def test_moves(files, capsys):
    todo, archive = files
    put(todo, "# Home\n- [ ] paint\n- [x] buy nails\n- [ ] saw\n")
    assert solution.sweep(todo, archive, DAY) == 1
    assert capsys.readouterr().out == "1 item swept\n"
    assert get(todo) == "# Home\n- [ ] paint\n- [ ] saw\n"
    assert get(archive) == "## 2024-03-05\n- [x] buy nails\n"


def test_capital_and_two(files, capsys):
    todo, archive = files
    put(todo, "- [X] a\n- [ ] b\n- [x] ç – ü\n")
    assert solution.sweep(str(todo), str(archive), DAY) == 2
    assert capsys.readouterr().out == "2 items swept\n"
    assert get(todo) == "- [ ] b\n"
    assert get(archive) == "## 2024-03-05\n- [X] a\n- [x] ç – ü\n"


def test_notes_move_along(files):
    todo, archive = files
    put(todo, "- [x] a\n  note\n    deep\n  - [ ] open\n- [ ] b\n  kept\n")
    assert solution.sweep(todo, archive, DAY) == 1
    assert get(todo) == "- [ ] b\n  kept\n"
    assert get(archive) == "## 2024-03-05\n- [x] a\n  note\n    deep\n  - [ ] open\n"


def test_done_notes_do_not_count(files, capsys):
    todo, archive = files
    put(todo, "- [x] a\n  - [x] a1\n  - [X] a2\n- [x] b\n")
    assert solution.sweep(todo, archive, DAY) == 2
    assert capsys.readouterr().out == "2 items swept\n"
    assert get(todo) == ""


def test_indented_item_ends_at_its_own_depth(files):
    todo, archive = files
    put(todo, "- [ ] a\n  - [x] a1\n    note\n  - [ ] a2\n  plain\n")
    assert solution.sweep(todo, archive, DAY) == 1
    assert get(todo) == "- [ ] a\n  - [ ] a2\n  plain\n"
    assert get(archive) == "## 2024-03-05\n  - [x] a1\n    note\n"


@pytest.mark.parametrize("blank", ["\n", "   \n"])
def test_blank_line_ends_the_notes(files, blank):
    todo, archive = files
    put(todo, "- [x] a\n  note\n" + blank + "  stays\n")
    assert solution.sweep(todo, archive, DAY) == 1
    assert get(todo) == blank + "  stays\n"
    assert get(archive) == "## 2024-03-05\n- [x] a\n  note\n"


@pytest.mark.parametrize("line", ["- [x]a", "- [x]", "-[x] a", "* [x] a", "text - [x] a", "- [ ] x", "- [y] a"])
def test_not_done(files, capsys, line):
    todo, archive = files
    put(todo, line + "\n")
    assert solution.sweep(todo, archive, DAY) == 0
    assert capsys.readouterr().out == ""
    assert get(todo) == line + "\n"
    assert not archive.exists()


def test_code_block(files):
    todo, archive = files
    text = "```text\n- [x] sample\n```\n"
    put(todo, text + "- [x] a\n" + text + "- [x] b\n")
    assert solution.sweep(todo, archive, DAY) == 2
    assert get(todo) == text + text
    assert get(archive) == "## 2024-03-05\n- [x] a\n- [x] b\n"


def test_code_block_to_the_end(files):
    todo, archive = files
    put(todo, "- [x] a\n```\n- [x] sample\n")
    assert solution.sweep(todo, archive, DAY) == 1
    assert get(todo) == "```\n- [x] sample\n"


def test_line_ends_stay(files):
    todo, archive = files
    put(todo, "one\r\n- [x] a\r\n  note\r\ntwo\nthree\r\n- [x] b\n")
    assert solution.sweep(todo, archive, DAY) == 2
    assert get(todo) == "one\r\ntwo\nthree\r\n"
    assert get(archive) == "## 2024-03-05\n- [x] a\r\n  note\r\n- [x] b\n"


def test_blank_line_with_crlf_ends_the_notes(files):
    todo, archive = files
    put(todo, "- [x] a\r\n\r\n  stays\r\n")
    assert solution.sweep(todo, archive, DAY) == 1
    assert get(todo) == "\r\n  stays\r\n"


def test_no_final_line_break(files):
    todo, archive = files
    put(todo, "- [ ] b\n- [x] a")
    assert solution.sweep(todo, archive, DAY) == 1
    assert get(todo) == "- [ ] b\n"
    assert get(archive) == "## 2024-03-05\n- [x] a\n"


def test_rest_without_final_line_break(files):
    todo, archive = files
    put(todo, "- [x] a\n- [ ] b")
    solution.sweep(todo, archive, DAY)
    assert get(todo) == "- [ ] b"


def test_same_day_again(files):
    todo, archive = files
    put(todo, "- [x] b\n")
    put(archive, "# Old\n## 2024-03-05\n- [x] a\n")
    solution.sweep(todo, archive, DAY)
    assert get(archive) == "# Old\n## 2024-03-05\n- [x] a\n- [x] b\n"


def test_same_day_with_crlf_in_the_archive(files):
    todo, archive = files
    put(todo, "- [x] b\n")
    put(archive, "## 2024-03-05\r\n- [x] a\r\n")
    solution.sweep(todo, archive, DAY)
    assert get(archive) == "## 2024-03-05\r\n- [x] a\r\n- [x] b\n"


def test_only_the_last_heading_counts(files):
    todo, archive = files
    put(todo, "- [x] b\n")
    put(archive, "## 2024-03-05\n- [x] a\n## Sometime\n- [x] c\n")
    solution.sweep(todo, archive, DAY)
    assert get(archive) == "## 2024-03-05\n- [x] a\n## Sometime\n- [x] c\n## 2024-03-05\n- [x] b\n"


def test_heading_must_be_exact(files):
    todo, archive = files
    put(todo, "- [x] b\n")
    put(archive, "## 2024-03-05 evening\n### 2024-03-05\n")
    solution.sweep(todo, archive, DAY)
    assert get(archive) == "## 2024-03-05 evening\n### 2024-03-05\n## 2024-03-05\n- [x] b\n"


def test_archive_without_final_line_break(files):
    todo, archive = files
    put(todo, "- [x] b\n")
    put(archive, "## 2024-03-04\n- [x] a")
    solution.sweep(todo, archive, DAY)
    assert get(archive) == "## 2024-03-04\n- [x] a\n## 2024-03-05\n- [x] b\n"


def test_empty_archive(files):
    todo, archive = files
    put(todo, "- [x] b\n")
    put(archive, "")
    solution.sweep(todo, archive, DAY)
    assert get(archive) == "## 2024-03-05\n- [x] b\n"


@pytest.mark.parametrize("text", ["", "- [ ] b", "a\r\nb"])
def test_touches_nothing(files, capsys, text):
    todo, archive = files
    put(todo, text)
    put(archive, "old")
    for path in files:
        os.utime(path, (1000, 1000))
    assert solution.sweep(todo, archive, DAY) == 0
    assert capsys.readouterr().out == ""
    assert (get(todo), get(archive)) == (text, "old")
    assert [path.stat().st_mtime for path in files] == [1000, 1000]
