"""The files that go into a sandbox work there on their own."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tdgen.values
from tdgen.values import SHIPPED

HOME = Path(tdgen.values.__file__).parent


def test_they_run_in_a_package_of_any_name_without_tdgen(tmp_path):
    """An isolated interpreter that can't see tdgen encodes and rebuilds."""
    package = tmp_path / "anything"
    package.mkdir()
    (package / "__init__.py").touch()
    for name in SHIPPED:
        shutil.copy(HOME / name, package)
    program = (
        f"import sys, json; sys.path[:] = [p for p in sys.path if 'site-packages' not in p] + [{str(tmp_path)!r}]\n"
        "from anything import encode, rebuild\n"
        "told = encode.encode({1: (2.5, {'a'})})\n"
        "assert 'tdgen' not in sys.modules\n"
        "print(json.dumps([told, rebuild.rebuild(told, {}) == {1: (2.5, {'a'})}]))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [
        {"$": "dict", "items": [[1, {"$": "tuple", "items": [2.5, {"$": "set", "items": ["a"]}]}]]},
        True,
    ]


@pytest.mark.parametrize("name", SHIPPED)
def test_they_are_python_3_9(name):
    """The sandbox's interpreter may be older than the host's."""
    tree = ast.parse((HOME / name).read_text(), feature_version=(3, 9))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Match)]
    assert isinstance(tree.body[1], ast.ImportFrom)
    assert tree.body[1].module == "__future__"


@pytest.mark.parametrize("name", SHIPPED)
def test_they_import_the_standard_library_and_one_another_alone(name):
    """Nothing else is there."""
    tree = ast.parse((HOME / name).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom):
            shipped = node.level == 1 and f"{node.module}.py" in SHIPPED
            assert shipped or (node.module or "").split(".")[0] in sys.stdlib_module_names
