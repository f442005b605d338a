"""The settings as keyword arguments, for type checkers: what `tdgen.solve` and `Settings` may be called with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

from pydantic import SecretStr

from tdgen.settings.budget import Budget
from tdgen.types import Limits, Trust

SandboxKind = Literal["auto", "local", "docker", "unsafe"]
Questions = Literal["", "ask", "assume"]
Listed = str | Sequence[str]
"""A list, or text with commas."""
Place = str | PathLike[str]


class AllOptions(TypedDict, total=False):
    """Every setting but `model`, each in all forms that it may be given in."""

    planner_model: str
    tester_model: str
    developer_model: str
    trial_model: str
    temperature: float | None
    base_url: str
    api_key: str | SecretStr
    script: Place
    timeout: float
    retries: int
    rpm: int | None
    concurrency: int
    trust: Trust
    questions: Questions
    search_seconds: float
    python: str
    allow_loopback: bool
    allow_run: Listed
    allow: Listed
    forbid: Listed
    sandbox: SandboxKind
    docker_runtime: str
    limits: Limits | Mapping[str, Any]
    budget: Budget | str | int | Mapping[str, Any]
    max_functions: int
    cache_dir: Place
    transcript: Place
    fresh: bool


class SettingsOptions(AllOptions, total=False):
    """Every setting."""

    model: str
