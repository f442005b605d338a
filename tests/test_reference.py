"""The page of reference is complete: every setting, variable, key and event, with its default and its fields."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from tdgen import events
from tdgen.cli.options import SOLVING
from tdgen.pipeline import STEPS
from tdgen.settings import Budget, Settings
from tdgen.types import Limits

TOP = Path(__file__).parents[1]
PAGE = (TOP / "docs" / "reference.md").read_text(encoding="utf-8")
NUMBERS = ("seven", "eight", "nine", "ten", "eleven", "twelve")
SHOWN_IN_WORDS = {"limits", "budget"}


def rows(heading: str) -> dict[str, list[str]]:
    """The cells of each row of the table whose first column has that heading, by the name in the first cell."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return {cell[0].strip("`"): cell[1:] for cell in cells}


def shown(value: Any) -> str:
    """A default that stands there as it is; what is nothing is said in words, if at all."""
    return f"`{value}`" if value not in ("", None, ()) else ""


@pytest.mark.parametrize(("heading", "model"), [("setting", Settings), ("budget", Budget), ("limit", Limits)])
def test_every_setting_with_its_default(heading: str, model: type[BaseModel]):
    """None is missing, none is there that isn't in the code."""
    found = rows(heading)
    assert sorted(found) == sorted(model.model_fields)
    for name, field in model.model_fields.items():
        if name in SHOWN_IN_WORDS or isinstance(field.default, SecretStr) or not shown(field.default):
            continue
        assert shown(field.default) in found[name], name


def test_every_setting_with_its_option_and_variable():
    """An option that is missing here nobody finds."""
    for name, (option, variable, *_) in rows("setting").items():
        assert f"`TDGEN_{name.upper()}" in variable
        if name in SOLVING:
            assert f"`--{name.replace('_', '-')}`" == option


def test_what_is_in_the_key_is_marked():
    """As the identity of settings has it; of the script the content counts, of the sandbox that there is none."""
    marked = {name for name, cells in rows("setting").items() if cells[-1].endswith("in the key")}
    identity = Settings().identity().keys() - {"models", "unsafe"}
    models = {name for name in Settings.model_fields if name.endswith("model")}
    assert marked == identity | models | {"sandbox"}


def test_every_key_of_a_solution(studio, double):
    """In the order in which they come."""
    assert list(rows("key")) == list(studio.solve(double()).solution.to_dict())


def test_every_event_with_its_fields():
    """Those of the module, in its order."""
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, events.Event)]
    found = rows("event")
    assert list(found) == [kind.kind for kind in kinds if kind is not events.Event]
    for kind in kinds[1:]:
        assert re.findall(r"`(\w+)`", found[kind.kind][0]) == list(kind.model_fields)


@pytest.mark.parametrize(
    ("page", "heading"), [("README.md", "## How it works"), ("docs/architecture.md", "## The way of an instruction")]
)
def test_all_pages_tell_the_same_steps(page: str, heading: str):
    """Those of the pipeline, by name, each with its number."""
    section = (TOP / page).read_text(encoding="utf-8").partition(heading)[2].partition("\n## ")[0]
    assert re.findall(r"^\d+\. \W*(\w+)", section, re.MULTILINE) == [step.name for step in STEPS]
    assert len(re.findall(r"^\d+\. ", section, re.MULTILINE)) == len(STEPS)
    for told in re.findall(r"(\w+) (?:named )?steps\b", (TOP / page).read_text(encoding="utf-8")):
        assert told not in NUMBERS or NUMBERS.index(told) + 7 == len(STEPS)
