import sys

import pytest

import solution


def lines(capsys, count, label="mail"):
    solution.process(range(count), lambda item: item, label)
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_results_in_order():
    assert solution.process([3, 1, 2], lambda item: item * 10, "x") == [30, 10, 20]


def test_seven(capsys):
    assert lines(capsys, 7) == "mail: 0%\nmail: 28%\nmail: 57%\nmail: 85%\nmail: 100%\n"


def test_three(capsys):
    assert lines(capsys, 3, "a b") == "a b: 0%\na b: 33%\na b: 66%\na b: 100%\n"


def test_one(capsys):
    assert lines(capsys, 1) == "mail: 0%\nmail: 100%\n"


def test_two(capsys):
    assert lines(capsys, 2) == "mail: 0%\nmail: 50%\nmail: 100%\n"


def test_four_marks_are_reached_exactly(capsys):
    assert lines(capsys, 4) == "mail: 0%\nmail: 25%\nmail: 50%\nmail: 75%\nmail: 100%\n"


def test_many(capsys):
    assert lines(capsys, 1000) == "mail: 0%\nmail: 25%\nmail: 50%\nmail: 75%\nmail: 100%\n"


def test_six(capsys):
    assert lines(capsys, 6) == "mail: 0%\nmail: 33%\nmail: 50%\nmail: 83%\nmail: 100%\n"


def test_nine(capsys):
    assert lines(capsys, 9) == "mail: 0%\nmail: 33%\nmail: 55%\nmail: 77%\nmail: 100%\n"


def test_nothing_to_do(capsys):
    assert solution.process([], lambda item: item, "mail") == []
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "mail: nothing to do\n")


def test_generators(capsys):
    assert solution.process((n for n in range(2)), lambda item: -item, "g") == [0, -1]
    assert capsys.readouterr().err == "g: 0%\ng: 50%\ng: 100%\n"
    assert solution.process(iter(()), lambda item: item, "g") == []
    assert capsys.readouterr().err == "g: nothing to do\n"


def test_zero_percent_comes_first(capsys):
    solution.process(["w"], lambda item: print(item, file=sys.stderr), "j")
    assert capsys.readouterr().err == "j: 0%\nw\nj: 100%\n"


def test_work_raises(capsys):
    problem, worked = RuntimeError("full"), []

    def work(item):
        worked.append(item)
        if item == 3:
            raise problem

    with pytest.raises(RuntimeError) as caught:
        solution.process([1, 2, 3, 4, 5, 6, 7], work, "mail")
    assert caught.value is problem
    assert worked == [1, 2, 3]
    assert capsys.readouterr().err == "mail: 0%\nmail: 28%\nmail: stopped at item 3 of 7\n"


def test_first_item_raises(capsys):
    with pytest.raises(ZeroDivisionError):
        solution.process([0], lambda item: 1 // item, "m")
    assert capsys.readouterr().err == "m: 0%\nm: stopped at item 1 of 1\n"
