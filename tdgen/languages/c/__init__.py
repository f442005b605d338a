"""The back end for C: functions in C17, compiled by gcc with sanitizers in the sandbox, exported with a Makefile.

Values: int is int64_t, float double, str a `char *` in UTF-8, all else is a struct that `declaring` writes. A function
that raises has a last parameter for the failure. A candidate is compiled once in a process with all its cases, and each
of these runs in a process of its own: what AddressSanitizer or UndefinedBehaviorSanitizer say of it, and memory that is
neither freed nor given back, is how that case ended.

It has no mutants, traces, patch search, recorded calls, second reading or properties.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import resources
from typing import Any, Final

from tdgen.languages import shapes
from tdgen.languages.c import exporting, reading
from tdgen.languages.c.declaring import Types, declared, plain
from tdgen.languages.c.harness import program
from tdgen.prompts import render
from tdgen.protocols import Capability, ForeignCode
from tdgen.types import FunctionSpec, Plan, Suite
from tdgen.types.plan import parameter_list

_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_FLAGS: Final = (
    *("-std=c17", "-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"),
    *("-D_POSIX_C_SOURCE=200809L", "-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types"),
    *("-Werror=int-conversion", "-Werror=return-type", "-pipe", "-w", "-fdiagnostics-color=never"),
)
_COMPILER_MB: Final = 2048
_SANITIZED: Final = (
    "detect_leaks=0:max_allocation_size_mb=512:detect_stack_use_after_return=1:allocator_may_return_null=1"
)


class C:
    """Functions in C."""

    name = "C"
    capabilities: frozenset[Capability] = frozenset()
    advice = "install gcc with its sanitizers (Debian and Ubuntu: apt install gcc libc6-dev)"
    compiles = True
    overhead_mb = 0
    warming = ""

    @cached_property
    def programs(self) -> tuple[str, ...]:
        """The compiler, and what it starts."""
        gcc = shutil.which("gcc", path=_PATH)
        inner = [_part(gcc, name) for name in ("cc1", "collect2")] if gcc else []
        return ("gcc", "as", "ld", *inner)

    def planning(self) -> str:
        """What the planner is told."""
        return render("tdgen.languages.c", "planning")

    def problems(self, plan: Plan) -> list[str]:
        """What of a plan can't be written."""
        return list(shapes.problems(plan, self.name)) or list(_problems(plan))

    def rules(self, spec: FunctionSpec, plan: Plan) -> str:
        """What the developer is told beside the contract."""
        near = tuple(other for other in plan.functions if other.name in (spec.name, *spec.dependencies))
        types = Types(plan.model_copy(update={"functions": near})).declarations().strip()
        told = f"\n- These types are there, with a function that frees each:\n{types}" if types else ""
        return render(
            "tdgen.languages.c",
            "rules",
            signature=f"{head(spec, plan)} {{ … }}",
            function=spec.name,
            prefix=f"{spec.name.strip('_')}_",
            types=told,
            headers=" ".join(f"<{name}.h>" for name in reading.HEADERS),
            failing=f"\n{_failing(plan)}" if spec.raises else "",
        )

    def read(self, text: str, spec: FunctionSpec, plan: Plan) -> ForeignCode:
        """The code of an answer, and what stands against it."""
        return reading.read(text, spec, plan, [*Types(plan).all, *exporting.kinds(plan), "failure"])

    def stub(self, spec: FunctionSpec) -> str:
        """The function before anything is written: a mark, which makes room for it where its head is known."""
        return f"/* tdgen: unwritten {spec.name} */\n"

    def module(self, plan: Plan, sources: Mapping[str, str], types: str) -> str:
        """The Python module that stands for these sources in the sandbox."""
        *others, last = (_with_stubs(source, plan) for source in sources.values())
        return self._running(_of(plan, sources), "\n".join(others), last, types)

    def module_of(self, plan: Plan, text: str, types: str) -> str:
        """The same of a whole file."""
        source = exporting.without_own_header(text)
        there = self.defined(source, [spec.name for spec in plan.functions])
        return self._running(_of(plan, there), "", source, types)

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The module's file."""
        whole = {name: _with_stubs(source, plan, "abort()") for name, source in sources.items()}
        return exporting.module_text(plan, whole)

    def file(self, plan: Plan) -> str:
        """The name of the module's file."""
        return f"{plan.module.rpartition('.')[2]}.c"

    def tests(self, plan: Plan, suites: Sequence[Suite]) -> dict[str, str]:
        """The files beside the module: its header, its tests, and a Makefile."""
        return exporting.files_beside(plan, suites, self.file(plan), lambda spec: head(spec, plan))

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """Those of the names that a file defines."""
        return reading.defined(text, names)

    def _running(self, plan: Plan, above: str, source: str, types: str) -> str:
        known = Types(plan)
        prototypes = "".join(f"{head(spec, plan)};\n" for spec in plan.functions)
        code = f'{prototypes}#line 1 "above.c"\n{above}\n#line 1 "solution.c"\n{source}'
        setup = {
            "source": f'{exporting.declarations(plan, known)}\n{code}\n#line 1 "harness.c"\n{program(plan, known)}',
            "flags": _FLAGS,
            "libraries": ("-lm",),
            "most_int": 2**64,
            "compiler_mb": _COMPILER_MB,
            "environment": {"ASAN_OPTIONS": _SANITIZED, "LANG": "C.UTF-8", "TZ": "UTC"},
            "kinds": exporting.kinds(plan),
            "classes": exporting.classes(plan),
            "records": shapes.records(plan),
            "fields": _fields(plan),
            "units": {spec.name: _unit(spec, plan, n) for n, spec in enumerate(plan.functions)},
        }
        driver = resources.files("tdgen.languages.c").joinpath("driver.py").read_text("utf-8")
        return shapes.standing(setup, driver, types)


def _fields(plan: Plan) -> dict[str, dict[str, Any]]:
    return {name: {key: plain(of) for key, of in fields.items()} for name, fields in shapes.records(plan).items()}


def _failing(plan: Plan) -> str:
    return render("tdgen.languages.c", "failing", kinds=", ".join(exporting.kinds(plan)))


def _of(plan: Plan, names: Collection[str]) -> Plan:
    """The plan with those functions alone that are there."""
    return plan.model_copy(update={"functions": tuple(spec for spec in plan.functions if spec.name in names)})


def _part(gcc: str, name: str) -> str:
    """The path of a program that the compiler starts."""
    done = subprocess.run([gcc, f"-print-prog-name={name}"], capture_output=True, text=True, timeout=20, check=False)  # noqa: S603
    return done.stdout.strip()


def _problems(plan: Plan) -> Iterator[str]:
    for one in plan.types:
        if one.kind == "exception" and one.fields:
            yield f"type {one.name!r}: a failure in C has a message alone: leave its fields out"
    for spec in plan.functions:
        if spec.is_async:
            yield f"function {spec.name!r}: C has no async functions"
        if any(one.name.startswith("*") and one.name != "*" for one in spec.parameters):
            yield f"function {spec.name!r}: C has no * parameters: take a list"
        for annotation in (*(one.type for one in spec.parameters), spec.returns.type):
            try:
                plain(shapes.shape(annotation, plan)) if annotation else None
            except shapes.Unsupported as error:
                yield f"function {spec.name!r}: {annotation!r}: {error} has no counterpart in C"
    try:
        Types(plan)
    except shapes.Unsupported as error:
        yield f"the types: {error} has no counterpart in C"


def head(spec: FunctionSpec, plan: Plan) -> str:
    """A function's head."""
    real = [one for one in spec.parameters if one.name != "*"]
    given = [declared(plain(shapes.shape(one.type, plan)), one.name, given=True) for one in real]
    given += ["failure *error"] * bool(spec.raises)
    return declared(plain(shapes.shape(spec.returns.type, plan)), f"{spec.name}({', '.join(given) or 'void'})")


def _with_stubs(source: str, plan: Plan, body: str = "tdgen_unwritten()") -> str:
    """A source, or in place of a stub's mark the function with a body that says so."""
    for spec in plan.functions:
        if source.startswith(f"/* tdgen: unwritten {spec.name} */"):
            return f"{head(spec, plan)} {{\n    {body}; /* not written yet */\n}}\n"
    return source


def _unit(spec: FunctionSpec, plan: Plan, number: int) -> dict[str, Any]:
    real = [one for one in spec.parameters if one.name != "*"]
    given = [shapes.shape(one.type, plan) for one in real]
    returns = shapes.shape(spec.returns.type, plan)
    return {
        "number": number,
        "parameters": parameter_list(spec.parameters, typed=False),
        "given": [one.name for one in real],
        "shapes": given,
        "plain": [plain(of) for of in given],
        "returns": returns,
        "plain_returns": plain(returns),
        "async": False,
    }
