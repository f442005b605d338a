"""The pages of reference are complete: every setting, key and event, with its default and its fields."""

import importlib.util
import re
from pathlib import Path
from types import FunctionType, ModuleType

import pytest
from pydantic import BaseModel

import tdgen
from tdgen import errors as tdgen_errors
from tdgen import events
from tdgen.cli.options import GATE, SOLVING
from tdgen.errors import InputError
from tdgen.pipeline import STEPS
from tdgen.settings import Budget, Settings, load_settings
from tdgen.types import Limits

TOP = Path(__file__).parents[1]
PAGE = (TOP / "docs" / "reference.md").read_text(encoding="utf-8")
NUMBERS = ("seven", "eight", "nine", "ten", "eleven", "twelve")


def made(name: str) -> ModuleType:
    """A module of what the site has beside its pages."""
    spec = importlib.util.spec_from_file_location(name, TOP / "docs" / "_site" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SETTINGS = made("settings")


def refusal(environ: dict[str, str], folder: Path) -> str:
    """What is wrong with these variables, in a line; nothing where nothing is."""
    try:
        load_settings({}, directory=folder, environ=environ)
    except InputError as error:
        return str(error)
    return ""


def rows(*headings: str) -> dict[str, list[str]]:
    """The cells of each row of the table whose first columns have these headings, by the name in the first cell."""
    table = PAGE.partition(f"| {' | '.join(headings)} |")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return {cell[0].strip("`"): cell[1:] for cell in cells}


class TestSettings:
    """The page of settings."""

    def test_is_what_the_settings_say_now(self):
        """`python docs/_site/settings.py` writes it anew."""
        assert SETTINGS.PAGE.read_text(encoding="utf-8") == SETTINGS.page()

    @pytest.mark.parametrize("model", [Settings, Budget, Limits])
    def test_has_words_for_each(self, model: type[BaseModel]):
        """As a stranger needs them: a name says little."""
        for name, field in model.model_fields.items():
            assert f"| `{name}` |" in SETTINGS.page()
            assert len(SETTINGS.words(field)) > 5, name

    def test_finds_the_option_of_each_that_has_one(self):
        """All that commands take."""
        offered = SETTINGS.options()
        assert {f"--{name.replace('_', '-')}" for name in (*SOLVING, *GATE) if name in Settings.model_fields} <= offered
        assert "--ask" in offered

    def test_tells_how_each_variable_is_read(self, tmp_path: Path):
        """The variables that it names are those that are read."""
        variables = re.findall(r"`(TDGEN_[A-Z_]+)`", SETTINGS.page())
        assert len(variables) > 40
        told = {variable: refusal({variable: "3"}, tmp_path) for variable in [*variables, "TDGEN_NONE"]}
        assert [variable for variable, line in told.items() if "is no setting" in line] == ["TDGEN_NONE"]

    def test_knows_all_that_is_in_the_key(self):
        """What `Settings.identity` names by another name than a setting's is told by hand."""
        assert Settings().identity().keys() - Settings.model_fields.keys() == {"models", "unsafe"}
        assert {name for name, told in SETTINGS.key_parts().items() if told != "yes"} == {"script", "sandbox"}


def test_every_call_with_its_errors():
    """All public calls of the library, and only errors that there are."""
    told = rows("call", "raises")
    named = {name for cell in told for name in re.findall(r"[\w.]+", cell)}
    calls = {name for name in tdgen.__all__ if isinstance(getattr(tdgen, name), FunctionType)}
    for kind in (tdgen.Generator, tdgen.AsyncClient):
        methods = [name for name, one in vars(kind).items() if isinstance(one, FunctionType) and name[0] != "_"]
        calls |= {f"{kind.__name__}.{name}" for name in methods}
    assert calls <= named
    assert {name for name in named if name.startswith(("Generator.", "AsyncClient."))} <= calls
    errors = {name for (cell,) in told.values() for name in re.findall(r"`([A-Z]\w+)`", cell)}
    assert errors - {"CancelledError", "KeyError"} <= set(vars(tdgen_errors))


def test_every_key_of_a_solution(solver, double):
    """In the order in which they come."""
    assert list(rows("key")) == list(solver.solve(double()).solution.to_dict())


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


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/security.md", "docs/team.md", "docs/service.md"])
def test_files_that_a_page_names_are_there(page: str):
    """By their path below the package, or the end of it."""
    named = set(re.findall(r"`([\w/]+\.py)`", (TOP / page).read_text(encoding="utf-8")))
    known = {
        str(path.relative_to(TOP)) for top in ("tdgen", "tests", "benchmarks") for path in (TOP / top).rglob("*.py")
    }
    assert {name for name in named if not any(path == name or path.endswith(f"/{name}") for path in known)} == set()
