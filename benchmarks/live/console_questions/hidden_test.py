import io

import pytest

import solution

PROMPT = "Seats? [1-8]: "


@pytest.fixture
def typed(monkeypatch):
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_right_at_once(typed, capsys):
    typed("5\n")
    assert solution.ask_number("Seats?", 1, 8, 3) == 5
    assert capsys.readouterr().out == PROMPT


@pytest.mark.parametrize("answer", ["1", "8", "  8  "])
def test_bounds_are_included(typed, capsys, answer):
    typed(answer + "\n")
    assert solution.ask_number("Seats?", 1, 8, 1) == int(answer)
    assert capsys.readouterr().out == PROMPT


def test_outside(typed, capsys):
    typed("9\n0\n2\n")
    assert solution.ask_number("Seats?", 1, 8, 3) == 2
    message = "Please stay between 1 and 8.\n"
    assert capsys.readouterr().out == PROMPT + message + PROMPT + message + PROMPT


@pytest.mark.parametrize("answer", ["two", "2.0", "+2", "1_0", "--2"])
def test_no_whole_number(typed, capsys, answer):
    typed(answer + "\n3\n")
    assert solution.ask_number("Seats?", 1, 8, 2) == 3
    assert capsys.readouterr().out == PROMPT + "That is not a whole number.\n" + PROMPT


def test_empty_is_no_try(typed, capsys):
    typed("\n   \n\nx\n\n4\n")
    assert solution.ask_number("Seats?", 1, 8, 2) == 4
    assert capsys.readouterr().out == PROMPT * 4 + "That is not a whole number.\n" + PROMPT * 2


def test_too_many_tries(typed, capsys):
    typed(" x \n\n9\n-1\n5\n")
    with pytest.raises(solution.TooManyTries) as caught:
        solution.ask_number("Seats?", 1, 8, 3)
    assert caught.value.question == "Seats?"
    assert caught.value.answers == ["x", "9", "-1"]
    message = "Please stay between 1 and 8.\n"
    assert capsys.readouterr().out == (
        PROMPT + "That is not a whole number.\n" + PROMPT * 2 + message + PROMPT + message
    )


def test_negative_range(typed, capsys):
    typed("-3\n")
    assert solution.ask_number("Temp", -5, 0, 1) == -3
    assert capsys.readouterr().out == "Temp [-5-0]: "


def test_end_of_input(typed):
    typed("x\n")
    with pytest.raises(EOFError):
        solution.ask_number("Seats?", 1, 8, 3)
    typed("")
    with pytest.raises(EOFError):
        solution.ask_choice("Colour?", ["red"])


def test_choice_by_number(typed, capsys):
    typed("2\n")
    assert solution.ask_choice("Colour?", ["red", "Dark Blue"]) == "Dark Blue"
    assert capsys.readouterr().out == "Colour?\n  1) red\n  2) Dark Blue\n> "


def test_choice_by_text_in_any_case(typed):
    typed("  dark BLUE \n")
    assert solution.ask_choice("Colour?", ["red", "Dark Blue"]) == "Dark Blue"


def test_choice_again(typed, capsys):
    typed("3\n0\n\nre\n-1\nred\n")
    assert solution.ask_choice("Colour?", ["red", "blue"]) == "red"
    assert capsys.readouterr().out == "Colour?\n  1) red\n  2) blue\n" + "> ?\n" * 5 + "> "


def test_options_stay(typed):
    typed("1\n")
    options = ["Red", "blue"]
    solution.ask_choice("Colour?", options)
    assert options == ["Red", "blue"]
