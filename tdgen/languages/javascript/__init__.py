"""The back end for JavaScript: ES modules of functions, run by Node in the sandbox, exported with node:test.

Values: int and float are numbers (an int beyond 2**53 can't be passed, a BigInt that comes back is an int), list and
tuple are arrays, dict is a Map, set a Set, bytes a Uint8Array, None is null, and declared types are classes. A plain
object is no Map and undefined is no null: what comes back as another thing than the contract says is a difference.
Each case has a context of its own in a Node process that the job's cases share. There are no timers but virtual ones,
no modules, no eval; the process's own walls are the sandbox's.

It has no mutants, traces, patch search, recorded calls, second reading or properties.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tdgen.languages import shapes
from tdgen.languages.files import Unsayable
from tdgen.languages.javascript import exporting, reading, writing
from tdgen.prompts.templates import render
from tdgen.protocols import Capability, ForeignCode
from tdgen.types import FunctionSpec, Parameter, Plan, Suite
from tdgen.types.plan import parameter_list

OVERHEAD_MB = 1536
"""Of its address space Node keeps this much for itself, whatever the code needs."""


class JavaScript:
    """Functions in JavaScript."""

    name = "JavaScript"
    capabilities: frozenset[Capability] = frozenset()
    programs = ("node",)
    advice = "install Node 20 or later (Debian and Ubuntu: apt install nodejs; macOS has no sandbox for it)"
    compiles = False
    overhead_mb = OVERHEAD_MB

    @property
    def warming(self) -> str:
        """What has Node ready while a process waits for a job."""
        return shapes.warming(_program(), writing.text_of("driver.py"))

    def planning(self) -> str:
        """What the planner is told."""
        return render("tdgen.languages.javascript", "planning")

    def problems(self, plan: Plan) -> list[str]:
        """What of a plan can't be written."""
        return list(shapes.problems(plan, self.name))

    def rules(self, spec: FunctionSpec, plan: Plan) -> str:
        """What the developer is told beside the contract: how it reads in the language, and what the code holds to."""
        classes = writing.prelude(plan).strip()
        return render(
            "tdgen.languages.javascript",
            "rules",
            signature=_signature(spec),
            function=spec.name,
            prefix=f"_{spec.name.strip('_')}",
            classes=f"\n- These classes are there, and all that throw or hold data use them:\n{classes}"
            if classes
            else "",
        )

    def read(self, text: str, spec: FunctionSpec, plan: Plan) -> ForeignCode:
        """The code of an answer, and what stands against it."""
        return reading.read(text, spec, plan)

    def stub(self, spec: FunctionSpec) -> str:
        """The function before anything is written."""
        return f"function {spec.name}() {{\n  throw new _Unwritten({json.dumps(spec.name)});\n}}\n"

    def module(self, plan: Plan, sources: Mapping[str, str], types: str) -> str:
        """The Python module that stands for these sources in the sandbox."""
        *others, last = sources.values()
        return self._running(plan, writing.prelude(plan) + "\n".join([*others, ""]), last, types)

    def module_of(self, plan: Plan, text: str, types: str) -> str:
        """The same of a whole file."""
        return self._running(plan, "", reading.without_exports(text), types)

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The module's file."""
        return exporting.module_text(plan, sources)

    def file(self, plan: Plan) -> str:
        """The name of the module's file."""
        return f"{plan.module.rpartition('.')[2]}.mjs"

    def tests(self, plan: Plan, suites: Sequence[Suite]) -> dict[str, str]:
        """The files beside the module: its tests and how they are run."""
        return exporting.test_files(plan, suites, self.file(plan))

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """Those of the names that a file defines."""
        return reading.defined(text, names)

    def _running(self, plan: Plan, above: str, source: str, types: str) -> str:
        setup = {
            **_program(),
            "source": f"{_UNWRITTEN}{above}{source}",
            "above": above.count("\n"),
            "names": _names(plan, f"{above}{source}"),
            "classes": _classes(plan),
            "records": shapes.records(plan),
            "units": {spec.name: _unit(spec, plan) for spec in plan.functions},
        }
        return shapes.standing(setup, writing.text_of("driver.py"), types)


def _program() -> dict[str, Any]:
    """What Node is started with."""
    inner = json.dumps(writing.text_of("inner.js"))
    return {"host": f'"use strict";\nconst INNER = {inner};\n{writing.text_of("host.js")}', "overhead": OVERHEAD_MB}


_UNWRITTEN = "class _Unwritten extends Error {} "


def _names(plan: Plan, source: str) -> str:
    """The expression by which the code's functions and classes are found, once it was run."""
    functions = ", ".join(reading.defined(source, [spec.name for spec in plan.functions]))
    fields = shapes.records(plan)
    errors = writing.exceptions(plan)
    classes = ", ".join(
        f"{{made: {name}, name: {json.dumps(name)}, isError: {json.dumps(name in errors)}, "
        f"fields: {json.dumps(list(fields.get(name, {})))}}}"
        for name in [*writing.class_names(plan), *sorted(writing.NATIVE & errors.keys())]
    )
    return f"({{Unwritten: _Unwritten, functions: {{{functions}}}, classes: [{classes}]}})"


def _classes(plan: Plan) -> dict[str, str]:
    """By each class's name in the code the one that it is in Python."""
    records = {one.name: one.name for one in plan.types if one.kind in shapes.RECORDS}
    return {**writing.exceptions(plan), **records}


def _unit(spec: FunctionSpec, plan: Plan) -> dict[str, Any]:
    real = [one for one in spec.parameters if one.name != "*"]
    omitted = [one.model_copy(update={"default": "_OMITTED"} if one.default else {}) for one in spec.parameters]
    return {
        "parameters": parameter_list(omitted, typed=False),
        "given": [one.name for one in real],
        "shapes": [shapes.shape(one.type, plan) for one in real],
        "returns": shapes.shape(spec.returns.type, plan),
        "async": spec.is_async,
    }


def _signature(spec: FunctionSpec) -> str:
    """The function's head, with the types of its values as a JSDoc comment."""
    real = [one for one in spec.parameters if one.name != "*"]
    names = ", ".join(f"{one.name.replace('*', '...')}{_default(one)}" for one in real)
    lines = [f" * @param {{{_type(one.type)}}} {one.name.lstrip('*')}" for one in real]
    returns = _type(spec.returns.type)
    lines.append(f" * @returns {{{f'Promise<{returns}>' if spec.is_async else returns}}}")
    head = f"{'async ' * spec.is_async}function {spec.name}({names})"
    return "\n".join(["/**", *lines, " */", f"{head} {{ … }}"])


def _default(one: Parameter) -> str:
    """A parameter's default as it stands in the head; where none can be written, what it is in Python."""
    if one.default is None:
        return ""
    try:
        return f" = {writing.literal(one.default)}"
    except Unsayable:
        return f" = /* the contract's {one.default} */"


def _type(annotation: str) -> str:
    """An annotation as the types of JSDoc; what no shape is known for stays as it is."""
    try:
        return _jsdoc(shapes.shape(annotation, Plan(module="m", functions=())))
    except shapes.Unsupported:
        return annotation


_PLAIN: Final = {
    "int": "number (whole)",
    "float": "number",
    "bool": "boolean",
    "str": "string",
    "bytes": "Uint8Array",
    "none": "null",
    "any": "*",
}


def _jsdoc(of: shapes.Shape) -> str:
    """A shape as the types of JSDoc."""
    kind, *parts = of
    match kind:
        case "list":
            return f"Array<{_jsdoc(parts[0])}>"
        case "tuple":
            items, rest = parts
            return f"Array<{_jsdoc(rest)}>" if rest else f"[{', '.join(map(_jsdoc, items))}]"
        case "dict":
            return f"Map<{_jsdoc(parts[0])}, {_jsdoc(parts[1])}>"
        case "set" | "frozenset":
            return f"Set<{_jsdoc(parts[0])}>"
        case "union":
            return " | ".join(map(_jsdoc, parts[0]))
    return _PLAIN.get(kind) or str(parts[0])
