"""Where settings come from: flags over TDGEN_* variables over `[tool.tdgen]` of the nearest pyproject.toml.

A pyproject.toml may come with somebody else's code. So it can't hold a key, can't switch the sandbox off, can't name a
store to take solutions from, and an endpoint that it names is not sent the OPENAI_API_KEY that was set for OpenAI
(TDGEN_API_KEY it is).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from tdgen.errors import InputError
from tdgen.settings.base import GONE, nearest, parse_budget, refusal
from tdgen.settings.model import Settings

_PREFIX: Final = "TDGEN_"
_WITHIN: Final = "__"
_PATHS: Final = ("cache_dir", "script", "transcript")
_ABSENT: Final = object()


class Origin(NamedTuple):
    """Settings from one place, and how a setting of that place is called: `label("budget", "calls")`."""

    values: dict[str, Any]
    label: Callable[..., str]


def load_settings(
    flags: Mapping[str, Any], *, directory: Path | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """The settings of one run.

    `flags` are what the caller was given (None: not given), `directory` is where the search for a pyproject.toml
    starts upwards (the working directory), `environ` the environment. OPENAI_API_KEY and OPENAI_BASE_URL stand in where
    nothing else says the key or the endpoint. InputError, in one line with the setting and where it came from, for a
    name that is no setting, a value that can't be, and a file that can't be read.
    """
    environ = os.environ if environ is None else environ
    given = {n: v.model_dump() if isinstance(v, BaseModel) else v for n, v in flags.items() if v is not None}
    from_flags = _spelled_out(Origin(given, lambda *path: f"the option {'.'.join(path)}"))
    own = [from_flags, _from_environment(environ), _from_project(directory)]
    origins = [*own, _from_openai(environ, own)]
    try:
        return Settings.model_validate(_merged(origins))
    except ValidationError as error:
        raise _refusal(error.errors()[0], origins) from None


def _from_environment(environ: Mapping[str, str]) -> Origin:
    given = {name: value for name, value in environ.items() if name.startswith(_PREFIX) and value}
    named = {name.removeprefix(_PREFIX).lower(): value for name, value in given.items()}
    for name in given:
        field = name.removeprefix(_PREFIX).lower().partition(_WITHIN)[0]
        if field in GONE:
            raise InputError(f"{name} {GONE[field]}")
        if field not in Settings.model_fields:
            meant = nearest(name, (_variable(known) for known in Settings.model_fields))
            raise InputError(f"{name} is no setting of tdgen{meant}: unset it")
    origin = _spelled_out(Origin({name: value for name, value in named.items() if _WITHIN not in name}, _variable))
    # A single variable of a setting (TDGEN_BUDGET__CALLS) stands over its short form (TDGEN_BUDGET).
    for name in filter(lambda name: _WITHIN in name, named):
        field, _, part = name.partition(_WITHIN)
        whole = origin.values.get(field)
        origin.values[field] = {**(whole if isinstance(whole, dict) else {}), part: named[name]}
    return origin


def _from_project(directory: Path | None) -> Origin:
    path = _nearest_project(directory)
    if path is None:
        return Origin({}, str)
    import tomllib

    try:
        tools = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    except ValueError as error:
        raise InputError(f"{path} is no valid TOML: {error}") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}") from None
    table = tools.get("tdgen", {}) if isinstance(tools, dict) else None
    if not isinstance(table, dict):
        raise InputError(f"[tool.tdgen] in {path} is no table")
    _refuse_dangers(table, path)
    for name in _PATHS:
        if isinstance(table.get(name), str) and table[name] and not table[name].startswith("~"):
            table[name] = str(path.parent / table[name])
    return _spelled_out(Origin(table, lambda *keys: f"{'.'.join(keys)} in [tool.tdgen] of {path}"))


def _from_openai(environ: Mapping[str, str], own: list[Origin]) -> Origin:
    """What OpenAI's own variables say."""
    names = {"api_key": "OPENAI_API_KEY", "base_url": "OPENAI_BASE_URL"}
    values = {setting: environ[name] for setting, name in names.items() if environ.get(name)}
    flags, variables, project = (origin.values.get("base_url") for origin in own)
    if project and not flags and not variables:
        parts = urlsplit(str(project))
        if (parts.scheme, parts.hostname) != ("https", "api.openai.com"):
            values.pop("api_key", None)
    return Origin(values, lambda *path: names[path[0]])


def _refuse_dangers(table: Mapping[str, Any], path: Path) -> None:
    if "api_key" in table:
        advice = "such a file is shared: remove api_key from [tool.tdgen] and set TDGEN_API_KEY"
        raise InputError(f"{path} holds an API key, and {advice}")
    for name in ("store", "store_key"):
        if name in table:
            raise InputError(f"{path} names a {name}, which only you may: remove it and set {_variable(name)}")
    if table.get("sandbox") == "unsafe":
        raise InputError(f"{path} switches the sandbox off, which only you may: remove it and give --sandbox unsafe")


def _nearest_project(directory: Path | None) -> Path | None:
    try:
        start = Path(directory or Path.cwd()).absolute()
        paths = (folder / "pyproject.toml" for folder in (start, *start.parents))
        return next((path for path in paths if path.is_file()), None)
    except OSError:
        # A working directory that was removed, or that may not be read, belongs to no project.
        return None


def _spelled_out(origin: Origin) -> Origin:
    """The origin with a budget that was given as text or a number by its limits, so that it can be merged."""
    budget = origin.values.get("budget")
    if not isinstance(budget, str | int):
        return origin
    try:
        return origin._replace(values={**origin.values, "budget": parse_budget(str(budget))})
    except InputError as error:
        raise InputError(f"{origin.label('budget')}: {error}") from None


def _merged(origins: list[Origin]) -> dict[str, Any]:
    """All settings, those of the first origins over those of the later."""
    merged: dict[str, Any] = {}
    for origin in reversed(origins):
        for name, value in origin.values.items():
            below = merged.get(name)
            merged[name] = {**below, **value} if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _refusal(error: Mapping[str, Any], origins: list[Origin]) -> InputError:
    """One line of what pydantic found: which setting, where it came from, what is wrong with it."""
    path = tuple(part for part in error["loc"] if isinstance(part, str))
    label = origins[0].label
    for origin in reversed(origins):  # the first that holds it counts
        held: Any = origin.values
        for name in path:
            held = held.get(name, _ABSENT) if isinstance(held, Mapping) else _ABSENT
        label = label if held is _ABSENT else origin.label
    beside: Any = Settings if len(path) == 1 else Settings.model_fields[path[0]].annotation
    return InputError(refusal(error, label(*path), beside.model_fields))


def _variable(*path: str) -> str:
    return _PREFIX + "__".join(path).upper()
