import copy

import pytest

import solution


def note(tags, *children):
    return {"title": "t", "tags": tags.split(), "children": list(children)}


def test_renames_in_place():
    root = note("a work b")
    tags = root["tags"]
    assert solution.rename_tag(root, "work", "job") == 1
    assert root["tags"] is tags
    assert tags == ["a", "job", "b"]


def test_any_depth():
    root = note("x", note("work", note("work y", note("z"))), note("Work"))
    assert solution.rename_tag(root, "work", "job") == 3
    assert root == note("x", note("job", note("job y", note("z"))), note("job"))


def test_old_in_any_case():
    root = note("WORK a")
    assert solution.rename_tag(root, "Work", "job") == 1
    assert root["tags"] == ["job", "a"]


def test_several_matches():
    root = note("a Work b work c WORK")
    assert solution.rename_tag(root, "work", "job") == 1
    assert root["tags"] == ["a", "job", "b", "c"]


def test_new_is_there_before_and_after():
    root = note("", note("job a work"), note("work a job"), note("Work job work"))
    assert solution.rename_tag(root, "work", "job") == 3
    assert [child["tags"] for child in root["children"]] == [["job", "a"], ["a", "job"], ["job"]]


def test_new_in_other_case_is_another_tag():
    root = note("Job work")
    assert solution.rename_tag(root, "work", "job") == 1
    assert root["tags"] == ["Job", "job"]


def test_other_tags_are_not_de_duplicated():
    root = note("a a work b b", note("c c job job"))
    assert solution.rename_tag(root, "work", "job") == 1
    assert root == note("a a job b b", note("c c job job"))


def test_parts_of_words_stay():
    root = note("worker homework")
    assert solution.rename_tag(root, "work", "job") == 0
    assert root["tags"] == ["worker", "homework"]


def test_lists_are_the_same_objects():
    child = note("work x work")
    root = note("y", child)
    before = [root["tags"], child["tags"], root["children"]]
    solution.rename_tag(root, "work", "job")
    assert root["tags"] is before[0]
    assert child["tags"] is before[1]
    assert root["children"] is before[2]


@pytest.mark.parametrize("new", ["work", "Work", "WORK"])
def test_same_tag(new):
    root = note("work WORK", note("Work"))
    before = copy.deepcopy(root)
    with pytest.raises(ValueError) as caught:
        solution.rename_tag(root, "work", new)
    assert str(caught.value) == "same tag: work"
    assert root == before


@pytest.mark.parametrize("new", ["", "  "])
def test_empty_tag(new):
    root = note("work")
    with pytest.raises(ValueError) as caught:
        solution.rename_tag(root, "work", new)
    assert str(caught.value) == "empty tag"
    assert root == note("work")


def test_print(capsys):
    solution.print_tags(note("b work", note("work a"), note("work Work b")))
    assert capsys.readouterr().out == "work  3\nb     2\nWork  1\na     1\n"


def test_print_counts_notes(capsys):
    solution.print_tags(note("a a a b", note("b")))
    assert capsys.readouterr().out == "b  2\na  1\n"


def test_print_three_equal(capsys):
    solution.print_tags(note("c a b"))
    assert capsys.readouterr().out == "a  1\nb  1\nc  1\n"


def test_print_wide_counts(capsys):
    solution.print_tags(note("todo", *(note("x") for _ in range(12))))
    assert capsys.readouterr().out == "x     12\ntodo   1\n"


def test_print_no_tags(capsys):
    solution.print_tags(note("", note("")))
    assert capsys.readouterr().out == "(no tags)\n"
