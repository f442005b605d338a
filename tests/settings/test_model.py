"""Settings are strict about their values, and know which of them change the result."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tdgen.errors import InputError
from tdgen.settings import Budget, Settings
from tdgen.types import Limits, digest


@pytest.mark.parametrize(
    ("settings", "modules"),
    [
        ({}, set()),
        ({"allow": ("numpy", "signal")}, {"numpy", "signal"}),
        (
            {"allow_loopback": True},
            {"socket", "socketserver", "ssl", "http.client", "http.server", "urllib.request"},
        ),
        ({"allow_run": ("git",)}, {"subprocess"}),
    ],
    ids=["nothing", "what is named", "the loopback", "a program"],
)
def test_what_is_opened_may_be_imported(settings: dict[str, Any], modules: set[str]):
    """To open the loopback or a program means nothing without the modules that reach it."""
    assert set(Settings(**settings).allow) == modules


class TestIdentity:
    """The part of the settings that a cache key holds."""

    @pytest.mark.parametrize(
        "changed",
        [
            {"model": "other"},
            {"planner_model": "other"},
            {"tester_model": "other"},
            {"developer_model": "other"},
            {"trial_model": "other"},
            {"temperature": 0.0},
            {"trust": "strict"},
            {"questions": "ask"},
            {"python": "3.12"},
            {"language": "javascript"},
            {"allow": ("numpy",)},
            {"allow_loopback": True},
            {"allow_run": ("git",)},
            {"forbid": ("os",)},
            {"sandbox": "unsafe"},
        ],
        ids=lambda changed: next(iter(changed)),
    )
    def test_what_changes_the_result(self, changed: dict[str, Any]):
        """Another value, another key."""
        assert Settings(**changed).identity() != Settings().identity()

    @pytest.mark.parametrize(
        "changed",
        [
            {"base_url": "http://localhost:1/v1"},
            {"api_key": "secret"},
            {"timeout": 1.0},
            {"retries": 0},
            {"rpm": 3},
            {"concurrency": 1},
            {"sandbox": "docker"},
            {"docker_runtime": "runsc"},
            {"limits": Limits(wall_s=1)},
            {"budget": Budget(calls=1)},
            {"search_seconds": 0.0},
            {"gate_seconds": 5.0},
            {"max_functions": 3},
            {"cache_dir": "there"},
            {"store": "redis://there"},
            {"store_key": "secret"},
            {"store_read_only": True},
            {"transcript": "there"},
            {"fresh": True},
        ],
        ids=lambda changed: next(iter(changed)),
    )
    def test_what_does_not(self, changed: dict[str, Any]):
        """How long and where a run may work costs nothing anew."""
        assert Settings(**changed).identity() == Settings().identity()

    def test_every_setting_is_decided(self):
        """A setting that is added is added to one of the two lists above, too."""
        decided = {
            name
            for test in (self.test_what_changes_the_result, self.test_what_does_not)
            for mark in test.pytestmark
            for changed in mark.args[1]
            for name in changed
        }
        assert decided | {"script"} == set(Settings.model_fields)

    def test_lists_are_sets(self):
        """Neither order nor repetition makes another key."""
        assert Settings(allow=("b", "a", "b")).identity() == Settings(allow=("a", "b")).identity()

    def test_a_role_given_the_common_model_is_no_change(self):
        """It is asked the same model either way."""
        assert Settings(model="m", tester_model="m").identity() == Settings(model="m").identity()

    def test_a_scripts_content_counts_not_its_name(self, tmp_path: Path):
        """A script that was edited answers otherwise."""
        for name, text in (("one", "a"), ("two", "a"), ("three", "b")):
            (tmp_path / name).write_text(text)
        one, two, three = (Settings(script=str(tmp_path / name)).identity() for name in ("one", "two", "three"))
        assert one == two
        assert one != three
        assert one != Settings().identity()

    def test_a_script_that_is_not_there(self, tmp_path: Path):
        """Is an input error that names it."""
        with pytest.raises(InputError, match=r"the script .*none can't be read: No such file"):
            Settings(script=str(tmp_path / "none")).identity()

    def test_it_is_plain_data_without_the_key(self):
        """It goes into a digest, and an API key into nothing."""
        identity = Settings(api_key="secret-key").identity()
        assert digest(identity).startswith("sha256:")
        assert "secret-key" not in json.dumps(identity)


class TestTheEndpoint:
    """Who is asked is known from the environment, unless it is given."""

    @pytest.fixture(autouse=True)
    def environment(self, monkeypatch: pytest.MonkeyPatch):
        """OpenAI's own variables."""
        monkeypatch.setenv("OPENAI_API_KEY", "theirs")
        monkeypatch.setenv("OPENAI_BASE_URL", "http://theirs/v1")

    def test_key_and_address_of_the_environment(self):
        """As on the command line."""
        settings = Settings()
        assert (settings.api_key.get_secret_value(), settings.base_url) == ("theirs", "http://theirs/v1")

    def test_tdgens_own_variables_come_first(self, monkeypatch: pytest.MonkeyPatch):
        """As on the command line."""
        monkeypatch.setenv("TDGEN_API_KEY", "ours")
        monkeypatch.setenv("TDGEN_BASE_URL", "")
        settings = Settings()
        assert (settings.api_key.get_secret_value(), settings.base_url) == ("ours", "http://theirs/v1")

    def test_told_not_to(self):
        """What is given counts, also where it is nothing."""
        settings = Settings(api_key="", base_url="")
        assert (settings.api_key.get_secret_value(), settings.base_url) == ("", "")

    def test_a_change_reads_nothing_anew(self, monkeypatch: pytest.MonkeyPatch):
        """Nor do settings that were loaded, whose key a project's endpoint may not see."""
        settings = Settings(api_key="", base_url="")
        assert settings.changed(trust="quick").base_url == ""
        assert Settings.model_validate({}).base_url == ""


class TestValues:
    """What a setting may be."""

    def test_a_folder_may_be_a_path(self, tmp_path: Path):
        """As everywhere in Python."""
        assert Settings(cache_dir=tmp_path).cache_dir == str(tmp_path)

    @pytest.mark.parametrize(
        ("make", "said"),
        [
            (
                lambda: Settings(trust="blind"),
                "^trust: 'blind' is refused: it should be 'quick', 'standard' or 'strict'$",
            ),
            (
                lambda: Settings().changed(allow_net="x"),
                r"^allow_net is gone: .* --allow-loopback \(allow_loopback = true\)$",
            ),
            (lambda: Settings(trsut="quick"), r"^trsut is no setting of tdgen \(did you mean trust\?\)$"),
            (lambda: Settings(limits={"wall": 3}), "^limits.wall is no setting of tdgen$"),
            (lambda: Settings(api_key=object()), "^api_key is no text$"),
            (lambda: Settings(budget="cals=3"), "^budget: there is no limit 'cals'"),
            (lambda: Settings(budget={"calls": -1}), "^budget.calls: -1 is refused"),
            (lambda: Budget(calls="many"), "^the budget's calls: 'many' is no number"),
        ],
        ids=["value", "gone", "name", "limit", "key", "budget", "nested", "a budget alone"],
    )
    def test_the_constructor_raises_one_line(self, make: Callable[[], object], said: str):
        """A TdgenError, as everything that a user got wrong."""
        with pytest.raises(InputError, match=said):
            make()

    @pytest.mark.parametrize("text", ["numpy,pandas", " numpy , pandas,", ["numpy", "pandas"]])
    def test_lists_may_be_text(self, text: object):
        """With commas, as variables and flags have them."""
        assert Settings.model_validate({"allow": text}).allow == ("numpy", "pandas")

    @pytest.mark.parametrize("budget", ["calls=3", "3", 3, {"calls": 3}, Budget(calls=3)])
    def test_a_budget_may_be_text(self, budget: object):
        """As `--budget` has it."""
        assert Settings.model_validate({"budget": budget}).budget == Budget(calls=3)

    @pytest.mark.parametrize("name", ["cache_dir", "script", "transcript"])
    @pytest.mark.parametrize("place", ["~/x", Path("~/x")], ids=["text", "path"])
    def test_a_home_is_found(self, name: str, place: str | Path, monkeypatch: pytest.MonkeyPatch):
        """A path's leading ~ is the user's home also where no shell has read it."""
        monkeypatch.setenv("HOME", "/home/ann")
        assert getattr(Settings(**{name: place}), name) == "/home/ann/x"

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("cache_dir", "a\0b"),
            ("transcript", "a\0b"),
            ("script", "~nobody-of-this-name/x"),
            ("python", "2.7"),
            ("python", "3.12.1"),
            ("python", "3.٣"),
            ("temperature", 3),
            ("trust", "blind"),
            ("sandbox", "none"),
            ("rpm", 0),
            ("unknown", 1),
        ],
    )
    def test_what_a_setting_can_not_be(self, name: str, value: object):
        """Each is refused by its name."""
        with pytest.raises(ValidationError, match=name):
            Settings.model_validate({name: value})

    def test_a_key_does_not_show(self):
        """Neither in print nor in a dump."""
        settings = Settings(api_key="secret-key")
        assert "secret-key" not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"
