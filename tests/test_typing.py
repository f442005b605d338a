"""A type checker knows every option of the library: a misspelt one is an error, every form of a right one is none."""

from pathlib import Path
from textwrap import dedent

import pytest

from tdgen.settings import Settings
from tdgen.settings.model import SettingsOptions

api = pytest.importorskip("mypy.api", reason="mypy checks the types; pip install -e '.[dev]' brings it")
PROJECT = Path(__file__).parents[1]
USE = """
    import tdgen

    tdgen.Settings(budget="calls=3", allow="numpy", api_key="secret", cache_dir="there")
    tdgen.Settings(budget=tdgen.Budget(calls=3), allow=("numpy",))
    tdgen.solve("double(n)", model="gpt-5", trust="quick", budget="calls=3")
    tdgen.Settings(trsut="quick")
    tdgen.solve("double(n)", trsut="quick")
    tdgen.solve("double(n)", trust="blind")
"""


def test_the_options_are_the_settings():
    """A setting that is added is an option, too."""
    assert SettingsOptions.__annotations__.keys() == Settings.model_fields.keys()


@pytest.mark.timeout(400)  # mypy reads all of tdgen where it has no cache
def test_what_a_type_checker_says(tmp_path: Path):
    """Nothing of the first lines, and one error in each of the last three."""
    path = tmp_path / "use.py"
    path.write_text(dedent(USE).lstrip())
    out, err, _ = api.run(["--config-file", str(PROJECT / "pyproject.toml"), str(path)])
    assert not err
    wrong = [line for line in out.splitlines() if ": error:" in line]
    assert [line.rpartition("use.py:")[2].partition(":")[0] for line in wrong] == ["6", "7", "8"], out
    assert [line.rpartition("[")[2] for line in wrong] == ["call-arg]", "call-arg]", "arg-type]"]
