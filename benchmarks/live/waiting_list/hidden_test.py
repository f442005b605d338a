import pytest

import solution


def event(capacity, going, waiting=""):
    return {"capacity": capacity, "going": going.split(), "waiting": waiting.split()}


def test_join(capsys):
    course = event(2, "Ada")
    going, waiting = course["going"], course["waiting"]
    assert solution.join(course, "Bo") == "going"
    assert solution.join(course, "Cy") == "waiting"
    assert solution.join(course, "Di") == "waiting"
    assert course == event(2, "Ada Bo", "Cy Di")
    assert course["going"] is going
    assert course["waiting"] is waiting
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["Ada", "ada", " ADA ", "cy"])
def test_join_again(name):
    course = event(1, "Ada", "Cy")
    assert solution.join(course, name) == "already"
    assert course == event(1, "Ada", "Cy")


def test_join_strips_only():
    course = event(1, "")
    solution.join(course, "  mcKay ")
    assert course["going"] == ["mcKay"]


def test_cancel_promotes_the_first(capsys):
    course = event(2, "Ada Bo", "Cy Di")
    going, waiting = course["going"], course["waiting"]
    solution.cancel(course, " ada")
    assert course == event(2, "Bo Cy", "Di")
    assert capsys.readouterr().out == "Promoted: Cy\n"
    assert course["going"] is going
    assert course["waiting"] is waiting


def test_cancel_with_nobody_waiting(capsys):
    course = event(2, "Ada Bo")
    solution.cancel(course, "Bo")
    assert course == event(2, "Ada")
    assert capsys.readouterr().out == ""


def test_cancel_of_a_waiting_person_promotes_nobody(capsys):
    course = event(2, "Ada Bo", "Cy Di Ed")
    solution.cancel(course, "DI")
    assert course == event(2, "Ada Bo", "Cy Ed")
    assert capsys.readouterr().out == ""


def test_cancel_unknown(capsys):
    course = event(2, "Ada Bo", "Cy")
    with pytest.raises(solution.NotSignedUp) as caught:
        solution.cancel(course, "Dee")
    assert isinstance(caught.value, LookupError)
    assert caught.value.person == "Dee"
    assert str(caught.value) == "not signed up: Dee"
    assert course == event(2, "Ada Bo", "Cy")
    assert capsys.readouterr().out == ""


def test_bigger(capsys):
    course = event(1, "Ada", "Bo Cy Di")
    going, waiting = course["going"], course["waiting"]
    assert solution.resize(course, 3) == 2
    assert course == event(3, "Ada Bo Cy", "Di")
    assert capsys.readouterr().out == "Promoted: Bo\nPromoted: Cy\n"
    assert course["going"] is going
    assert course["waiting"] is waiting


def test_bigger_than_all(capsys):
    course = event(1, "Ada", "Bo")
    assert solution.resize(course, 9) == 1
    assert course == event(9, "Ada Bo")
    assert capsys.readouterr().out == "Promoted: Bo\n"


def test_smaller(capsys):
    course = event(4, "Ada Bo Cy Di", "Ed")
    going, waiting = course["going"], course["waiting"]
    assert solution.resize(course, 1) == 3
    assert course == event(1, "Ada", "Bo Cy Di Ed")
    assert capsys.readouterr().out == "Back to waiting: Bo\nBack to waiting: Cy\nBack to waiting: Di\n"
    assert course["going"] is going
    assert course["waiting"] is waiting


def test_smaller_to_zero(capsys):
    course = event(2, "Ada Bo", "Cy")
    assert solution.resize(course, 0) == 2
    assert course == event(0, "", "Ada Bo Cy")


def test_smaller_but_all_fit(capsys):
    course = event(4, "Ada Bo")
    assert solution.resize(course, 2) == 0
    assert course == event(2, "Ada Bo")
    assert capsys.readouterr().out == ""


def test_negative():
    course = event(2, "Ada Bo", "Cy")
    with pytest.raises(ValueError) as caught:
        solution.resize(course, -1)
    assert str(caught.value) == "capacity must not be negative"
    assert course == event(2, "Ada Bo", "Cy")


def test_printed_as_stored(capsys):
    course = event(1, "ADA", "boB")
    solution.cancel(course, "ada")
    assert capsys.readouterr().out == "Promoted: boB\n"
