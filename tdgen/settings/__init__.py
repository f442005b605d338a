"""Everything a user can set: flags over TDGEN_* over `[tool.tdgen]` in pyproject.toml over the defaults."""

from tdgen.settings.base import Budget, parse_budget
from tdgen.settings.loading import load_settings
from tdgen.settings.model import Settings

__all__ = ["Budget", "Settings", "load_settings", "parse_budget"]
