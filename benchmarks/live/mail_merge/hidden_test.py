import os

import pytest

import solution

ADA = {"id": "p1", "name": "Ada", "town": "Ulm"}
BO = {"id": "p2", "name": "Bo", "town": ""}


def test_letters(tmp_path, capsys):
    names = solution.merge("Dear [[name]] of [[town]]!\n", [BO, ADA], tmp_path)
    assert names == ["p2.txt", "p1.txt"]
    assert (tmp_path / "p1.txt").read_text() == "Dear Ada of Ulm!\n"
    assert (tmp_path / "p2.txt").read_text() == "Dear Bo of !\n"
    assert capsys.readouterr().out == "written: 2, unchanged: 0\n"


def test_creates_folder_with_parents(tmp_path):
    solution.merge("x", [ADA], str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b" / "p1.txt").read_text() == "x"


def test_placeholder_twice_and_id(tmp_path):
    solution.merge("[[name]][[name]] [[id]]", [ADA], tmp_path)
    assert (tmp_path / "p1.txt").read_text() == "AdaAda p1"


def test_other_brackets_are_text(tmp_path):
    text = "[name] [[first name]] [[]] [[a-b]] {name} [[ name ]]"
    solution.merge(text, [ADA], tmp_path)
    assert (tmp_path / "p1.txt").read_text() == text


def test_values_are_not_filled_in_again(tmp_path):
    person = {"id": "p3", "name": "[[id]]", "town": "[[name]] \\1 {id}"}
    solution.merge("[[town]], [[name]], [[id]]", [person], tmp_path)
    assert (tmp_path / "p3.txt").read_text() == "[[name]] \\1 {id}, [[id]], p3"
    person = {"id": "p4", "name": "[[town]]", "town": "Ulm"}
    solution.merge("[[town]], [[name]], [[id]]", [person], tmp_path)
    assert (tmp_path / "p4.txt").read_text() == "Ulm, [[town]], p4"


def test_missing_field(tmp_path, capsys):
    with pytest.raises(solution.MissingField) as caught:
        solution.merge("[[name]] [[town]]", [ADA, {"id": "p7", "name": "Cy"}], tmp_path / "out")
    assert (caught.value.person_id, caught.value.field) == ("p7", "town")
    assert str(caught.value) == "p7 has no field 'town'"
    assert not (tmp_path / "out").exists()
    assert capsys.readouterr().out == ""


def test_missing_field_leaves_old_letters(tmp_path):
    (tmp_path / "p1.txt").write_text("old")
    with pytest.raises(solution.MissingField):
        solution.merge("[[name]]", [ADA, {"id": "p7"}], tmp_path)
    assert (tmp_path / "p1.txt").read_text() == "old"
    assert not (tmp_path / "p7.txt").exists()


def test_first_person_then_first_field(tmp_path):
    people = [ADA, {"id": "p8", "town": "Rom"}, {"id": "p9"}]
    with pytest.raises(solution.MissingField) as caught:
        solution.merge("[[town]] [[zip]] [[name]]", people[1:], tmp_path)
    assert (caught.value.person_id, caught.value.field) == ("p8", "zip")
    with pytest.raises(solution.MissingField) as caught:
        solution.merge("[[town]] [[name]]", people, tmp_path)
    assert (caught.value.person_id, caught.value.field) == ("p8", "name")


def test_unchanged_is_left_alone(tmp_path, capsys):
    (tmp_path / "p1.txt").write_text("Dear Ada")
    (tmp_path / "p2.txt").write_text("Dear Bob")
    os.utime(tmp_path / "p1.txt", (1000, 1000))
    assert solution.merge("Dear [[name]]", [ADA, BO], tmp_path) == ["p2.txt"]
    assert (tmp_path / "p1.txt").stat().st_mtime == 1000
    assert (tmp_path / "p2.txt").read_text() == "Dear Bo"
    assert capsys.readouterr().out == "written: 1, unchanged: 1\n"


def test_other_files_stay(tmp_path):
    (tmp_path / "p5.txt").write_text("other")
    solution.merge("x", [ADA], tmp_path)
    assert (tmp_path / "p5.txt").read_text() == "other"


def test_no_people(tmp_path, capsys):
    assert solution.merge("[[name]]", [], tmp_path / "out") == []
    assert not (tmp_path / "out").exists()
    assert capsys.readouterr().out == "written: 0, unchanged: 0\n"


def test_utf8_and_arguments_stay(tmp_path):
    person = {"id": "p4", "name": "Zoë", "extra": "1"}
    solution.merge("[[name]] – ß", [person], tmp_path)
    assert (tmp_path / "p4.txt").read_bytes() == "Zoë – ß".encode()
    assert person == {"id": "p4", "name": "Zoë", "extra": "1"}
