"""A second reading of the instruction: a whole module by an author who sees no contract's prose and no case.

Cases and code are written from one plan, so that they agree on what it misread or left out. Who reads the instruction
itself does not share its faults: where a reading parts from them, either is wrong.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tdgen.errors import ReplyError
from tdgen.impl.developer import target_rules, with_code_there
from tdgen.language import Language
from tdgen.prompts import conversation
from tdgen.prompts.context import assumptions_section, contract, types_section
from tdgen.protocols import Model, Request
from tdgen.source.fragment import Fragment, read_fragment
from tdgen.source.syntax import defined_names, parse
from tdgen.source.trees import names_in
from tdgen.types import Plan


class Reading(NamedTuple):
    """A reading's code without the shared types, and which planned functions it has.

    `counts` names those of them on which its word counts, once it was held against their cases. The code may come in
    `parts`, by function: there are stubs in the place of those that it does not have.
    """

    source: str
    functions: frozenset[str]
    counts: frozenset[str] = frozenset()
    parts: Mapping[str, str] = MappingProxyType({})

    def source_of(self, function: str) -> str:
        """One function with what it needs of the reading beside planned functions: a candidate for the module."""
        if self.parts:
            return self.parts[function]
        tree = parse(self.source)
        others = self.functions - {function}
        defined = {name: node for node in tree.body for name in defined_names(node)}
        needed, parts = set[str](), [function]
        while parts:
            name = parts.pop()
            if name not in needed:
                needed.add(name)
                named = names_in(defined[name])
                parts += (named & defined.keys()) - others
        fragment = read_fragment(self.source, function, frozenset(defined) - needed)
        names = names_in(parse(fragment.body))

        used = []
        for line in fragment.imports:
            (statement,) = parse(line).body
            aliases = statement.names if isinstance(statement, ast.Import | ast.ImportFrom) else []
            if any((alias.asname or alias.name.partition(".")[0]) in names for alias in aliases):
                used.append(line)
        return Fragment(tuple(used), fragment.body).source


def read_again(
    model: Model,
    instruction: str,
    plan: Plan,
    types: str,
    language: Language,
    *,
    sample: int = 0,
) -> Reading:
    """The answer to a whole instruction, not yet run; another `sample` is another reader.

    ReplyError where it can't be used: no model is asked twice for what only compares.
    """
    form, wanted = language.module_rules(plan)
    answer = model.ask(
        Request(
            purpose="reading",
            sample=sample,
            messages=conversation(
                "tdgen.impl",
                "reading",
                language=language.name,
                form=form,
                wanted=wanted,
                instruction=instruction.strip(),
                agreed=_agreed(instruction, plan, types),
            ),
        )
    )
    if answer.finish_reason == "length":
        raise ReplyError(f"the answer was cut off after {answer.usage.completion_tokens} tokens")
    source, functions, parts = language.read_module(answer.text, plan)
    return Reading(source, functions, parts=parts)


def _agreed(instruction: str, plan: Plan, types: str) -> str:
    """What is agreed: the shared types, the signatures, and what was assumed where the words leave something open.

    What the words do not name, a function or a private method, has its contract there: nothing else says what it does.
    """
    named = frozenset(re.findall(r"\w+", instruction))
    items = []  # each with its signature and, where the words do not name it, the rest of its contract
    for spec in plan.functions:
        bare = spec.interface.skeleton(spec.name, bare=True, known=named) if spec.interface else f"`{spec.signature}`"
        lines = [line for line in (bare if spec.name in named else contract(spec)).splitlines() if line.strip()]
        items.append("- " + "\n  ".join(lines))
    text = "\n".join(items)
    shown = types_section(plan.target.context if plan.target else types, plan)
    if plan.target:
        shown = f"{with_code_there(shown, plan, list(plan.target.units))}{target_rules(plan.functions)}\n"
    return f"{shown}\n<functions>\n{text}\n</functions>\n{assumptions_section(plan)}"
