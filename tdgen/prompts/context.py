"""Contracts and what surrounds them, as the prompts tell them: the same words to test author and developer.

Of web applications more is said. What is planned is a function that makes one; a case sends requests to it in its
setup, by the framework's own test client and without a server, and looks at status and body as plain data.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable
from textwrap import indent
from typing import Final, NamedTuple

from tdgen.prompts import numbered, render
from tdgen.prompts.cases import case_text, cases_section
from tdgen.source.syntax import statements_of
from tdgen.source.trees import read_names, stored_names
from tdgen.text import quoted_parts
from tdgen.types import (
    Case,
    Frozen,
    FunctionSpec,
    Plan,
    Question,
)

RANK = (
    "The instruction is the user's; the contract, a planner's, says which part of it this {unit} does. The user's "
    "own examples and tests decide first, then the instruction, then the contract; an assumption holds where these "
    "leave a gap."
)

_TYPED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "→": "->", "⇒": "=>", "−": "-", "…": " "})
LONGEST_WHOLE = 6_000
"""Of how many characters (some 1,500 tokens) an instruction may be to stand whole in every prompt."""


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
        return self.told(is_numbered=False)

    def told(self, *, is_numbered: bool) -> str:
        """The text; where it `is_numbered`, with a number, from 1, before each passage that binds the function."""
        words = self.instruction.strip()
        if len(words) > LONGEST_WHOLE and self.spec.passages:
            called = (passage for name in self.spec.dependencies for passage in self.plan.spec(name).passages)
            passages = dict.fromkeys((*self.spec.passages, *called, *self.plan.unassigned))
            words = "\n[…]\n".join(sorted(passages, key=words.find))  # in the order in which they stand there
        words = f"<instruction>\n{words}\n</instruction>\n{RANK.format(unit=self.spec.unit)}\n" if words else ""
        words = numbered(words, self.spec.passages) if is_numbered else words
        entry = self.plan.script_call({self.spec.name})
        named = frozenset[str]().union(*(functions_named(case, self.plan) for case in self.pinned))
        named -= {self.spec.name, *self.spec.dependencies}
        others = [other for other in self.plan.functions if other.name in named]
        return "".join(
            [
                words,
                types_section(self.types, self.plan),
                assumptions_section(self.plan, self.spec),
                f"\n<contract>\n{contract(self.spec)}\n</contract>\n",
                *(f"{note}\n" for note in (self.plan.language_note, self.spec.language_note) if note),
                (f"It is the entry of a script: `raise SystemExit({entry})` ends the module's run.\n" if entry else ""),
                dependencies_section("functions_it_calls", map(self.plan.spec, self.spec.dependencies)),
                dependencies_section("other_functions_in_the_examples", others),
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
        units = (self.spec, *map(self.plan.spec, self.spec.dependencies))
        own, *called = [(one, contract(one.model_copy(update={"corrections": ()}))) for one in units]  # as planned
        unanswered = [one for one in _assumed(self.plan, self.spec) if not one.answered]
        assumed = "\n".join(f"{one.question} {one.assumption}" for one in unanswered)
        texts = [own, (self.spec, assumed), *called]
        return next((one.name for one, text in texts if is_quoted(sentence, text)), "")


def contract(spec: FunctionSpec) -> str:
    """A unit's whole contract, as text; of a class its public interface as Python."""
    lines = [f"`{spec.signature}`", "", spec.purpose]
    corrected = [""] if spec.corrections else []
    for one in spec.corrections:  # what holds in place of what stands above, or was assumed
        shown = f" For example:\n{indent(one.effect, '  ')}" if one.effect else ""
        corrected.append(f'Corrected: "{one.quote}" holds, and not "{one.refuted}".{shown}')
    if spec.interface:
        return "\n".join([spec.purpose, "", "```python", spec.interface.skeleton(spec.name), "```", *corrected])
    described = [parameter for parameter in spec.parameters if parameter.description]
    if described:
        lines += ["", "Parameters:", *(f"- {p.name}: {p.description}" for p in described)]
    if spec.returns.description:
        lines += ["", f"Returns: {spec.returns.description}"]
    if spec.returns.unordered:
        lines += ["", "The order of the result's items is free."]
    if spec.raises:
        lines += ["", "Raises:", *(f"- {raised.type}: {raised.when}" for raised in spec.raises)]
    return "\n".join([*lines, *corrected])


def assumptions_section(plan: Plan, spec: FunctionSpec | None = None) -> str:
    """What the planner assumed where the words leave something open, or nothing.

    With a `spec` only what names it, a function that it calls or is a helper of, or no function at all. Behind one that
    the user's words refuted, as was found for any function of the plan, stand these words.
    """
    corrections = [one for function in plan.functions for one in function.corrections]
    lines = []
    for question in _assumed(plan, spec):
        text = f"{question.question} {question.assumption}"
        refuting = dict.fromkeys(one.quote for one in corrections if is_quoted(one.refuted, text))
        lines.append("".join([f"- {text}", *(f' Corrected: "{quote}" holds.' for quote in refuting)]))
    return "\n<assumptions>\n" + "\n".join(lines) + "\n</assumptions>\n" if lines else ""


def _assumed(plan: Plan, spec: FunctionSpec | None) -> list[Question]:
    """The plan's questions of which a prompt shows what was assumed."""
    names = {function.name for function in plan.functions}
    # a helper's name begins with that of the function that was divided into it
    divided = {name for name in names if spec and spec.name.startswith(f"_{name.strip('_')}_")}
    own = {spec.name, *spec.dependencies, *divided} if spec else names
    assumed = []
    for one in plan.questions:
        # the functions that it names as code: in back-ticks, with a parenthesis, or by a name with `_`
        text = f"{one.question} {one.assumption}"
        forms = {name: rf"`{name}\b|\b{name}\(" + rf"|\b{name}\b" * ("_" in name) for name in names}
        named = {name for name, form in forms.items() if re.search(form, text)}
        if not named or named & own:
            assumed.append(one)
    return assumed


def types_section(source: str, plan: Plan | None = None) -> str:
    """The shared types' source, or what there is of a target's project; or nothing."""
    if plan and plan.target and source.strip():
        text = (
            f"What the project has. The code goes into `{plan.target.path}`, imported as `{plan.module}`: what that "
            "module imports or defines is there by name, as shared types are. Cases have all else below by name too; "
            "code imports it."
        )
        return f"\n<project>\n{text}\n\n{source.strip()}\n</project>\n"
    return f"\n<shared_types>\n{source.strip()}\n</shared_types>\n" if source.strip() else ""


def dependencies_section(title: str, specs: Iterable[FunctionSpec]) -> str:
    """The contracts of other functions under a tag, or nothing."""
    contracts = "\n\n".join(contract(spec) for spec in specs)
    return f"\n<{title}>\n{contracts}\n</{title}>\n" if contracts else ""


def functions_named(case: Case, plan: Plan) -> frozenset[str]:
    """The planned functions that a case names, in its setup, its call, or what is looked at afterwards."""
    read, bound = set[str](), set[str]()
    for source in (case.setup, case.expression, *(after.expression for after in case.after)):
        tree = ast.Module(statements_of(source.strip()), [])
        read |= read_names(tree)
        bound |= stored_names(tree)
    return frozenset(spec.name for spec in plan.functions if spec.name in read - bound)


def is_quoted(words: str, text: str) -> bool:
    """Whether words are in a text, less what copying loses; where `[…]` stands in them, those around it, in turn."""
    whole, end = folded(text), 0
    parts = [folded(part).strip(" .|-") for part in quoted_parts(words)]
    return any(parts) and all((end := whole.find(part, end) + len(part)) >= len(part) for part in parts)


def folded(text: str) -> str:
    """A text less what is lost in copying: wrapping, case, marks of Markdown, quotation marks, typographers' signs."""
    text = re.sub(r"\s*\|\s*", "|", text.translate(_TYPED))
    return re.sub(r"[\s`*\"']+", " ", text).strip().casefold()


class _Framework(NamedTuple):
    """A framework: the packages it is written with, its class of applications, and a client for one.

    `body` reads an answer's body, `raw` sends one that is no JSON.
    """

    packages: tuple[str, ...]
    application: str
    client: str = "TestClient({}())"
    body: str = "answer.json()"
    raw: str = "client.post('/pens', content='{', headers={'content-type': 'application/json'})"


_RAW_FLASK: Final = "client.post('/pens', data='{', content_type='application/json')"
_FRAMEWORKS: Final = (
    _Framework(("fastapi", "pydantic", "starlette"), "fastapi.FastAPI"),
    _Framework(("starlette",), "starlette.applications.Starlette"),
    _Framework(("flask", "werkzeug"), "flask.Flask", "{}().test_client()", "answer.get_json()", _RAW_FLASK),
)
_OPENAPI: Final = (
    " One case compares the documented routes with the words: `call` "
    "\"sorted((method, re.sub('{{.+?}}', '{{}}', path)) for path, methods in {}().openapi()['paths'].items() "
    "for method in methods)\", `value` \"[('get', '/pens/{{}}'), ('post', '/pens')]\"."
)


def web_scope(packages: Collection[str]) -> str:
    """What the planner is told of web applications, where one of the frameworks is among the packages allowed."""
    one = next((one for one in _FRAMEWORKS if one.packages[0] in packages), None)
    if one is None:
        return ""
    about = {"framework": one.packages[0], "packages": ", ".join(one.packages), "application": one.application}
    return "\n" + render("tdgen.specs", "web", client=one.client.format("create_app"), body=one.body, **about)


def web_cases(function: str, returns: str) -> str:
    """What the author of tests is told of a function that returns a web application."""
    one = next((one for one in _FRAMEWORKS if one.application == returns), None)
    if one is None:
        return ""
    openapi = _OPENAPI.format(function) if returns == "fastapi.FastAPI" else ""
    client = one.client.format(function)
    return "\n" + render("tdgen.testgen", "web", client=client, body=one.body, raw=one.raw, openapi=openapi)
