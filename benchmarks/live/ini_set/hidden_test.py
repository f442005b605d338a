import os

import pytest

import solution

TEXT = """# main settings
[server]
; port = 1
port=80

# who
host =  local host
# end of server

[client]
port = 5

[empty]
# nothing yet
"""


@pytest.fixture
def conf(tmp_path):
    path = tmp_path / "app.ini"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_changed_in_place(conf):
    assert solution.set_option(conf, "server", "port", "8080") == "changed"
    assert conf.read_text(encoding="utf-8") == TEXT.replace("port=80", "port = 8080")


def test_changed_in_the_right_section(conf):
    assert solution.set_option(conf, "client", "port", "80") == "changed"
    assert conf.read_text(encoding="utf-8") == TEXT.replace("port = 5", "port = 80")


def test_unchanged_is_not_written(conf):
    os.utime(conf, (1000, 1000))
    assert solution.set_option(conf, "server", "port", "80") == "unchanged"
    assert solution.set_option(conf, "server", "host", "local host") == "unchanged"
    assert conf.read_text(encoding="utf-8") == TEXT
    assert conf.stat().st_mtime == 1000


def test_comment_with_the_key_stays(conf):
    solution.set_option(conf, "server", "port", "1")
    assert "; port = 1\nport = 1\n" in conf.read_text(encoding="utf-8")


def test_added_after_the_last_option(conf):
    assert solution.set_option(conf, "server", "mode", "fast") == "added"
    assert conf.read_text(encoding="utf-8") == TEXT.replace(
        "host =  local host\n", "host =  local host\nmode = fast\n"
    )


def test_option_of_another_section_is_not_found(conf):
    assert solution.set_option(conf, "client", "host", "x") == "added"
    assert conf.read_text(encoding="utf-8") == TEXT.replace("port = 5\n", "port = 5\nhost = x\n")


def test_added_after_the_header(conf):
    assert solution.set_option(conf, "empty", "a", "1") == "added"
    assert conf.read_text(encoding="utf-8") == TEXT.replace("[empty]\n", "[empty]\na = 1\n")


def test_new_section(conf):
    assert solution.set_option(conf, "log", "level", "info") == "added"
    assert conf.read_text(encoding="utf-8") == TEXT + "\n[log]\nlevel = info\n"


def test_keys_are_case_sensitive(conf):
    assert solution.set_option(conf, "client", "Port", "5") == "added"
    assert "port = 5\nPort = 5\n" in conf.read_text(encoding="utf-8")


def test_missing_file(tmp_path):
    path = tmp_path / "new.ini"
    assert solution.set_option(path, "a", "b", "c") == "added"
    assert path.read_text(encoding="utf-8") == "[a]\nb = c\n"


def test_empty_file(tmp_path):
    path = tmp_path / "new.ini"
    path.write_text("", encoding="utf-8")
    assert solution.set_option(path, "a", "b", "c") == "added"
    assert path.read_text(encoding="utf-8") == "[a]\nb = c\n"


def test_value_with_equals_sign(tmp_path):
    path = tmp_path / "x.ini"
    path.write_text("[db]\nurl = a?x=1\n", encoding="utf-8")
    assert solution.set_option(path, "db", "url", "a?x=1") == "unchanged"
    assert solution.set_option(path, "db", "url", "a?x=2") == "changed"
    assert path.read_text(encoding="utf-8") == "[db]\nurl = a?x=2\n"


def test_path_as_text(conf):
    assert solution.set_option(str(conf), "client", "port", "6") == "changed"
    assert "port = 6\n" in conf.read_text(encoding="utf-8")
