"""The settings as keyword arguments, for type checkers: what `tdgen.solve` and `Settings` may be called with.

One run's settings, and those among them that change the result.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from tdgen.errors import InputError
from tdgen.extensions import MODELS, SANDBOXES, registered
from tdgen.protocols import ROLES, Purpose
from tdgen.settings.base import Budget, SettingsModel, budget_terms, constructor
from tdgen.settings.policy import POLICIES, Policy
from tdgen.types import Limits, Trust

if TYPE_CHECKING:
    from typing import Unpack


_OWN_SANDBOXES: Final = ("auto", "local", "unsafe")
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
    gate_seconds: float
    python: str
    language: str
    allow_loopback: bool
    allow_run: Listed
    allow: Listed
    forbid: Listed
    sandbox: str
    docker_runtime: str
    limits: Limits | Mapping[str, Any]
    budget: Budget | str | int | Mapping[str, Any]
    max_functions: int
    cache_dir: Place
    store: str | SecretStr
    store_key: str | SecretStr
    store_read_only: bool
    transcript: Place
    fresh: bool


class SettingsOptions(AllOptions, total=False):
    """Every setting."""

    model: str


_NETWORK = ("socket", "socketserver", "ssl", "http.client", "http.server", "urllib.request")
_VARIABLES: Final = {
    "api_key": ("TDGEN_API_KEY", "OPENAI_API_KEY"),
    "base_url": ("TDGEN_BASE_URL", "OPENAI_BASE_URL"),
}
"""The variables that say who is asked, the first that is set before the later."""


class Settings(SettingsModel):
    """One run's settings. Those that change the result are part of the cache key: see `identity`.

    Lists may be given as text with commas, the budget as `parse_budget` reads it, and paths with a leading `~`.
    The endpoint's key and address come from TDGEN_API_KEY or OPENAI_API_KEY and TDGEN_BASE_URL or OPENAI_BASE_URL
    unless they are given (`api_key=""` is no key, whatever the environment holds). `load_settings` reads all else that
    the environment and a pyproject.toml say. InputError, in one line, for what can't be used.
    """

    model: str = Field(default="gpt-5-mini", description="the model to ask, in all roles that have none of their own")
    planner_model: str = Field(default="", description="the model that plans, where it is another")
    tester_model: str = Field(default="", description="the model that writes cases, where it is another")
    developer_model: str = Field(default="", description="the model that writes code, where it is another")
    trial_model: str = Field(
        default="", description="the model that decides between a case and the code, where it is another"
    )
    temperature: float | None = Field(default=None, ge=0, le=2, description="0 to 2; the model's own unless given")
    base_url: str = Field(default="", description="an OpenAI-compatible endpoint; OpenAI's unless given")
    api_key: SecretStr = Field(default=SecretStr(""), description="the endpoint's key")
    script: str = Field(default="", description="a file of recorded answers, in place of a model")
    timeout: float = Field(default=120.0, gt=0, description="seconds without a word from the model")
    retries: int = Field(default=4, ge=0, description="how often what may pass is tried again")
    rpm: int | None = Field(default=None, gt=0, description="most requests a minute; no limit unless given")
    concurrency: int = Field(default=8, ge=1, description="most requests, and most runs, at once")
    trust: Trust = Field(
        default="standard", description="`quick`, `standard` or `strict`: how thoroughly a result is checked"
    )
    questions: Questions = Field(default="", description="`ask` or `assume`: what becomes of what the text leaves open")
    search_seconds: float = Field(
        default=2.0,
        ge=0,
        description="seconds for a mechanical repair without the model, as an idle machine has them; 0: none",
    )
    gate_seconds: float = Field(
        default=120.0, gt=0, description="seconds for a project's own tests, without an edit and with it"
    )
    python: str = Field(
        default="", description="the version of Python to write for and run with, such as `3.12`; this one unless given"
    )
    language: str = Field(
        default="",
        description="to write in: `c`, `cpp`, `fullstack`, `javascript`, `page` or `typescript`; Python unless given",
    )
    allow_loopback: bool = Field(
        default=False, description="sockets on 127.0.0.1 and ::1, in a network that each run has to itself"
    )
    allow_run: tuple[str, ...] = Field(default=(), description="programs that code may start")
    allow: tuple[str, ...] = Field(
        default=(), validate_default=True, description="third-party packages that code may import"
    )
    forbid: tuple[str, ...] = Field(default=(), description="modules that code may not import")
    sandbox: str = Field(
        default="auto",
        description="where code runs: `auto`, `local`, `docker` or `unsafe` (the last never by a `pyproject.toml`)",
    )
    docker_runtime: str = Field(default="", description="docker's runtime, such as `runsc`; its own unless given")
    limits: Limits = Field(default=Limits(), description="what one run in the sandbox may use")
    budget: Budget = Field(default=Budget(), description="what one instruction may cost")
    max_functions: int = Field(default=200, ge=1, description="how many functions a plan may have at most")
    cache_dir: str = Field(
        default="", description="where solutions and unfinished runs are kept; the user's cache folder unless given"
    )
    store: SecretStr = Field(
        default=SecretStr(""),
        description="a Redis that a team shares: `rediss://user:password@host:6379/0?namespace=shop`",
    )
    store_key: SecretStr = Field(
        default=SecretStr(""),
        description="the team's key, by which entries there are signed",
    )
    store_read_only: bool = Field(default=False, description="read the team's store and write nothing there")
    transcript: str = Field(default="", description="a folder for every prompt and answer, keys redacted")
    fresh: bool = Field(default=False, description="use nothing that is cached")

    @constructor
    def __init__(self, **given: Unpack[SettingsOptions]) -> None:
        variables = {name: next(filter(None, map(os.environ.get, names)), "") for name, names in _VARIABLES.items()}
        super().__init__(**({name: value for name, value in variables.items() if value} | given))

    @field_validator("cache_dir", "script", "transcript", mode="before")
    @classmethod
    def _path(cls, value: object) -> object:
        value = str(value) if isinstance(value, os.PathLike) else value
        if not isinstance(value, str):
            return value
        if "\0" in value:
            raise ValueError("a path can't hold a NUL character")
        try:
            return str(Path(value).expanduser()) if value.startswith("~") else value
        except RuntimeError:
            raise ValueError(f"there is no home folder for {value!r}") from None

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        # OpenAI-compatible endpoints, and what packages add; recorded answers are named by a setting.
        schemes = sorted({"http", "https", *registered(MODELS)} - {"script"})
        try:
            parts = urlsplit(value)
            is_address = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0 and " " not in value
        except ValueError:  # a port or an IPv6 address that is none
            is_address = False
        if value and not is_address:
            # Not quoted: an address may hold a password.
            raise ValueError(
                f"it is no address: one looks like http://localhost:11434/v1, and begins with {' or '.join(schemes)}"
            )
        return value

    @field_validator("python")
    @classmethod
    def _version(cls, value: str) -> str:
        if not re.fullmatch(r"(3\.[0-9]{1,2})?", value):
            raise ValueError(f"{value!r} is no version of Python such as 3.12")
        return value

    @field_validator("language")
    @classmethod
    def _other_language(cls, value: str) -> str:
        return "" if value.lower() == "python" else value.lower()

    @field_validator("sandbox")
    @classmethod
    def _known_sandbox(cls, value: str) -> str:
        if value not in _OWN_SANDBOXES:
            names = sorted({*_OWN_SANDBOXES, *registered(SANDBOXES)})
            if value not in names:
                raise ValueError(f"there is no sandbox {value!r}: it is {', '.join(names[:-1])} or {names[-1]}")
        return value

    @field_validator("allow", "allow_run", "forbid", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value

    @field_validator("allow")
    @classmethod
    def _reaching(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        """With what reaches the loopback and programs that are opened: to open them would mean nothing without it."""
        network = _NETWORK if info.data.get("allow_loopback") else ()
        programs = ("subprocess",) if info.data.get("allow_run") else ()
        return tuple(dict.fromkeys((*value, *network, *programs)))

    @field_validator("budget", mode="before")
    @classmethod
    def _spelled(cls, value: object) -> object:
        return budget_terms(str(value)) if isinstance(value, str | int) else value

    @property
    def policy(self) -> Policy:
        """What the trust level means."""
        return POLICIES[self.trust]

    def changed(self, **changes: Any) -> Settings:
        """These settings with some of them changed; InputError where a change can't be used."""
        return Settings(**(dict(self) | changes)) if changes else self

    def asked_of(self, name: str) -> Settings:
        """These settings where one model of that name answers in all roles."""
        return self.changed(
            model=name, planner_model="", tester_model="", developer_model="", trial_model="", script=""
        )

    def model_for(self, purpose: Purpose) -> str:
        """The model that answers for this purpose: that of its role, or the one for all."""
        own: str = getattr(self, f"{ROLES[purpose]}_model")
        return own or self.model

    def identity(self) -> dict[str, Any]:
        """The settings that change the result, as plain JSON data: a part of every cache key.

        The endpoint's address is not among them: a model of the same name behind another address is taken for the same
        model, so that a proxy or another port costs nothing anew. Nor are limits, budget and whatever else says only
        how long and where a run may work. That a result came without a sandbox is: its green is worth less.
        InputError where the script can't be read.
        """
        try:
            script = hashlib.sha256(Path(self.script).read_bytes()).hexdigest() if self.script else ""
        except OSError as error:
            raise InputError(f"the script {self.script} can't be read: {error.strerror}") from None
        roles = (self.planner_model, self.tester_model, self.developer_model, self.trial_model)
        return {
            "models": [role or self.model for role in roles],
            "temperature": self.temperature,
            "script": script,
            "trust": self.trust,
            "questions": bool(self.questions),
            "python": self.python,
            "allow": sorted(set(self.allow)),
            "allow_loopback": self.allow_loopback,
            "allow_run": sorted(set(self.allow_run)),
            "forbid": sorted(set(self.forbid)),
            "unsafe": self.sandbox == "unsafe",
        } | ({"language": self.language} if self.language else {})
