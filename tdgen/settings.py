"""Everything a user can set: flags over TDGEN_* over `[tool.tdgen]` in pyproject.toml over these defaults."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from tdgen.types import Limits, Trust

SandboxKind = Literal["auto", "local", "docker", "unsafe"]


class Budget(BaseModel):
    """The limits within which one instruction is solved. None is no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int | None = Field(default=30, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    seconds: float | None = Field(default=600.0, ge=0)
    iterations: int = Field(default=4, ge=1, description="attempts a function, the first included")


class Settings(BaseModel):
    """One run's settings. Those that change the result are part of the cache key: see `identity`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "gpt-5-mini"
    planner_model: str = ""
    tester_model: str = ""
    developer_model: str = ""
    trial_model: str = ""
    temperature: float | None = Field(default=None, ge=0, le=2)
    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    script: str = ""
    timeout: float = Field(default=120.0, gt=0, description="seconds without a word from the model")
    retries: int = Field(default=4, ge=0)
    rpm: int | None = Field(default=None, gt=0)
    concurrency: int = Field(default=8, ge=1)
    trust: Trust = "standard"
    python: str = Field(default="", pattern=r"^(3\.\d{1,2})?$")
    allow: tuple[str, ...] = ()
    allow_net: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    sandbox: SandboxKind = "auto"
    limits: Limits = Limits()
    budget: Budget = Budget()
    max_functions: int = Field(default=200, ge=1)
    cache_dir: str = ""
    fresh: bool = False

    @field_validator("cache_dir", "script")
    @classmethod
    def _no_nul(cls, value: str) -> str:
        if "\0" in value:
            raise ValueError("a path can't hold a NUL character")
        return value
