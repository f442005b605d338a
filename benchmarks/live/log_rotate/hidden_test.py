import pytest

import solution


def fill(folder, **files):
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)


def state(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_shifts(tmp_path):
    fill(tmp_path, app_log="now", app_log_1="one", app_log_2="two")
    assert solution.rotate(tmp_path / "app.log", 5) is True
    assert state(tmp_path) == {"app.log": "", "app.log.1": "now", "app.log.2": "one", "app.log.3": "two"}


def test_first_time(tmp_path):
    fill(tmp_path, app_log="now")
    assert solution.rotate(str(tmp_path / "app.log"), 1) is True
    assert state(tmp_path) == {"app.log": "", "app.log.1": "now"}


def test_oldest_goes(tmp_path):
    fill(tmp_path, app_log="now", app_log_1="one", app_log_2="two")
    solution.rotate(tmp_path / "app.log", 2)
    assert state(tmp_path) == {"app.log": "", "app.log.1": "now", "app.log.2": "one"}


def test_keep_one(tmp_path):
    fill(tmp_path, app_log="now", app_log_1="one")
    solution.rotate(tmp_path / "app.log", 1)
    assert state(tmp_path) == {"app.log": "", "app.log.1": "now"}


def test_beyond_keep_is_untouched(tmp_path):
    fill(tmp_path, app_log="now", app_log_1="one", app_log_2="two", app_log_3="three", app_log_7="seven")
    solution.rotate(tmp_path / "app.log", 2)
    assert state(tmp_path) == {
        "app.log": "",
        "app.log.1": "now",
        "app.log.2": "one",
        "app.log.3": "three",
        "app.log.7": "seven",
    }


def test_gap_stops_the_shift(tmp_path):
    fill(tmp_path, app_log="now", app_log_1="one", app_log_3="three", app_log_4="four")
    solution.rotate(tmp_path / "app.log", 4)
    assert state(tmp_path) == {
        "app.log": "",
        "app.log.1": "now",
        "app.log.2": "one",
        "app.log.3": "three",
        "app.log.4": "four",
    }


def test_gap_at_one(tmp_path):
    fill(tmp_path, app_log="now", app_log_2="two", app_log_3="three")
    solution.rotate(tmp_path / "app.log", 3)
    assert state(tmp_path) == {"app.log": "", "app.log.1": "now", "app.log.2": "two", "app.log.3": "three"}


def test_keep_zero(tmp_path):
    fill(tmp_path, app_log="now", app_log_1="one")
    assert solution.rotate(tmp_path / "app.log", 0) is True
    assert state(tmp_path) == {"app.log": "", "app.log.1": "one"}


def test_empty_log(tmp_path):
    fill(tmp_path, app_log="", app_log_1="one")
    assert solution.rotate(tmp_path / "app.log", 3) is False
    assert state(tmp_path) == {"app.log": "", "app.log.1": "one"}


def test_missing_log(tmp_path):
    fill(tmp_path, app_log_1="one")
    assert solution.rotate(tmp_path / "app.log", 3) is False
    assert state(tmp_path) == {"app.log.1": "one"}


def test_negative_keep(tmp_path):
    fill(tmp_path, app_log="now", app_log_1="one")
    with pytest.raises(ValueError) as caught:
        solution.rotate(tmp_path / "app.log", -1)
    assert str(caught.value) == "keep must not be negative"
    assert state(tmp_path) == {"app.log": "now", "app.log.1": "one"}
    with pytest.raises(ValueError):
        solution.rotate(tmp_path / "no.log", -1)


def test_other_files_stay(tmp_path):
    fill(tmp_path, app_log="now", app_log_old="old", web_log_1="web")
    solution.rotate(tmp_path / "app.log", 3)
    assert state(tmp_path) == {"app.log": "", "app.log.1": "now", "app.log.old": "old", "web.log.1": "web"}


def test_backups_by_number(tmp_path):
    fill(tmp_path, app_log_10="x", app_log_2="x", app_log_1="x", app_log="x")
    assert solution.backups(tmp_path / "app.log") == ["app.log.1", "app.log.2", "app.log.10"]


def test_backups_are_only_numbers(tmp_path):
    fill(tmp_path, app_log_old="x", app_log_1_gz="x", app_log_01="x", app_log_0="x", app_log_3="x", my_app_log_1="x")
    (tmp_path / "appxlog.4").write_text("x")
    assert solution.backups(str(tmp_path / "app.log")) == ["app.log.3"]


def test_no_backups(tmp_path):
    assert solution.backups(tmp_path / "app.log") == []
