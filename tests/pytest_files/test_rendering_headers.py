"""What a test file imports."""

from __future__ import annotations

from tdgen.pytest_files.headers import header
from tdgen.types import FunctionSpec, Plan, Returns, Target

SPEC = FunctionSpec(name="resolve", purpose="-", returns=Returns(type="int"))


def test_a_well_known_name_is_the_projects_where_its_module_imports_it_from_there() -> None:
    """As in the sandbox; what the module has of the standard library is that of the standard library."""
    source = "from collections import Counter\n\nfrom ._make import fields\n\n\ndef resolve(): ...\n"
    target = Target(module="kit.funcs", path="kit/funcs.py", source=source, units={"resolve": ()})
    plan = Plan(module="kit.funcs", functions=(SPEC,), target=target)
    lines = header(["def test_it():\n    assert resolve() == fields(Counter())\n"], plan).split("\n\n")
    assert lines == ["from collections import Counter", "from kit._make import fields\nfrom kit.funcs import resolve"]
