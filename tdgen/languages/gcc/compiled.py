"""A back end of functions and classes that gcc or clang compiles into one program with what calls them.

A candidate is compiled once in a process with all its cases, and each of these runs in a process of its own: what
AddressSanitizer or UndefinedBehaviorSanitizer say of it, and memory that is lost, is how that case ended.

It has no traces, patch search, recorded calls or properties.
"""

from __future__ import annotations

import json
import os
import re
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from tdgen.language import Capability, Surroundings
from tdgen.languages import edits, shapes
from tdgen.languages.files import text_of
from tdgen.languages.foreign import Foreign, in_order
from tdgen.languages.gcc import building, reading
from tdgen.languages.gcc.members import callables, kin, members
from tdgen.languages.gcc.toolchain import toolchain
from tdgen.languages.gcc.types import Types, fields, given, plain, returned
from tdgen.prompts import render
from tdgen.protocols import Sandbox
from tdgen.types import FunctionSpec, Mutant, Plan, digest
from tdgen.types.plan import parameter_list

_SANITIZED: Final = (
    "detect_leaks=0:max_allocation_size_mb=512:detect_stack_use_after_return=1:allocator_may_return_null=1"
)
_MACRO: Final = re.compile(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)")


class Compiled(Foreign):
    """Functions that are compiled into one program with what calls them."""

    name: ClassVar[str]
    advice: ClassVar[str]
    compiles = True
    browses = False
    packages: frozenset[str] = frozenset()
    overhead_mb = 0
    overhead_s = 5.0
    reply = None
    warming = ""
    compilers: ClassVar[tuple[str, ...]]
    """Those that it is compiled by, the first of them that is here, unless the environment names one."""
    variable: ClassVar[str]
    """The environment variable that names it, as for `make`."""
    front: ClassVar[str]
    """The program that gcc starts for this language."""
    library: ClassVar[str]
    """What programs in it are linked to."""
    dialect: ClassVar[tuple[str, ...]]
    """The flags without which nobody compiles it."""
    flags: ClassVar[tuple[str, ...]]
    keywords: ClassVar[frozenset[str]]
    """Names that the language or its library has taken."""
    reserved: ClassVar[frozenset[str]]
    """Those of them that fields and parameters can't have either: these may be called as a function of the library."""
    most_mutants: ClassVar[int]
    """So many versions are compiled in a few seconds."""
    has_nul: ClassVar[bool]
    """Whether a text may hold NUL."""
    precompiled = ""
    """A header that the compiler has read already, where it is shown."""
    last: ClassVar[tuple[str, ...]] = ()
    """What a function whose contract raises is given beside the contract's arguments, by its name in the head."""

    def __init__(self, surroundings: Surroundings = Surroundings()) -> None:  # noqa: B008 - immutable
        super().__init__(surroundings)
        self.tools = toolchain(os.environ.get(self.variable, ""), self.compilers, self.front, self.library)
        self.programs, self.judged_by = self.tools.programs, (self.tools.version,)
        self.all_flags = (*self.tools.flags, *self.dialect, *self.flags)
        self.capabilities: frozenset[Capability] = frozenset({"mutants"} if edits.is_there(self.suffix) else ())
        self.lacks = edits.lacking(self.suffix)
        self.note = render(type(self).__module__, "note")

    @property
    def shown(self) -> tuple[str, ...]:
        """The library's headers, and where compilers since 13 have the linker's plugin."""
        return tuple(path for path in ("/usr/include", "/usr/libexec/gcc") if Path(path).is_dir())

    def keeping(self, sandbox: Sandbox) -> Sandbox:
        """One that keeps the programs."""
        folder = getattr(sandbox, "kept", "")
        return building.Building(sandbox, folder) if folder else sandbox

    def planning(self, packages: Collection[str]) -> str:
        """What the planner is told."""
        return f"{render(type(self).__module__, 'planning')}\n"

    def problems(self, plan: Plan) -> list[str]:
        """What of a plan can't be written."""
        ways = (self.foreign, self._problems, self.refused)
        return next((problems for way in ways if (problems := list(dict.fromkeys(way(plan))))), [])

    def called(self, spec: FunctionSpec, plan: Plan) -> str:
        """The heads of the functions that a unit calls, or nothing, for its developer."""
        heads = "".join(f"\n  {self.declared(plan.spec(name), plan)}" for name in spec.dependencies)
        return f". The contract's notation is Python's; declared is:{heads}" if heads else "."

    def declared(self, spec: FunctionSpec, plan: Plan) -> str:
        """A unit as those see it who call it."""
        return f"{self.head(spec, plan)};"

    def stub(self, spec: FunctionSpec) -> str:
        """The function before anything is written: a mark, which makes room for it where its head is known."""
        return f"/* tdgen: unwritten {spec.name} */\n"

    def module(self, plan: Plan, sources: Mapping[str, str], types: str, unit: str = "") -> str:
        """The Python module that stands for these sources in the sandbox."""
        *others, last = (self._with_stubs(source, plan) for source in in_order(sources, unit))
        part = part_of(plan, sources)
        return self.running(part, "\n".join([self.above(part), '#line 1 "above.c"', *others]), last, types)

    def modules(
        self, plan: Plan, around: Mapping[str, str], name: str, versions: Sequence[str], types: str
    ) -> list[str]:
        """The modules of several versions of one function, which are compiled together."""
        spec, part = plan.spec(name), part_of(plan, {*around, name})
        if len(versions) == 1 or spec.interface:
            return [self.module(plan, {**around, name: version}, types, name) for version in versions]
        others = (self._with_stubs(source, plan) for source in around.values())
        above = "\n".join([self.above(part), '#line 1 "above.c"', *others])
        call = ", ".join([*(one.name for one in shapes.parameters(spec)), *self.last * bool(spec.raises)])
        taken = {one.name for one in plan.functions} - {name}
        taken |= {part for one in plan.types for part in (one.name, *(field.name for field in one.fields))}
        gives = returned(spec, plan) != ["none"]
        source = _in_one(name, self.head(spec, plan), call, versions, taken, gives=gives)
        return [self.running(part, above, source, types, variant=n, call_s=1) for n in range(len(versions))]

    def mutants(self, source: str, unit: str, *, most: int, **_: Any) -> tuple[Mutant, ...]:
        """Single edits of a function's code, wherever they are."""
        return edits.mutants(source, self.suffix, most=min(most, self.most_mutants))

    def module_of(
        self, plan: Plan, text: str, types: str, unit: str = "", beside: Mapping[str, str] | None = None
    ) -> str:
        """The same of a whole file."""
        source = re.sub(r'(?m)^#include ".*', "", text)  # it stands above already
        part = part_of(plan, self.defined(source, [spec.name for spec in plan.functions]))
        return self.running(part, self.above(part), source, types)

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The module's file."""
        whole = self.with_stubs(plan, sources)
        whole = {name: self._with_stubs(source, plan, "abort()") for name, source in whole.items()}
        return self.module_text(plan, whole, self.header(plan))

    def header(self, plan: Plan) -> str:
        """The name of the module's header."""
        return f"{plan.module.rpartition('.')[2]}.{self.suffix.replace('c', 'h')}"

    def commands(self, plan: Plan) -> tuple[tuple[str, ...], ...]:
        """What builds the tests, as the Makefile does, and runs them."""
        module = Path(self.file(plan))
        units = (f"test_{module.stem}.{self.suffix}", *[module.name] * (module.suffix == f".{self.suffix}"))
        return (self.tools.path, *self.dialect, *units, "-lm", "-o", "tests"), ("./tests",)

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """Those of the names that a file defines."""
        return reading.defined(text, names)

    @abstractmethod
    def module_text(self, plan: Plan, sources: Mapping[str, str], header: str) -> str:
        """The module's file, which includes that header."""

    @abstractmethod
    def head(self, spec: FunctionSpec, plan: Plan) -> str:
        """A function's head."""

    @abstractmethod
    def above(self, plan: Plan) -> str:
        """What stands above a candidate: headers, types, and the heads of functions."""

    @abstractmethod
    def harness(self, plan: Plan) -> tuple[str, Sequence[str]]:
        """What the program below a candidate has of its own beside `runtime.h`, and the calls that it makes."""

    def heads(self, plan: Plan) -> str:
        """The heads of all units, classes first."""
        units = sorted(plan.functions, key=lambda spec: spec.interface is None)
        return "".join(f"{self.head(spec, plan)};\n" for spec in units)

    def foreign(self, plan: Plan) -> Iterator[str]:
        """What of a plan has no counterpart in another language than Python, or not in those that gcc compiles."""
        return shapes.problems(plan, self.name)

    @abstractmethod
    def refused(self, plan: Plan) -> Iterator[str]:
        """What of a plan only this language has no counterpart of."""

    def running(self, plan: Plan, above: str, source: str, types: str, **more: Any) -> str:
        """What stands for a source, under what stands `above` it; `more` is told to who runs it."""
        codec, calls = self.harness(plan)
        declared = {raised.type.rpartition(".")[2]: raised.type for spec in plan.functions for raised in spec.raises}
        cases = "".join(f"case {n}: {{\n{call}\nbreak;\n}}\n" for n, call in enumerate(calls))
        calling = (
            f"static void tdgen_dispatch(int64_t number) {{\nswitch (number) {{\n{cases}default: _exit(64);\n}}\n}}\n"
        )
        below = "".join(text_of(one, "runtime.h") for one in ("tdgen.languages.gcc", type(self).__module__))
        code = f'{above}\nstatic long tdgen_variant;\n#line 1 "solution.c"\n{source}\n#line 1 "harness.c"\n'
        setup = {
            "compiler": self.tools.path,
            "source": f"{code}{below}{codec}{calling}",
            "suffix": self.suffix,
            "flags": self.all_flags,
            "precompiled": self.precompiled,
            "libraries": self.tools.libraries,
            "most_int": 2**64,
            "has_nul": self.has_nul,
            "overhead_s": self.overhead_s,
            "compiler_mb": 2048,
            "variant": 0,
            "call_s": 0,
            "environment": {"ASAN_OPTIONS": _SANITIZED, "LANG": "C.UTF-8", "TZ": "UTC"},
            "classes": declared | {name: name for name in shapes.records(plan)},
            "records": shapes.records(plan),
            "fields": fields(plan) | kin(plan),
            "units": {spec.name: _unit(spec, plan) for spec in plan.functions},
            "calls": {spec.name: {"number": n, "plain": given(spec, plan)} for n, spec in enumerate(callables(plan))},
            **more,
        }
        made_of = json.dumps([setup[name] for name in building.MADE_OF])
        setup["program"] = digest(made_of).removeprefix("sha256:")
        driver = text_of("tdgen.languages.gcc", "driver.py")
        return f"{shapes.standing(setup, driver, types)}{building.MARK}{setup['program']}\n"

    def _problems(self, plan: Plan) -> Iterator[str]:
        names = [one.name for one in plan.types] + [spec.name for spec in plan.functions]
        inner = [field.name for one in plan.types for field in one.fields]
        inner += [one.name for spec in callables(plan) for one in spec.parameters]
        inner += [one.name for spec in plan.functions for one in members(spec, plan) if one.kind != "new"]
        taken = [one for one in names if one in self.keywords] + [one for one in inner if one in self.reserved]
        yield from (f"the name {one!r} is a keyword of {self.name}, or its library's: take another" for one in taken)
        for spec in callables(plan):
            if spec.is_async:
                yield f"function {spec.name!r}: {self.name} has no async functions"
            if any(one.name.startswith("*") and one.name != "*" for one in spec.parameters):
                yield f"function {spec.name!r}: {self.name} has no * parameters: take a list"
            for annotation in (*(one.type for one in spec.parameters), spec.returns.type):
                try:
                    plain(shapes.shape(annotation, plan)) if annotation else None
                except shapes.Unsupported as error:
                    yield f"function {spec.name!r}: {annotation!r}: {error} has no counterpart in {self.name}"
        try:
            Types(plan)
        except shapes.Unsupported as error:
            yield f"the types: {error} has no counterpart in {self.name}"

    def _with_stubs(self, source: str, plan: Plan, body: str = "tdgen_unwritten()") -> str:
        """A source, or in place of a stub's mark the unit with a body that says so."""
        for spec in plan.functions:
            if source.startswith(self.stub(spec)):
                return self.with_body(spec, plan, f"{body}; /* not written yet */")
        return source

    def with_body(self, spec: FunctionSpec, plan: Plan, body: str) -> str:
        """A unit with this body."""
        return f"{self.head(spec, plan)} {{\n    {body}\n}}\n"


def part_of(plan: Plan, names: Collection[str]) -> Plan:
    """The plan with those units alone that are there, and whose classes are."""
    part = plan.model_copy(update={"functions": tuple(spec for spec in plan.functions if spec.name in names)})
    for spec in part.functions:
        try:
            _ = [(given(one, part), returned(one, part)) for one in callables(part, spec)]
        except shapes.Unsupported:
            return part_of(plan, {*names} - {spec.name})
    return part


def _in_one(name: str, head: str, call: str, versions: Sequence[str], taken: Collection[str], *, gives: bool) -> str:
    """Several versions of one function in one program: compiled once, and chosen by a number with each call.

    Each is the whole source, whose own names begin with its number there. What the compiler refuses of them is left out
    (`driver.py`). `call` has the arguments by their names, `taken` are names that all versions share.
    """
    parts, cases = [], []
    for number, source in enumerate(versions):
        own, code = f"tdgen_{number}_", reading.blanked(source)
        own_names = re.findall(rf"\b(?:{name}|_?{name.strip('_')}_\w+)\b", code)
        names = [one for one in dict.fromkeys(own_names) if one not in taken]
        renamed = "".join(f"#define {one} {own}{one}\n" for one in names)
        ended = "".join(f"#undef {one}\n" for one in dict.fromkeys([*names, *_MACRO.findall(code)]))
        begin, end = f"/*tdgen from {number}*/\n", f"/*tdgen to {number}*/\n"  # what is left out with its version
        parts.append(f'{begin}{renamed}#line 1 "version_{number}.c"\n{source}\n{ended}{end}')
        called = f"{own}{name}({call});"
        cases.append(f"{begin}case {number}: {f'return {called}' if gives else f'{called} return;'}\n{end}")
    dispatched = "".join(cases)
    chosen = f"switch (tdgen_variant) {{\n{dispatched}default: tdgen_unwritten();\n}}\n__builtin_unreachable();"
    return f"{''.join(parts)}\n{head} {{\n{chosen}\n}}\n"


_KINDS: Final = {"read": "get", "write": "set", "new": "method"}


def _unit(spec: FunctionSpec, plan: Plan) -> dict[str, Any]:
    """What the bridge has to know of a unit."""
    if spec.interface:
        told = []
        for one in members(spec, plan):
            key, kind, unit = one.spec.name, _KINDS.get(one.kind, one.kind), _unit(one.spec, plan)
            name = key.removeprefix(f"{one.owner}.").removesuffix("=")
            if one.kind == "new":  # the object is made on the other side: none of this side is given to it
                name, unit["parameters"] = "__init__", f"self, {unit['parameters']}"
            told.append({**unit, "name": name, "kind": kind, "key": key})
        return {"members": told, "bases": list(spec.interface.base_names)}
    return {
        "parameters": parameter_list(spec.parameters, typed=False),
        "given": [one.name for one in shapes.parameters(spec)],
        "shapes": [shapes.shape(one.type, plan) for one in shapes.parameters(spec)],
        "returns": shapes.shape(spec.returns.type, plan),
        "async": False,
    }
