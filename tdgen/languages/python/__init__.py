"""The back end for Python: code is its own standing module, and all that can be done with code can be done with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from tdgen.errors import ReplyError
from tdgen.files.ruff import format_source
from tdgen.impl.developer import is_large, target_rules, written_lines
from tdgen.impl.findings import import_findings, lint_findings, memorized
from tdgen.language import CAPABILITIES, Capability, Findings, OneLanguage, ReadCode, ReadModule, Surroundings
from tdgen.languages.python.mending import CodeContext, class_findings, importable, mended, with_declared
from tdgen.mutation import mutants, repairs
from tdgen.prompts import render
from tdgen.prompts.context import web_scope
from tdgen.replies import find_code
from tdgen.source.fragment import assemble, read_fragment, trusted_fragment
from tdgen.source.laying import with_changed_methods
from tdgen.source.syntax import Definition, defined_names, parse
from tdgen.specs.declarations import declare_types
from tdgen.specs.instruction import stub, unwritten
from tdgen.specs.placed import in_place, module_to_run, unwritten_module, whole_module
from tdgen.types import Case, FunctionSpec, Mutant, Plan, Suite

_WHOLE: Final = {
    "answer": "a whole module with each function and class listed, under exactly its signature",
    "documented": "docstrings of one line at most",
}
_IN_PLACE: Final = {
    "answer": "each function and class listed, under the signature that stands there",
    "documented": "no docstrings",
}


class Python(OneLanguage):
    """Functions and classes in Python."""

    name = "Python"
    advice = ""
    compiles = browses = False
    parses = True
    packages: frozenset[str] = frozenset()
    overhead_mb = 0
    overhead_s = start_s = 0.0
    note = warming = ""
    reply = None
    capabilities: ClassVar[frozenset[Capability]] = CAPABILITIES
    programs: ClassVar[tuple[str, ...]] = ()
    """None but the interpreter, which is there for what judges as well."""
    shown: ClassVar[tuple[str, ...]] = ()
    judged_by: ClassVar[tuple[str, ...]] = ()
    """Nothing: the version of Python is known beside."""
    lacks: ClassVar[tuple[str, ...]] = ()

    def __init__(self, surroundings: Surroundings = Surroundings()) -> None:  # noqa: B008 - immutable
        self._surroundings = surroundings

    def planning(self, packages: Collection[str]) -> str:
        """What the planner is told: of web applications, where a framework for them is allowed."""
        return web_scope(packages).lstrip("\n")

    def problems(self, plan: Plan) -> list[str]:
        """None: plans are Python's."""
        return []

    def rules(self, spec: FunctionSpec, plan: Plan, *, is_repair: bool = False) -> str:
        """What the developer is told; a large class that is written as a whole begins with its state."""
        packages, unit, is_new = self._packages(plan), spec.unit, plan.target is None
        names = ["class"] * (spec.interface is not None and not (is_large(spec) and is_repair))
        names += ["large"] * (is_large(spec) and not is_repair)
        parts = [render("tdgen.impl", name) for name in names] if is_new else [target_rules([spec])]
        return render(
            "tdgen.impl",
            "form",
            unit=unit,
            upper=unit.upper(),
            signed="under exactly its signature, with a docstring"
            if is_new
            else "under the signature that stands there",
            typed="typed, " * is_new,
            about=render("tdgen.impl", "docstring", unit=unit) if is_new else parts.pop(),
            classes="".join(f"\n{part}" for part in parts),
            packages=packages,
            python=self._surroundings.python,
        )

    def read(
        self,
        text: str,
        spec: FunctionSpec,
        plan: Plan,
        *,
        repaired: str = "",
    ) -> ReadCode:
        """The code of an answer, mended, and what stands against it."""
        _, _, allowed, forbidden = self._surroundings
        wanted = CodeContext(spec, plan, allowed, forbidden)
        code = _code(text, wanted)
        if repaired and spec.interface:
            methods = [method.name for method in spec.interface.methods]
            code = with_changed_methods(code, repaired, spec.name, methods)
        mend = mended(code, wanted)
        source = read_fragment(mend.source, spec.name, wanted.others).source
        if plan.target:
            source = in_place(source, spec.name, plan.target)
        findings = import_findings(source, packages=wanted.packages, allowed=allowed, forbidden=forbidden)
        return ReadCode(source, (*findings, *class_findings(source, spec)), mend.done)

    def module_rules(self, plan: Plan) -> tuple[str, str]:
        """What is told who writes a whole module."""
        more = {"packages": self._packages(plan), "python": self._surroundings.python}
        wanted = ", ".join(f"`{name}`" for name in plan.target.units) if plan.target else "the module"
        return render("tdgen.impl", "reading_as_module", **more, **(_IN_PLACE if plan.target else _WHOLE)), wanted

    def read_module(self, text: str, plan: Plan) -> ReadModule:
        """A whole module; nothing of it is mended but what classes declare."""
        target, known = plan.target, importable(plan)
        there = {*(shared.name for shared in plan.types), *(target.names if target else ())}
        there -= {spec.name for spec in plan.functions}  # a class of a target that holds data is a type, too
        source = read_fragment(find_code(text), "", there).source
        for spec in plan.functions:
            source = with_declared(source, spec)
        _, _, allowed, forbidden = self._surroundings
        if findings := import_findings(source, packages=known, allowed=allowed, forbidden=forbidden):
            raise ReplyError(findings[0], findings)
        defined = {name for node in parse(source).body if isinstance(node, Definition) for name in defined_names(node)}
        functions = frozenset(spec.name for spec in plan.functions if spec.name in defined)
        if not functions:
            raise ReplyError("it defines no planned function")
        if target:
            for name in sorted(functions):
                source = in_place(source, name, target)
        return ReadModule(source, functions)

    def findings(self, module: str, source: str, spec: FunctionSpec, plan: Plan) -> Findings:
        """What ruff finds in the lines of a unit."""
        body = trusted_fragment(source).body.strip("\n")
        first = module.count("\n", 0, module.rfind(body)) + 1
        last, within = first + body.count("\n"), written_lines(body, plan, spec.name)
        given = self._surroundings
        return lint_findings(module, first, last, python=given.python, allowed=given.allowed, within=within)

    def memorized(self, source: str, name: str, cases: Sequence[Case]) -> tuple[str, ...]:
        """Which cases it looks up."""
        return memorized(source, name, cases)

    def stub(self, spec: FunctionSpec) -> str:
        """A unit that could not be written."""
        said = f"raise NotImplementedError('{spec.name} could not be written')\n"
        if spec.interface:
            return f"class {spec.name}:\n    def __init__(self, *args, **kwargs):\n        {said}"
        return f"def {spec.name}(*args, **kwargs):\n    {said}"

    def unwritten(self, plan: Plan, types: str, unit: str = "") -> str:
        """A module in which every unit raises a BaseException that no case can expect."""
        return unwritten_module(plan, types)

    def module(self, plan: Plan, sources: Mapping[str, str], types: str, unit: str = "") -> str:
        """The module of these sources."""
        units = {name: trusted_fragment(source) for name, source in sources.items()}
        return module_to_run(plan, units, entry=plan.script_call(sources))

    def module_of(
        self, plan: Plan, text: str, types: str, unit: str = "", beside: Mapping[str, str] | None = None
    ) -> str:
        """The text itself."""
        return text

    def modules(
        self, plan: Plan, around: Mapping[str, str], name: str, versions: Sequence[str], types: str
    ) -> list[str]:
        """The modules of several versions of one function."""
        return [self.module(plan, {**around, name: version}, types, name) for version in versions]

    def mutants(
        self, source: str, unit: str, *, most: int, within: Sequence[range] = (), near: Collection[int] = ()
    ) -> tuple[Mutant, ...]:
        """Single edits that a strong suite tells from the code."""
        return mutants(source, unit, most=most, within=within, near=near)

    def repairs(self, source: str, unit: str, *, suspicion: Mapping[int, float]) -> Iterator[Mutant]:
        """Single edits, ranked by suspicion and by how often such an edit mends."""
        return repairs(source, unit, suspicion=suspicion)

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The module, formatted; of a target its text with what was written laid into it."""
        written = {name: source for name, source in sources.items() if source}
        if plan.target:
            return whole_module(plan, {name: trusted_fragment(source) for name, source in written.items()})
        whole, types = {name: source or stub(plan.spec(name)) for name, source in sources.items()}, declare_types(plan)
        pieces = [trusted_fragment(source) for source in whole.values()]
        docstring, entry = plan.summary or plan.module, plan.script_call(written)
        return format_source(assemble(types, pieces, docstring=docstring, entry=entry))

    def file(self, plan: Plan) -> str:
        """No other name than the module's."""
        return ""

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """None beside those that pytest runs, which are rendered from what came of each function."""
        return {}

    def commands(self, plan: Plan) -> tuple[tuple[str, ...], ...]:
        """None: pytest runs them in a sandbox of its own."""
        return ()

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """Those of the names that a module defines, with a body."""
        missing = unwritten(text, tuple(names))
        return [name for name in names if name not in missing]

    def _packages(self, plan: Plan) -> str:
        """The packages that may be imported, as the end of a sentence: of a project what its module imports already."""
        names = plan.target.names.values() if plan.target else ()
        used = {one.line.split()[1].split(".")[0] for one in names}
        packages = ", ".join([*plan.packages, *sorted(used & {*(plan.target.packages if plan.target else ())})])
        return f", and {packages}" if packages else ""


def _code(text: str, wanted: CodeContext) -> str:
    """The code of an answer, or the answer as a whole where no code is found but can be made out of it."""
    try:
        return find_code(text)
    except ReplyError:
        if not mended(text, wanted).done:
            raise
        return text
