"""A planner's answer in the domain's words."""

import pytest

from tdgen.pipeline.adequacy import trivial_bodies
from tdgen.specs.problems import plan_problems
from tdgen.specs.reply import PlanReply
from tdgen.types import FunctionSpec, Plan


def planned(*parameters: dict[str, str], returns: str = "str", classes: list[dict[str, object]] | None = None) -> Plan:
    """The plan of an answer with one function."""
    told = {"name": "show", "purpose": "Show.", "parameters": list(parameters), "returns": returns}
    answer = {"module": "shows", "summary": "Shows.", "functions": [told], "classes": classes or []}
    return PlanReply.model_validate(answer).plan("Show.")


class TestParameters:
    """What may be given by name alone stands behind a `*`."""

    ROWS, STAR, WIDTH = (
        {"name": "rows", "type": "list[str]"},
        {"name": "*", "type": ""},
        {"name": "width", "type": "int", "default": "80"},
    )

    def test_what_stands_behind_a_star_is_given_by_name(self):
        """The star is no parameter; the signature, and bodies made of it, have it."""
        spec = planned(self.ROWS, self.STAR, self.WIDTH, {"name": "fill", "type": "str"}).functions[0]
        assert [(one.name, one.keyword_only) for one in spec.parameters] == [
            ("rows", False),
            ("width", True),
            ("fill", True),
        ]
        assert spec.signature == "def show(rows: list[str], *, width: int = 80, fill: str) -> str"
        assert "def show(rows, *, width=80, fill):" in trivial_bodies(spec, [], [])[-1].source

    def test_behind_variadic_ones_no_star_is_needed(self):
        """Nor is one written; a slash is left out."""
        args, slash = {"name": "*rows", "type": "str"}, {"name": "/", "type": ""}
        spec = planned({"name": "head", "type": "str"}, slash, args, self.STAR, self.WIDTH).functions[0]
        assert spec.signature == "def show(head: str, *rows: str, width: int = 80) -> str"

    def test_others_are_written_down_as_before(self):
        """So that what was kept is found."""
        spec = planned(self.ROWS).functions[0]
        assert set(spec.model_dump(mode="json")["parameters"][0]) == {"name", "type", "default", "description"}
        named = planned(self.STAR, self.WIDTH).functions[0]
        assert FunctionSpec.model_validate(named.model_dump(mode="json")) == named


@pytest.mark.parametrize("annotation", ["", "list[int] = []", "x: int", "a number"])
def test_what_is_no_annotation_is_told(annotation):
    """Also where there are classes that it could name."""
    box = {"name": "Box", "purpose": "A box.", "methods": [{"signature": "open(self) -> None"}]}
    plan = planned({"name": "rows", "type": annotation}, classes=[box])
    problems = plan_problems(plan, "Show.", max_functions=9, packages=frozenset())
    assert f"function 'show': parameter 'rows': {annotation!r} is not a Python annotation" in problems


def test_a_type_among_the_dependencies_is_no_dependency():
    """It is there for all; a planned class of that name is one."""
    function = {"name": "show", "purpose": "Shows.", "returns": "str", "dependencies": ["Late", "Till", "other"]}
    till = {"name": "Till", "purpose": "A till.", "methods": [], "dependencies": ["Late"]}
    types = [{"name": "Late", "kind": "exception", "base": "ValueError"}]
    plan = PlanReply.model_validate({"functions": [function], "classes": [till], "types": types}).plan("Show.")
    assert [spec.dependencies for spec in plan.functions] == [(), ("Till", "other")]
