"""How the house is measured: sizes, circles of imports, and where the trust level is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from house import cycles, files_on_the_way, needed_by, read_modules

FILES = {
    "__init__.py": "",
    "errors.py": "class Wrong(Exception):\n    pass\n",
    "low/__init__.py": "",
    "low/part.py": (
        "from shop.errors import Wrong\n\ndef part():\n    from shop.high.whole import whole\n    return whole\n"
    ),
    "high/__init__.py": "",
    "high/beside.py": "other = 1\n",
    "high/whole.py": (
        "from typing import TYPE_CHECKING\nfrom ..errors import Wrong\nfrom .beside import other\n"
        "if TYPE_CHECKING:\n    from shop.low import part\n"
        "def whole(settings):\n    return settings.trust == 'quick' or TABLE[settings.trust]\n"
    ),
}


@pytest.fixture
def modules(tmp_path: Path):
    """A small package, read."""
    for name, text in FILES.items():
        path = tmp_path / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_modules(tmp_path / "shop")


def test_a_circle_is_found_wherever_its_imports_stand(modules):
    """Within a function, and for types alone; a loose module that all import is in none."""
    assert cycles(modules) == (
        [{"shop.low.part", "shop.high.whole"}],
        [{"shop.low", "shop.high"}],
    )


def test_the_core_is_what_is_needed_to_run(modules):
    """Imports within functions and relative ones count, those for type checkers alone do not; packages above count."""
    needed, _ = needed_by(modules, ("shop.high",))
    assert [module.name for module in needed] == ["shop.errors", "shop.high", "shop.high.beside", "shop.high.whole"]
    needed, doors = needed_by(modules, ("shop.low.part",))
    assert [module.name for module in needed] == [
        "shop.errors",
        "shop.high",
        "shop.high.beside",
        "shop.high.whole",
        "shop.low",
        "shop.low.part",
    ]
    assert doors == []


def test_where_the_core_imports_a_capability_is_told(modules, monkeypatch):
    """Each place by its two names."""
    monkeypatch.setattr("house.CAPABILITIES", ("high",))
    assert needed_by(modules, ("shop.low.part",))[1] == ["shop.low.part → shop.high.whole"]


def test_lengths_are_lines(modules):
    """Of a file, and of each function from `def` to its end."""
    (part,) = (module for module in modules if module.name == "shop.low.part")
    assert (part.lines, list(part.function_lines)) == (5, [3])


def test_asking_for_the_trust_level_is_counted(modules):
    """Comparing it, and reading a table by it."""
    assert sum(module.trust_questions for module in modules) == 2


def test_the_way_of_a_solve_is_read_from_the_map():
    """Each file once, of that section alone."""
    page = (
        "# Map\n## The way of a solve, file by file\n1. `tdgen/a.py`, `tdgen/b/c.py`\n2. `tdgen/a.py`\n\n"
        "## Else\n`tdgen/d.py`\n"
    )
    assert files_on_the_way(page) == ["tdgen/a.py", "tdgen/b/c.py"]
