"""Contracts and cases as the prompts tell them: the same words to the author of tests and to the developer."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from itertools import groupby
from textwrap import indent

from tdgen.prompts.passages import numbered
from tdgen.source.syntax import first_line, lines_of, parse
from tdgen.text import visible
from tdgen.types import (
    Call,
    Case,
    Check,
    Correction,
    Exits,
    ExpectedException,
    Frozen,
    FunctionSpec,
    Pattern,
    Plan,
    Question,
    Tolerance,
    Value,
    World,
)

RANK = (
    "The instruction is the user's; the contract, a planner's, says which part of it this {unit} does. The user's "
    "own examples and tests decide first, then the instruction, then the contract; an assumption holds where these "
    "leave a gap."
)

_TYPED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "→": "->", "⇒": "=>", "−": "-", "…": " "})
LONGEST_WHOLE = 6_000
"""Of how many characters (some 1,500 tokens) an instruction may be to stand whole in every prompt."""


LONGEST_TEXT = 4_000
"""Of how many characters of a file, or of what is printed, a prompt shows all."""
LONGEST_REPEATED = 60
"""Of how many characters a setup may be to stand with each of the cases that share it."""


class PromptContext(Frozen):
    """What every prompt about one function shows: the user's words, the contract, what surrounds it, what is pinned.

    `instruction` is the user's text, `types` the shared types' source, `pinned` the user's own cases. The text is shown
    word for word: whole, or where it is long the passages that the plan assigns to the function, to those that it
    calls, or to none.
    """

    spec: FunctionSpec
    plan: Plan
    instruction: str = ""
    types: str = ""
    pinned: tuple[Case, ...] = ()

    @property
    def text(self) -> str:
        """The context, with which a prompt begins: what all functions share comes first, so that it can be cached."""
        return self._under(self._words)

    @property
    def numbered_text(self) -> str:
        """The same with a number, from 1, before each passage that binds the function."""
        return self._under(numbered(self._words, self.spec.passages))

    def _under(self, words: str) -> str:
        return "".join(
            [
                words,
                types_section(self.types, self.plan),
                assumptions_section(self.plan, self.spec),
                f"\n<contract>\n{contract(self.spec)}\n</contract>\n",
                self._script,
                dependencies_section("functions_it_calls", map(self.plan.spec, self.spec.dependencies)),
                others_section("other_functions_in_the_examples", self.spec, self.plan, self.pinned),
                cases_section("users_examples", self.pinned),
            ]
        ).strip()

    def says(self, quote: str) -> bool:
        """Whether words stand in what the context shows, whatever a copyist changes of them."""
        contracts = (contract(spec) for spec in (self.spec, *map(self.plan.spec, self.spec.dependencies)))
        texts = (
            self.instruction,
            assumptions_section(self.plan, self.spec),
            *contracts,
            self.types,
            *map(case_text, self.pinned),
        )
        return any(is_quoted(quote, text) for text in texts)

    def is_of_user(self, quote: str) -> bool:
        """Whether words stand in what the user wrote: the instruction, and the examples and tests of the user's."""
        return any(is_quoted(quote, text) for text in (self.instruction, *map(case_text, self.pinned)))

    def refuted_of(self, quote: str, sentence: str) -> str:
        """The function whose contract is wrong where the user's words, as quoted, speak against a planner's sentence.

        It is the one that is asked about or one that it calls; an assumption is part of the contract of who is asked
        about. Empty where the quote is not the user's, or the sentence is, or stands in none of these.
        """
        if not self.is_of_user(quote) or self.is_of_user(sentence):
            return ""
        called = map(self.plan.spec, self.spec.dependencies)
        assumed = "\n".join(_assumption(one) for one in _assumed(self.plan, self.spec) if not one.answered)
        texts = [(self.spec, assumed), *((one, _planned(one)) for one in called)]
        found = (one.name for one, text in [(self.spec, _planned(self.spec)), *texts] if is_quoted(sentence, text))
        return next(found, "")

    @property
    def is_entry(self) -> bool:
        """Whether the function is the one that a script runs."""
        return bool(self.plan.script_call({self.spec.name}))

    @property
    def _script(self) -> str:
        entry = self.plan.script_call({self.spec.name})
        return f"It is the entry of a script: `raise SystemExit({entry})` ends the module's run.\n" if entry else ""

    @property
    def _words(self) -> str:
        words = self.instruction.strip()
        if len(words) > LONGEST_WHOLE and self.spec.passages:
            called = (passage for name in self.spec.dependencies for passage in self.plan.spec(name).passages)
            words = "\n[…]\n".join(_in_order(words, (*self.spec.passages, *called, *self.plan.unassigned)))
        return f"<instruction>\n{words}\n</instruction>\n{RANK.format(unit=self.spec.unit)}\n" if words else ""


def _in_order(text: str, parts: Iterable[str]) -> list[str]:
    """Parts of a text in the order in which they stand there, each once."""
    return sorted(dict.fromkeys(parts), key=text.find)


def _planned(spec: FunctionSpec) -> str:
    """A unit's contract as it was planned."""
    return contract(spec.model_copy(update={"corrections": ()}))


def contract(spec: FunctionSpec) -> str:
    """A unit's whole contract, as text; of a class its public interface as Python."""
    lines = [f"`{spec.signature}`", "", spec.purpose]
    if spec.interface:
        lines = [spec.purpose, "", "```python", spec.interface.skeleton(spec.name), "```"]
        return "\n".join([*lines, *(["", *map(_correction, spec.corrections)] if spec.corrections else [])])
    described = [parameter for parameter in spec.parameters if parameter.description]
    if described:
        lines += ["", "Parameters:", *(f"- {p.name}: {p.description}" for p in described)]
    if spec.returns.description:
        lines += ["", f"Returns: {spec.returns.description}"]
    if spec.returns.unordered:
        lines += ["", "The order of the result's items is free."]
    if spec.raises:
        lines += ["", "Raises:", *(f"- {raised.type}: {raised.when}" for raised in spec.raises)]
    if spec.corrections:
        lines += ["", *map(_correction, spec.corrections)]
    return "\n".join(lines)


def _correction(one: Correction) -> str:
    """What holds in place of what stands above, or was assumed."""
    shown = f" For example:\n{indent(one.effect, '  ')}" if one.effect else ""
    return f'Corrected: "{one.quote}" holds, and not "{one.refuted}".{shown}'


def assumptions_section(plan: Plan, spec: FunctionSpec | None = None) -> str:
    """What the planner assumed where the words leave something open, or nothing.

    With a `spec` only what names it, a function that it calls or is a helper of, or no function at all. Behind one that
    the user's words refuted, as was found for any function of the plan, stand these words.
    """
    corrections = [one for function in plan.functions for one in function.corrections]
    lines = []
    for text in map(_assumption, _assumed(plan, spec)):
        refuting = dict.fromkeys(one.quote for one in corrections if is_quoted(one.refuted, text))
        lines.append("".join([f"- {text}", *(f' Corrected: "{quote}" holds.' for quote in refuting)]))
    return "\n<assumptions>\n" + "\n".join(lines) + "\n</assumptions>\n" if lines else ""


def _assumed(plan: Plan, spec: FunctionSpec | None) -> list[Question]:
    """The plan's questions of which a prompt shows what was assumed."""
    names = {function.name for function in plan.functions}
    own = names if spec is None else {spec.name, *spec.dependencies} | {name for name in names if _helps(spec, name)}
    return [one for one in plan.questions if not (named := _named(_assumption(one), names)) or named & own]


def _assumption(question: Question) -> str:
    return f"{question.question} {question.assumption}"


def _helps(spec: FunctionSpec, name: str) -> bool:
    """Whether a function is one of those that another was decomposed into: its name begins with that one's."""
    return spec.name.startswith(f"_{name.strip('_')}_")


def _named(text: str, names: Collection[str]) -> set[str]:
    """The functions that a text names as code: in back-ticks, with a parenthesis, or by a name with `_`."""
    return {name for name in names if re.search(rf"`{name}\b|\b{name}\(" + rf"|\b{name}\b" * ("_" in name), text)}


def types_section(source: str, plan: Plan | None = None) -> str:
    """The shared types' source, or what there is of a target's project; or nothing."""
    if plan and plan.target and source.strip():
        told = (
            f"What the project has. The code goes into `{plan.target.path}`, imported as `{plan.module}`: what that "
            "module imports or defines is there by name, as shared types are. Cases have all else below by name too; "
            "code imports it."
        )
        return f"\n<project>\n{told}\n\n{source.strip()}\n</project>\n"
    return f"\n<shared_types>\n{source.strip()}\n</shared_types>\n" if source.strip() else ""


def dependencies_section(title: str, specs: Iterable[FunctionSpec]) -> str:
    """The contracts of other functions under a tag, or nothing."""
    contracts = "\n\n".join(contract(spec) for spec in specs)
    return f"\n<{title}>\n{contracts}\n</{title}>\n" if contracts else ""


def functions_named(case: Case, plan: Plan) -> frozenset[str]:
    """The planned functions that a case names, in its setup, its call, or what is looked at afterwards."""
    read, bound = set[str](), set[str]()
    for source in (case.setup, case.expression, *(after.expression for after in case.after)):
        with suppress(SyntaxError):
            names = [node for node in ast.walk(parse(source.strip())) if isinstance(node, ast.Name)]
            read |= {name.id for name in names if isinstance(name.ctx, ast.Load)}
            bound |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return frozenset(spec.name for spec in plan.functions if spec.name in read - bound)


def others_section(title: str, spec: FunctionSpec, plan: Plan, cases: Iterable[Case]) -> str:
    """The contracts of functions that cases of `spec` name, and that it does not depend on; or nothing."""
    named = frozenset[str]().union(*(functions_named(case, plan) for case in cases))
    others = named - {spec.name, *spec.dependencies}
    return dependencies_section(title, (other for other in plan.functions if other.name in others))


def cases_section(title: str, cases: Iterable[Case]) -> str:
    """Cases as text under a tag, or nothing."""
    text = cases_text(cases)
    return f"\n<{title}>\n{text}\n</{title}>\n" if text else ""


def cases_text(cases: Iterable[Case]) -> str:
    """Cases in a line or a few each: numbered ones that differ in their calls alone as one, what setups share once."""
    told: dict[str, str] = {}
    texts = []
    for _, group in groupby(cases, lambda case: (_stem(case), case.setup, _around(case.world), case.effects)):
        case, *others = group
        setup = case.setup.strip()
        first = told.setdefault(setup, case.name)
        is_again = first != case.name and len(setup) > LONGEST_REPEATED
        lines = [f"  after the setup of {first}"] if is_again else _setup(_shortened(setup, case.name, told))
        texts.append(case_text(case, *others, setup="\n".join(lines)))
    return "\n".join(texts)


def _shortened(setup: str, name: str, told: dict[str, str]) -> str:
    """A case's setup, with a comment in place of each long statement that an earlier case has, as `told` by its text.

    Test authors write the same helpers into many setups.
    """
    try:
        nodes = parse(setup).body
    except SyntaxError:
        return setup
    lines = lines_of(setup)
    for node in reversed(nodes):
        begins, text = first_line(node) - 1, "\n".join(lines[first_line(node) - 1 : node.end_lineno])
        first = told.setdefault(text, name)
        if first != name and len(text) > LONGEST_REPEATED:
            lines[begins : node.end_lineno] = [f"# as in {first}: {text.splitlines()[0]}"]
    return "\n".join(lines)


def _around(world: World) -> World:
    """What surrounds a call, without a script's command line: that is the call itself."""
    return world.model_copy(update={"script": None})


def _stem(case: Case) -> str:
    """The name of a case less its number, as those of one kind have it."""
    return case.name.rstrip("0123456789")


def call_text(call: Call) -> str:
    """A call in a line or a few, with its situation and without a word on what must come of it."""
    return visible("\n".join([f"`{call.text}`", *_situation(call)]))


def case_text(case: Case, *others: Case, setup: str = "") -> str:
    """One case in a line or a few: its situation, its call and what must be observed; `setup` in place of its own.

    `others` differ from it in their calls alone.
    """
    names = ", ".join([case.name, *(f"_{other.name[len(_stem(other)) :]}" for other in others)])
    calls = ", ".join(f"`{one.done.text}`" for one in (case, *others))
    lines = [f"- {names}: {calls}{' each' * bool(others)} {_expected(case)}", *_situation(case.done, setup)]
    return visible("\n".join([*lines, *observed_text(case)]))


def outcome_text(case: Case) -> str:
    """All that must be observed of a case's call, in one line and without the call."""
    return visible("; ".join([_expected(case), *(line.strip() for line in observed_text(case))]))


def outcomes_text(case: Case, outcomes: Mapping[str, str]) -> str:
    """A case as a question: its call and situation, and below them what may be right, each under its letter."""
    lines = [f"- {case.name}: `{case.done.text}`", *_situation(case.done)]
    return visible("\n".join([*lines, *(f"  {letter}: {outcome}" for letter, outcome in outcomes.items())]))


def observed_text(case: Case) -> list[str]:
    """What must be observed beside what the call gives, a line each."""
    printed = {"stdout": case.stdout, "stderr": case.stderr}
    lines = [f"  and prints {_stream(asked, where)}" for where, asked in printed.items() if asked is not None]
    for path, text in case.files.items():
        left = "must not exist" if text is None else f"holds {_text(text) or 'nothing'}"
        lines.append(f"  and afterwards the file {path!r} {left}")
    if case.logs is not None:
        told = [f"{record.level} {record.message!r} by {record.logger!r}" for record in case.logs]
        lines.append(f"  and logs {', then '.join(told) or 'nothing'}")
    return [*lines, *(f"  and afterwards `{after.expression}` gives `{after.source}`" for after in case.after)]


def _stream(asked: str | Pattern, where: str) -> str:
    """What is printed to a stream; the name of the stream always stands there, as nothing is said of the other."""
    if isinstance(asked, Pattern):
        return f"to {where} a text in which {asked.match!r} is found"
    return f"to {where} {_text(asked)}" if asked else f"nothing to {where}"


def _text(text: str | bytes) -> str:
    """A text or bytes as a literal, a long one by its beginning and its length; empty for an empty one."""
    if len(text) <= LONGEST_TEXT:
        return repr(text) if text else ""
    return f"{text[:LONGEST_TEXT]!r}, … {len(text):,} {'characters' if isinstance(text, str) else 'bytes'} in all"


def example_text(case: Case) -> str:
    """A case without its name, in a line or a few: its call and what must be observed, then its situation."""
    return visible("\n".join([f"`{case.done.text}` {_expected(case)}", *observed_text(case), *_situation(case.done)]))


def claim_text(case: Case) -> str:
    """What is called and what it must give, without the rest of its situation."""
    return visible(f"`{case.done.text}` {_expected(case)}")


def _situation(call: Call, setup: str = "") -> list[str]:
    return [*([setup] if setup else _setup(call.setup.strip())), *(f"  with {text}" for text in _world(call.world))]


def _setup(source: str) -> list[str]:
    """A setup of one line in line, a longer one as the block of code that it is."""
    if not source:
        return []
    lines = source.splitlines()
    return (
        [f"  after setup: `{source}`"] if len(lines) == 1 else ["  after setup:", *(f"      {line}" for line in lines)]
    )


def _expected(case: Case) -> str:
    match case.expectation:
        case Value(source=source, tolerance=tolerance):
            near = (
                "" if tolerance == Tolerance() else f" (within {tolerance.rel:g} relative, {tolerance.abs:g} absolute)"
            )
            return f"returns `{source}`{near}"
        case ExpectedException(type=name, match=pattern):
            return f"raises {name}" + (f" with a message that matches {pattern!r}" if pattern else "")
        case Check(source=source):
            return f"returns a result for which `{source}` holds"
        case Exits(code=code):
            return f"ends with exit code {code}"


def _world(world: World) -> list[str]:
    parts = [f"the file {path!r}: {_text(text) or 'empty'}" for path, text in world.files.items()]
    if world.stdin is not None:
        parts.append(f"stdin {_text(world.stdin) or 'empty'}")
    parts += [f"the environment variable {name}={value!r}" for name, value in world.environment.items()]
    if world.clock is not None:
        parts.append(f"the clock standing at {world.clock}")
    if world.seed is not None:
        parts.append(f"random.seed({world.seed})")
    return parts


def is_quoted(words: str, text: str) -> bool:
    """Whether words are in a text, less what is lost in copying."""
    return folded(words).strip(" .|-") in folded(text)


def folded(text: str) -> str:
    """A text less what is lost in copying: wrapping, case, marks of Markdown, quotation marks, typographers' signs."""
    text = re.sub(r"\s*\|\s*", "|", text.translate(_TYPED))
    return re.sub(r"[\s`*\"']+", " ", text).strip().casefold()
