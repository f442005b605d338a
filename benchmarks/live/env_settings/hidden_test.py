import logging
import os

import pytest

import solution

DEFAULTS = {"host": "localhost", "port": 80, "debug": False, "cache": True, "max_size": -1}


@pytest.fixture(autouse=True)
def clean(monkeypatch, caplog):
    for name in DEFAULTS:
        monkeypatch.delenv(f"APP_{name.upper()}", raising=False)
    caplog.set_level(logging.DEBUG)


def test_defaults_only(caplog):
    settings = solution.load_settings("APP", DEFAULTS)
    assert settings == DEFAULTS
    assert settings is not DEFAULTS
    assert caplog.record_tuples == []


def test_overrides(monkeypatch, caplog):
    monkeypatch.setenv("APP_MAX_SIZE", "-20")
    monkeypatch.setenv("APP_HOST", " db ")
    settings = solution.load_settings("APP", DEFAULTS)
    assert settings == {"host": " db ", "port": 80, "debug": False, "cache": True, "max_size": -20}
    assert list(settings) == list(DEFAULTS)
    assert caplog.record_tuples == [
        ("settings", logging.INFO, "host from APP_HOST"),
        ("settings", logging.INFO, "max_size from APP_MAX_SIZE"),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", True), ("TRUE", True), ("Yes", True), ("on", True), ("0", False), ("false", False), ("NO", False)],
)
def test_bools(monkeypatch, text, value):
    monkeypatch.setenv("APP_DEBUG", text)
    monkeypatch.setenv("APP_CACHE", f" {text} ")
    settings = solution.load_settings("APP", DEFAULTS)
    assert settings["debug"] is value
    assert settings["cache"] is value


def test_off(monkeypatch):
    monkeypatch.setenv("APP_CACHE", "Off")
    assert solution.load_settings("APP", DEFAULTS)["cache"] is False


def test_int_is_no_bool(monkeypatch):
    monkeypatch.setenv("APP_PORT", " 1 ")
    settings = solution.load_settings("APP", DEFAULTS)
    assert settings["port"] == 1
    assert settings["port"] is not True


@pytest.mark.parametrize("text", ["", "   "])
def test_empty_int_and_bool_are_not_set(monkeypatch, caplog, text):
    monkeypatch.setenv("APP_PORT", text)
    monkeypatch.setenv("APP_CACHE", text)
    assert solution.load_settings("APP", DEFAULTS) == DEFAULTS
    assert caplog.record_tuples == []


def test_empty_str_is_set(monkeypatch, caplog):
    monkeypatch.setenv("APP_HOST", "")
    assert solution.load_settings("APP", DEFAULTS)["host"] == ""
    assert caplog.messages == ["host from APP_HOST"]


def test_all_problems_at_once(monkeypatch, caplog):
    monkeypatch.setenv("APP_MAX_SIZE", "1.5")
    monkeypatch.setenv("APP_DEBUG", "maybe")
    monkeypatch.setenv("APP_PORT", "1_000")
    monkeypatch.setenv("APP_HOST", "db")
    with pytest.raises(solution.SettingsError) as caught:
        solution.load_settings("APP", DEFAULTS)
    assert caught.value.problems == ["APP_PORT: not an int", "APP_DEBUG: not a bool", "APP_MAX_SIZE: not an int"]
    assert str(caught.value) == "APP_PORT: not an int; APP_DEBUG: not a bool; APP_MAX_SIZE: not an int"
    assert caplog.record_tuples == []


def test_two_is_no_bool(monkeypatch):
    monkeypatch.setenv("APP_DEBUG", "2")
    with pytest.raises(solution.SettingsError) as caught:
        solution.load_settings("APP", DEFAULTS)
    assert caught.value.problems == ["APP_DEBUG: not a bool"]


def test_value_equal_to_the_default_is_logged(monkeypatch, caplog):
    monkeypatch.setenv("APP_PORT", "80")
    solution.load_settings("APP", DEFAULTS)
    assert caplog.messages == ["port from APP_PORT"]


def test_value_is_not_in_the_log(monkeypatch, caplog):
    monkeypatch.setenv("APP_HOST", "s3cret")
    solution.load_settings("APP", DEFAULTS)
    assert "s3cret" not in caplog.text


def test_other_prefix_and_strangers(monkeypatch):
    monkeypatch.setenv("WEB_PORT", "5")
    monkeypatch.setenv("WEB_COLOUR", "red")
    monkeypatch.setenv("PORT", "7")
    assert solution.load_settings("WEB", {"port": 80}) == {"port": 5}
    assert solution.load_settings("APP", {"port": 80}) == {"port": 80}


def test_read_at_each_call_and_nothing_changed(monkeypatch):
    defaults = {"port": 80}
    monkeypatch.setenv("APP_PORT", "1")
    before = dict(os.environ)
    assert solution.load_settings("APP", defaults) == {"port": 1}
    assert dict(os.environ) == before
    monkeypatch.setenv("APP_PORT", "2")
    assert solution.load_settings("APP", defaults) == {"port": 2}
    assert defaults == {"port": 80}
