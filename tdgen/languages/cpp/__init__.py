"""The back end for C++: functions and classes in C++20, compiled by g++ with sanitizers, exported with a Makefile.

Values: int is std::int64_t, float double, str std::string, containers are those of the standard library, a dataclass is
a struct, an exception a class that derives from std::exception. A module with classes is a header alone. What is common
with C is in `tdgen.languages.gcc`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tdgen.cache import cache_folder
from tdgen.language import ReadCode, Surroundings
from tdgen.languages import shapes
from tdgen.languages.cpp import classes, declaring, exporting, harness, reading
from tdgen.languages.gcc.compiled import Compiled, part_of
from tdgen.languages.gcc.reading import RESERVED
from tdgen.languages.gcc.toolchain import Precompiled
from tdgen.languages.gcc.types import Types
from tdgen.prompts import render
from tdgen.types import FunctionSpec, Plan, Suite


class Cpp(Compiled):
    """Functions and classes in C++."""

    name = "C++"
    advice = (
        "install g++ (Debian and Ubuntu: apt install g++) or clang++ (clang libclang-rt-dev libstdc++-12-dev), with "
        "their sanitizers"
    )
    compilers, variable, front, library, suffix = ("g++", "clang++"), "CXX", "cc1plus", "libstdc++.so", "cpp"
    dialect = ("-std=c++20",)
    flags = ("-D_GLIBCXX_ASSERTIONS",)
    overhead_s = 15.0
    reserved = keywords = RESERVED | reading.KEYWORDS
    has_nul, most_mutants = True, 24
    refused = staticmethod(classes.refused)
    module_text = staticmethod(exporting.module_text)

    def __init__(self, surroundings: Surroundings = Surroundings()) -> None:  # noqa: B008 - immutable
        super().__init__(surroundings)
        folder = surroundings.folder or cache_folder()
        self._ready = Precompiled(folder, self.tools.path, self.all_flags, exporting.INCLUDED)
        self.precompiled = str(self._ready.path)

    @property
    def shown(self) -> tuple[str, ...]:
        """The library's headers, and what the compiler has read of them."""
        ready = self._ready
        return (*super().shown, *[str(ready.path.parent)] * ready.is_there())

    def rules(self, spec: FunctionSpec, plan: Plan, *, is_repair: bool = False) -> str:
        """What the developer is told beside the contract."""
        near = [one for one in plan.functions if one.interface or one.name in (spec.name, *spec.dependencies)]
        part = plan.model_copy(update={"functions": tuple(near)})
        declared_types = declaring.declarations(part, Types(part), exporting.literal_in(part)).strip()
        of_clang = ", of which versions before 16 have no std::views, and make no aggregate by parentheses"
        return render(
            "tdgen.languages.cpp",
            "rules",
            signature=self.declared(spec, plan) if spec.interface else f"{self.head(spec, plan)} {{ … }}",
            form=render("tdgen.languages.cpp", spec.unit, function=spec.name, prefix=f"{spec.name.strip('_')}_"),
            types=f"\n- These types are there:\n{declared_types}" if declared_types else "",
            compiler=f"{self.tools.name}{of_clang * self.tools.is_clang}",
            headers=" ".join(f"<{name}>" for name in reading.HEADERS),
            called=self.called(spec, plan),
        )

    def read(self, text: str, spec: FunctionSpec, plan: Plan, **more: Any) -> ReadCode:
        """The code of an answer, and what stands against it."""
        there = [one.name for one in plan.types] + list(declaring.exceptions(plan))
        members = classes.heads(spec, plan, exporting.literal_in(plan))
        return reading.read(text, spec, plan, there, members)

    def module_of(
        self, plan: Plan, text: str, types: str, unit: str = "", beside: Mapping[str, str] | None = None
    ) -> str:
        """The module that stands for a whole file; a header brings its types with it."""
        if not plan.classes:
            return super().module_of(plan, text, types, unit, beside)
        part = part_of(plan, self.defined(text, [spec.name for spec in plan.functions]))
        return self.running(part, f"{exporting.INCLUDED}{_UNWRITTEN}", text, types)

    def foreign(self, plan: Plan) -> Iterator[str]:
        """The same where classes have a counterpart."""
        return shapes.problems(plan, self.name, classes.problems)

    def file(self, plan: Plan) -> str:
        """The name of the module's file: a header where it has classes."""
        return self.header(plan) if plan.classes else super().file(plan)

    def declared(self, spec: FunctionSpec, plan: Plan) -> str:
        """A unit as those see it who use it."""
        if spec.interface:
            return classes.skeleton(spec, plan, exporting.literal_in(plan))
        return super().declared(spec, plan)

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """The files beside the module: its tests, a Makefile, and its header where the module is none."""
        return exporting.files_beside(plan, suites, self.header(plan).removesuffix(".hpp"))

    def head(self, spec: FunctionSpec, plan: Plan) -> str:
        """A function's head, without defaults: those are in the header; of a class that there is one."""
        return f"class {spec.name}" if spec.interface else declaring.head(spec, plan)

    def above(self, plan: Plan) -> str:
        """The headers, the types, and the heads of units."""
        declared = declaring.declarations(plan, Types(plan), exporting.literal_in(plan))
        return f"{exporting.INCLUDED}\n{declared}{_UNWRITTEN}\n{self.heads(plan)}"

    def harness(self, plan: Plan) -> tuple[str, Sequence[str]]:
        """What reads calls."""
        return harness.codec(plan, Types(plan)), [harness.case(plan, *one) for one in harness.calls(plan)]

    def with_body(self, spec: FunctionSpec, plan: Plan, body: str) -> str:
        """A unit with this body; a class of which nothing can be made by it."""
        return classes.stub(spec, plan, body) if spec.interface else super().with_body(spec, plan, body)


_UNWRITTEN = "[[noreturn]] static inline void tdgen_unwritten() { exit(87); }\n"
