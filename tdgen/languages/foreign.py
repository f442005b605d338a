"""What back ends of other languages than Python have alike: each unit's code is a block, which is read by itself."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tdgen.errors import InputError, ReplyError
from tdgen.language import Findings, OneLanguage, ReadCode, ReadModule, Surroundings
from tdgen.prompts import render
from tdgen.source.names import STDLIB
from tdgen.types import Case, FunctionSpec, Mutant, Plan


class Foreign(OneLanguage, ABC):
    """A back end that has none of what is done with Python code alone."""

    note: str
    parses = False
    reply: type[Any] | None = None
    start_s = 0.0

    suffix: ClassVar[str]
    imports = False
    """Whether some of its code may import the packages that the user allows."""

    def __init__(self, surroundings: Surroundings = Surroundings()) -> None:  # noqa: B008 - immutable
        if surroundings.allowed and not self.imports:
            packages = sorted(name for name in surroundings.allowed if name.partition(".")[0] not in STDLIB)
            allowed = f"--allow {', '.join(packages)}" if packages else "what --allow-loopback or --allow-run opens"
            raise InputError(
                f"{allowed}: code in {self.name} imports no packages, has no network and starts no programs: leave it "
                "out, or have Python written (without --language), or a service and its page (--language fullstack)"
            )
        self.surroundings = surroundings

    @abstractmethod
    def rules(self, spec: FunctionSpec, plan: Plan, *, is_repair: bool = False) -> str:
        """What the developer is told."""

    @abstractmethod
    def read(self, text: str, spec: FunctionSpec, plan: Plan, **more: Any) -> ReadCode:
        """The code of an answer; ReplyError where there is none. It is whole, and nothing of others' code is in it."""

    @abstractmethod
    def stub(self, spec: FunctionSpec) -> str:
        """A unit that nobody has written: to call it fails by `_Unwritten` of the module that stands for it."""

    @abstractmethod
    def module(self, plan: Plan, sources: Mapping[str, str], types: str, unit: str = "") -> str:
        """The module that stands for these sources."""

    def module_rules(self, plan: Plan) -> tuple[str, str]:
        """What developers are told of each function, once where it is the same."""
        rules = [rule for spec in plan.functions for rule in re.split(r"\n(?=- )", self.rules(spec, plan))]
        text = "\n".join(dict.fromkeys(rules))
        return render("tdgen.impl", "reading_in_parts", rules=text, note=self.note), "a block for each"

    def read_module(self, text: str, plan: Plan) -> ReadModule:
        """The code of an answer that has a part for each function."""
        parts, functions, reasons = {}, set[str](), list[str]()
        for spec in plan.functions:
            parts[spec.name] = self.stub(spec)
            try:
                code = self.read(text, spec, plan)
            except ReplyError as error:
                reasons.append(str(error))
                continue
            if code.findings:
                reasons += code.findings
            else:
                parts[spec.name] = code.source
                functions.add(spec.name)
        if not functions:
            raise ReplyError(reasons[0], tuple(reasons))
        return ReadModule("\n".join(parts.values()), frozenset(functions), parts)

    def file(self, plan: Plan) -> str:
        """The name of the module's file."""
        return f"{plan.module.rpartition('.')[2]}.{self.suffix}"

    def findings(self, module: str, source: str, spec: FunctionSpec, plan: Plan) -> Findings:
        """Nothing: it was read when it came."""
        return Findings()

    def memorized(self, source: str, name: str, cases: Sequence[Case]) -> tuple[str, ...]:
        """Nothing that could be told."""
        return ()

    def repairs(self, source: str, unit: str, *, suspicion: Mapping[int, float]) -> Iterator[Mutant]:
        """None."""
        return iter(())

    def unwritten(self, plan: Plan, types: str, unit: str = "") -> str:
        """The module of stubs alone."""
        return self.module(plan, {spec.name: self.stub(spec) for spec in plan.functions}, types, unit)

    def with_stubs(self, plan: Plan, sources: Mapping[str, str]) -> dict[str, str]:
        """The sources, with stubs in the place of those that there are not."""
        return {name: source or self.stub(plan.spec(name)) for name, source in sources.items()}


def in_order(sources: Mapping[str, str], last: str) -> list[str]:
    """The sources in their order, but that of `last`, where it is named, at the end: its lines are told."""
    return [source for name, source in sources.items() if name != last] + ([sources[last]] if last else [])
