"""Writes `docs/reference/settings.md`, the page of all settings, from the settings model and the command's options.

    python docs/_site/settings.py

A setting's words are its field's description. A test holds the page against what this gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from typer.main import get_command

from tdgen.cli.app import app
from tdgen.settings import Budget, Settings
from tdgen.settings.base import SECRETS
from tdgen.types import Limits

PAGE = Path(__file__).parents[1] / "reference" / "settings.md"
VARIABLES = {
    "base_url": ("TDGEN_BASE_URL", "OPENAI_BASE_URL"),
    "api_key": ("TDGEN_API_KEY", "OPENAI_API_KEY"),
    "budget": ("TDGEN_BUDGET", "TDGEN_BUDGET__…"),
    "limits": ("TDGEN_LIMITS__…",),
}
"""Of settings that others than the one of their name are read for."""
OTHER_OPTIONS = {"questions": ("--ask", "--assume")}
"""Settings whose options bear another name."""
PARTS = {"budget": Budget, "limits": Limits}

TOP = """\
# Settings

A setting comes from an option or an argument (`--trust strict`, `tdgen.solve(…, trust="strict")`), else from its
variable, else from the key of its name in `[tool.tdgen]` of the nearest `pyproject.toml`, else it has its default.
Lists are written with commas. What changes the result is part of the key under which a solution is kept: the last
column says of which settings that is so.
"""


def page() -> str:
    """The page's text."""
    parts = [TOP, table(("setting", "option", "variable", "default", "what it says", "in the key"), settings())]
    for name, model in PARTS.items():
        told = Settings.model_fields[name].description
        parts += [
            f"## `{name}`\n\nThe limits of {told}; in a `pyproject.toml` a table, `[tool.tdgen.{name}]`.\n",
            table(("limit", "variable", "default", "what it says"), within(name, model)),
        ]
    return "\n".join(parts)


def table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """Rows under their heads."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def settings() -> Iterator[tuple[str, ...]]:
    """A row for each setting."""
    offered, keyed = options(), key_parts()
    for name, field in Settings.model_fields.items():
        names = [one for one in OTHER_OPTIONS.get(name, (f"--{name.replace('_', '-')}",)) if one in offered]
        variables = VARIABLES.get(name, (f"TDGEN_{name.upper()}",))
        yield (
            f"`{name}`",
            ", ".join(f"`{one}`" for one in names),
            ", ".join(f"`{one}`" for one in variables),
            "see below" if name in PARTS else default(field),
            words(field) + "; never in a `pyproject.toml`" * (name in SECRETS),
            keyed.get(name, ""),
        )


def within(setting: str, model: type[BaseModel]) -> Iterator[tuple[str, ...]]:
    """A row for each part of a setting that has parts."""
    for name, field in model.model_fields.items():
        yield f"`{name}`", f"`TDGEN_{setting.upper()}__{name.upper()}`", default(field), words(field)


def words(field: FieldInfo) -> str:
    """What a field's description says; each has one."""
    assert field.description
    return field.description


def default(field: FieldInfo) -> str:
    """A default as it is written; nothing where it is none, or empty."""
    value = field.default
    return "" if value in ("", None, ()) or isinstance(value, SecretStr) else f"`{value}`"


def options() -> set[str]:
    """The options of all commands."""
    commands = getattr(get_command(app), "commands", {}).values()
    return {option for command in commands for parameter in command.params for option in parameter.opts}


def key_parts() -> dict[str, str]:
    """What of each setting is in the key, by `Settings.identity`, which names models and the sandbox in its own way."""
    roles = [name for name in Settings.model_fields if name.endswith("model")]
    return dict.fromkeys([*Settings(language="javascript").identity(), *roles], "yes") | {
        "script": "its content",
        "sandbox": "that it is unsafe",
    }


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
