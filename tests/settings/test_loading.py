"""Flags over TDGEN_* over `[tool.tdgen]` over the defaults; what can't be used is said with where it came from."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import InputError
from tdgen.settings import Budget, Settings, load_settings

Load = Callable[..., Settings]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load settings from flags, variables and the text of a `[tool.tdgen]` table, and nothing of this machine's."""

    def load(
        flags: dict[str, Any] | None = None, *, variables: dict[str, str] | None = None, table: str = ""
    ) -> Settings:
        (tmp_path / "pyproject.toml").write_text(f"[tool.tdgen]\n{table}")
        return load_settings(flags or {}, directory=tmp_path, environ=variables or {})

    return load


class TestPrecedence:
    """Who is heard first."""

    def test_nothing_given_is_the_defaults(self, load: Load):
        """Whatever they are."""
        assert load() == Settings()

    def test_each_place_over_the_next(self, load: Load):
        """Flags, then variables, then the project's table, then OpenAI's own variable."""
        everywhere = {"TDGEN_BASE_URL": "http://variable", "OPENAI_BASE_URL": "http://openai"}
        only_openai = {"OPENAI_BASE_URL": "http://openai"}
        table = "base_url = 'http://table'"
        assert load({"base_url": "http://flag"}, variables=everywhere, table=table).base_url == "http://flag"
        assert load(variables=everywhere, table=table).base_url == "http://variable"
        assert load(variables=only_openai, table=table).base_url == "http://table"
        assert load(variables=only_openai).base_url == "http://openai"

    def test_a_flag_of_none_was_not_given(self, load: Load):
        """So the next place is heard."""
        assert load({"model": None}, table="model = 'm'").model == "m"

    def test_a_false_flag_was_given(self, load: Load):
        """It is not None."""
        assert load({"fresh": False}, table="fresh = true").fresh is False

    def test_limits_of_a_budget_are_merged(self, load: Load):
        """Each limit comes from the first place that names it, however the budget is written there."""
        settings = load(
            {"budget": "calls=1"},
            variables={"TDGEN_BUDGET": "calls=2,seconds=2m", "TDGEN_BUDGET__ITERATIONS": "2"},
            table="budget = {calls = 3, seconds = 3, iterations = 3, tokens = '3k'}",
        )
        assert settings.budget == Budget(calls=1, seconds=120, iterations=2, tokens=3000)

    def test_a_whole_budget_is_whole(self, load: Load):
        """One that was made as such is not merged with others."""
        assert load({"budget": Budget(calls=1)}, table="budget = {seconds = 3}").budget == Budget(calls=1)

    @pytest.mark.parametrize("budget", ["40", "'calls=40'", "{calls = 40}"])
    def test_a_budget_in_the_table(self, load: Load, budget: str):
        """As a number, as text or as a table."""
        assert load(table=f"budget = {budget}").budget == Budget(calls=40)


class TestVariables:
    """TDGEN_* variables."""

    def test_values_of_every_kind(self, load: Load):
        """Text, numbers, truth, lists and nested ones."""
        settings = load(
            variables={
                "TDGEN_MODEL": "m",
                "TDGEN_TEMPERATURE": "0.5",
                "TDGEN_FRESH": "1",
                "TDGEN_ALLOW": "numpy, pandas",
                "TDGEN_BUDGET__CALLS": "none",
                "TDGEN_LIMITS__WALL_S": "7",
            }
        )
        assert (settings.model, settings.temperature, settings.fresh) == ("m", 0.5, True)
        assert settings.allow == ("numpy", "pandas")
        assert (settings.budget.calls, settings.budget.seconds) == (None, 600)
        assert (settings.limits.wall_s, settings.limits.cpu_s) == (7, 10)

    def test_an_empty_variable_is_not_set(self, load: Load):
        """As a shell has it."""
        assert load(variables={"TDGEN_TRUST": "", "OPENAI_API_KEY": ""}) == Settings()

    def test_other_variables_are_not_ours(self, load: Load):
        """Only the prefix counts."""
        assert load(variables={"MODEL": "x", "XTDGEN_MODEL": "x", "tdgen_model": "x"}) == Settings()

    def test_the_machines_environment_is_the_default(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        """Without one that is given."""
        monkeypatch.setenv("TDGEN_MODEL", "from-the-machine")
        assert load_settings({}, directory=tmp_path).model == "from-the-machine"


class TestKeys:
    """API keys go only where they were meant to."""

    @pytest.mark.parametrize("name", ["store", "store_key"])
    def test_a_project_names_no_store(self, load: Load, name: str):
        """Solutions would come from it; the address, which may hold a password, is not quoted."""
        with pytest.raises(InputError, match=f"which only you may: remove it and set TDGEN_{name.upper()}") as caught:
            load(table=f"{name} = 'redis://u:secret@elsewhere'")
        assert "secret" not in str(caught.value)

    def test_openais_key_stands_in(self, load: Load):
        """For one that nothing else gives."""
        assert load(variables={"OPENAI_API_KEY": "k"}).api_key.get_secret_value() == "k"
        both = {"OPENAI_API_KEY": "k", "TDGEN_API_KEY": "own"}
        assert load(variables=both).api_key.get_secret_value() == "own"

    def test_a_projects_endpoint_is_not_sent_openais_key(self, load: Load):
        """A pyproject.toml comes with code of others; the key was set for OpenAI."""
        table = "base_url = 'http://elsewhere/v1'"
        assert load(variables={"OPENAI_API_KEY": "k"}, table=table).api_key.get_secret_value() == ""
        assert load(variables={"TDGEN_API_KEY": "k"}, table=table).api_key.get_secret_value() == "k"

    @pytest.mark.parametrize(
        ("flags", "variables", "table"),
        [
            ({"base_url": "http://mine"}, {}, "base_url = 'http://elsewhere'"),
            ({}, {"TDGEN_BASE_URL": "http://mine"}, "base_url = 'http://elsewhere'"),
            ({}, {"OPENAI_BASE_URL": "http://mine"}, ""),
            ({}, {}, "base_url = 'https://api.openai.com/v1'"),
        ],
    )
    def test_the_users_own_endpoint_is(self, load: Load, flags, variables, table):
        """What the user named, or OpenAI itself, gets it."""
        settings = load(flags, variables={"OPENAI_API_KEY": "k", **variables}, table=table)
        assert settings.api_key.get_secret_value() == "k"

    def test_a_key_in_the_table_is_refused(self, load: Load, tmp_path: Path):
        """Without repeating it."""
        with pytest.raises(InputError, match=r"remove api_key .* set TDGEN_API_KEY") as caught:
            load(table="api_key = 'secret-key'")
        assert str(tmp_path / "pyproject.toml") in str(caught.value)
        assert "secret-key" not in str(caught.value)

    def test_a_key_of_a_wrong_kind_is_not_repeated(self, load: Load):
        """Neither is one that can't be."""
        with pytest.raises(InputError, match="the option api_key is no text") as caught:
            load({"api_key": ["secret-key"]})
        assert "secret-key" not in str(caught.value)

    def test_the_table_can_not_switch_the_sandbox_off(self, load: Load):
        """Only the user can, with a flag or a variable."""
        with pytest.raises(InputError, match="switches the sandbox off, which only you may"):
            load(table="sandbox = 'unsafe'")
        assert load({"sandbox": "unsafe"}).sandbox == "unsafe"


class TestProject:
    """The nearest pyproject.toml."""

    def test_it_is_looked_for_upwards(self, tmp_path: Path):
        """The nearest one counts, though it has no table of ours."""
        below = tmp_path / "a" / "b" / "c"
        below.mkdir(parents=True)
        (tmp_path / "pyproject.toml").write_text("[tool.tdgen]\nmodel = 'far'")
        assert load_settings({}, directory=below, environ={}).model == "far"
        (tmp_path / "a" / "pyproject.toml").write_text("[tool.tdgen]\nmodel = 'near'")
        assert load_settings({}, directory=below, environ={}).model == "near"
        (below / "pyproject.toml").write_text("[project]\nname = 'x'")
        assert load_settings({}, directory=below, environ={}).model == Settings().model

    def test_the_working_directory_is_the_default(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        """Without one that is given."""
        (tmp_path / "pyproject.toml").write_text("[tool.tdgen]\nmodel = 'here'")
        monkeypatch.chdir(tmp_path)
        assert load_settings({}, environ={}).model == "here"

    def test_a_working_directory_that_was_removed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        """Belongs to no project."""
        gone = tmp_path / "gone"
        gone.mkdir()
        monkeypatch.chdir(gone)
        gone.rmdir()
        assert load_settings({}, environ={}) == Settings()

    def test_its_paths_are_its_own(self, load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        """A relative path in it is relative to it, not to where the command was given."""
        monkeypatch.setenv("HOME", "/home/ann")
        settings = load(table="cache_dir = '.cache'\nscript = '/abs/script'\ntranscript = '~/t'")
        assert settings.cache_dir == str(tmp_path / ".cache")
        assert (settings.script, settings.transcript) == ("/abs/script", "/home/ann/t")

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"[tool.tdgen", "is no valid TOML: "),
            (b"\xff\xfe", "is no valid TOML: "),
            (b"tool = 3", "is no table"),
            (b"[tool]\ntdgen = 3", "is no table"),
        ],
    )
    def test_a_file_that_can_not_be_used(self, tmp_path: Path, content: bytes, said: str):
        """It is named, in one line."""
        (tmp_path / "pyproject.toml").write_bytes(content)
        with pytest.raises(InputError, match=said) as caught:
            load_settings({}, directory=tmp_path, environ={})
        assert str(tmp_path / "pyproject.toml") in str(caught.value)
        assert "\n" not in str(caught.value)


class TestRefusals:
    """One line: which setting, where it came from, what is wrong."""

    @pytest.mark.parametrize(
        ("flags", "variables", "table", "said"),
        [
            ({"modle": "m"}, {}, "", r"the option modle is no setting of tdgen \(did you mean model\?\)"),
            ({"allow_net": ["x.org"]}, {}, "", "the option allow_net is gone: .* --allow-loopback"),
            ({}, {"TDGEN_ALLOW_NET": "x.org"}, "", "TDGEN_ALLOW_NET is gone: .* --allow-loopback"),
            ({}, {}, "allow_net = ['x.org']", r"allow_net in \[tool.tdgen\] of .* is gone: .* --allow-loopback"),
            ({}, {"TDGEN_MODLE": "m"}, "", r"TDGEN_MODLE is no setting of tdgen \(did you mean TDGEN_MODEL\?\)"),
            ({}, {"TDGEN_BUDGET__CALS": "3"}, "", r"TDGEN_BUDGET__CALS is no setting .* mean calls\?"),
            ({}, {}, "modle = 'm'", r"modle in \[tool.tdgen\] of .*pyproject.toml is no setting .* mean model\?"),
            ({}, {}, "budget = {cals = 3}", r"budget.cals in \[tool.tdgen\] of .* is no setting .* mean calls\?"),
            ({"trust": "blind"}, {}, "", "the option trust: 'blind' is refused: it should be 'quick', 'standard' or"),
            (
                {"budget": "cals=3"},
                {},
                "",
                "the option budget: the budget 'cals=3' can't be read: there is no limit 'cals'",
            ),
            ({"python": "2.7"}, {}, "", "the option python: '2.7' is no version of Python such as 3.12"),
            ({"model": "x" * 999, "rpm": "x" * 999}, {}, "", "the option rpm: 'xxx.{0,60} is refused"),
            ({}, {"TDGEN_TEMPERATURE": "hot"}, "", "TDGEN_TEMPERATURE: 'hot' is refused: it should be a valid number"),
            ({}, {"TDGEN_BUDGET__CALLS": "few"}, "", "TDGEN_BUDGET__CALLS: 'few' is no number"),
            ({}, {"TDGEN_BUDGET": "calls=few"}, "", "TDGEN_BUDGET: the budget's calls: 'few' is no number"),
            ({}, {"TDGEN_LIMITS": "7"}, "", "TDGEN_LIMITS: '7' is refused"),
            ({}, {}, "model = 3", r"model in \[tool.tdgen\] of .*pyproject.toml: 3 is refused"),
            ({}, {}, "allow = ['numpy', 3]", r"allow in \[tool.tdgen\] of .*: 3 is refused"),
        ],
    )
    def test_what_is_said(self, load: Load, flags, variables, table, said: str):
        """For names and for values, from each place."""
        with pytest.raises(InputError, match=said) as caught:
            load(flags, variables=variables, table=table)
        assert "\n" not in str(caught.value)

    def test_the_place_that_counts_is_named(self, load: Load):
        """Not one that it overrides."""
        with pytest.raises(InputError, match=r"^TDGEN_TRUST: 'high'"):
            load(variables={"TDGEN_TRUST": "high"}, table="trust = 'higher'")

    def test_an_overridden_value_is_not_judged(self, load: Load):
        """What isn't used does no harm."""
        assert load({"trust": "quick"}, variables={"TDGEN_TRUST": "blind"}).trust == "quick"
