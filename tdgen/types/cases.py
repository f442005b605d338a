"""Cases: what is called in which world and what is expected; their suite; and the key by which equal calls are one.

Calls are compared as Python, so that `f([1,2])` is `f([1, 2])`. Where the parameters of a function are known, an
argument by its place is one by its name, and one at its default is left out: `f(1)` is `f(x=1)`, and `f(1, y=2)` where
2 is the default of `y`.
"""

from __future__ import annotations

import ast
import shlex
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Annotated, Literal

from pydantic import Field, field_serializer

from tdgen.source.syntax import dumped, expression_or_none, parse, walk
from tdgen.text import quoted_parts
from tdgen.types.base import Content, Frozen, digest

Parameters = Sequence[tuple[str, str | None]]
"""A function's parameters: each one's name, with its stars, and the source of its default."""


def _name_arguments(call: ast.Call, parameters: Parameters) -> None:
    """Give each argument its parameter's name, in the names' order, and leave out those at their defaults."""
    names = list(takewhile(lambda name: not name.startswith("*"), (name for name, _ in parameters)))
    if len(call.args) > len(names) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    if any(keyword.arg is None for keyword in call.keywords):
        return
    named = [ast.keyword(name, value) for name, value in zip(names, call.args, strict=False)] + call.keywords
    defaults = {name: _code(default) for name, default in parameters if default is not None}
    given = [one for one in named if one.arg not in defaults or _code(ast.unparse(one.value)) != defaults[one.arg]]
    call.args, call.keywords = [], sorted(given, key=lambda one: one.arg or "")


@lru_cache(maxsize=512)  # a suite's cases share setups and defaults, and of each call many copies are made
def _code(source: str) -> str:
    """A source as its syntax tree; as it is, where it is no Python."""
    if not source.strip():
        return ""
    try:
        return dumped(parse(source.strip()))
    except SyntaxError:
        return source.strip()


CaseKind = Literal["normal", "edge", "error", "limit"]
Provenance = Literal["instruction", "user", "model", "property", "survivor", "caller"]


def argument_value(argument: str) -> str:
    """The source of an argument's value: the whole of a positional one, what follows `name=` of a keyword one."""
    name, equals, value = argument.partition("=")
    return value if equals and name.strip().isidentifier() and not value.startswith("=") else argument


class Tolerance(Frozen):
    """How far a float may be off: |actual - expected| <= max(rel * |expected|, abs), as pytest.approx has it."""

    rel: float = 1e-9
    abs: float = 1e-12


class World(Frozen):
    """What surrounds a call: files by relative path, stdin, environment, the clock and the random seed.

    `clock` is an ISO 8601 date and time at which `time.time`, `datetime.now` and `date.today` stand still. Where there
    is a `script`, the module is run with these arguments (`python module.py ARGUMENTS`), in place of the call.
    """

    files: dict[str, Content] = Field(default_factory=dict)
    stdin: Content | None = None
    environment: dict[str, str] = Field(default_factory=dict)
    clock: str | None = None
    seed: int | None = None
    script: tuple[str, ...] | None = None


_PLAIN = World()


def plain_world() -> World:
    """The world in which nothing is set: one for all, as pydantic would copy a default of its own for each case."""
    return _PLAIN


class Value(Frozen):
    """The call returns what this Python source evaluates to."""

    form: Literal["value"] = "value"
    source: str
    tolerance: Tolerance = Tolerance()


class ExpectedException(Frozen):
    """The call raises this class or a subclass; `match` is searched in the message as `re.search` does."""

    form: Literal["raises"] = "raises"
    type: str
    match: str = ""


class Check(Frozen):
    """The call's result satisfies a predicate: an expression over `result`, the parameters and the setup's names."""

    form: Literal["check"] = "check"
    source: str


class Exits(Frozen):
    """The module, run as a script, ends with this exit code: by SystemExit, or at its end. A traceback is no exit."""

    form: Literal["exits"] = "exits"
    code: int


class Call(Frozen):
    """What is done, without a word on what must come of it: a case less its expectation.

    Two calls with the same key do the same.
    """

    function: str
    setup: str = ""
    arguments: tuple[str, ...] = ()
    call: str = ""
    world: World = Field(default_factory=plain_world)

    @property
    def expression(self) -> str:
        """The call as Python source."""
        return self.call or f"{self.function}({', '.join(self.arguments)})"

    @property
    def text(self) -> str:
        """The call as it is told: Python source, or the command line of a script."""
        if self.world.script is None:
            return self.expression
        return shlex.join(["python", "MODULE.py", *self.world.script])

    @cached_property
    def call_key(self) -> str:
        """A digest of all that is done, read as Python; see `Plan.call_key` for one that knows the parameters too."""
        return self.key_by({})

    def key_by(self, functions: Mapping[str, Parameters]) -> str:
        """The call key where the parameters of these functions are known."""
        call = expression_or_none(self.expression)
        for node in walk(call) if call is not None else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
                _name_arguments(node, functions[node.func.id])
        done = dumped(call) if call is not None else self.expression.strip()
        return digest([_code(self.setup), done, self.world.model_dump(mode="json")])


Expectation = Annotated[Value | ExpectedException | Check | Exits, Field(discriminator="form")]


class After(Frozen):
    """An expression evaluated after the call (in the call's namespace), and the source of what it must be.

    `result` is what the call returned, `error` what it raised, each as it is: so identity and attributes can be said.
    """

    expression: str
    source: str


class Logged(Frozen):
    """A record that is logged: the logger's name, its level's name, and the message with its arguments in it."""

    logger: str
    level: str
    message: str


class Pattern(Frozen):
    """A regular expression that is found in a text, as `re.search` does: for a text whose wording is free."""

    match: str


class Effects(Frozen):
    """What a case observes of a call: what it returns or raises, all that it prints, files and expressions after it.

    `stdout` and `stderr` are the whole text, or a pattern that is found in it, None where what is printed there does
    not matter; `files` holds what each file must
    hold, None where there must be no such file. `logs` are all records of the call that reach the root logger, in their
    order; None where they don't matter.
    """

    expectation: Expectation
    stdout: str | Pattern | None = None
    stderr: str | Pattern | None = None
    files: dict[str, Content | None] = Field(default_factory=dict)
    logs: tuple[Logged, ...] | None = None
    after: tuple[After, ...] = ()

    @property
    def patterns(self) -> dict[str, str]:
        """The regular expressions by where they are searched: `stdout`, `stderr`, the `message` of an exception."""
        streams = {"stdout": self.stdout, "stderr": self.stderr}
        patterns = {stream: asked.match for stream, asked in streams.items() if isinstance(asked, Pattern)}
        if isinstance(self.expectation, ExpectedException) and self.expectation.match:
            patterns["message"] = self.expectation.match
        return patterns


ARBITRATED = "trial"
"""What confirms a case that an arbiter upheld, or corrected."""


class Case(Call, Effects):
    """One example: what is called in what world, and the effects that must be observed.

    `arguments` are sources, positional or `name=source`; `call` is empty for the plain call on them, otherwise any
    expression over the function, the names that `setup` binds, and the standard library's modules by name.
    `confirmed` names what has borne its expectation out since it was written: a trial, implementations that agree.
    `passages` are those of the instruction that it shows, word for word.
    `doubts` says what speaks against it and was never settled: arbiters that do not agree.
    """

    name: str
    kind: CaseKind = "normal"
    provenance: Provenance = "model"
    why: str = ""
    confirmed: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @cached_property
    def done(self) -> Call:
        """What is done, whatever is expected."""
        return Call(**{name: getattr(self, name) for name in Call.model_fields})

    @property
    def effects(self) -> Effects:
        """All that it observes."""
        return Effects(**{name: getattr(self, name) for name in Effects.model_fields})

    def observing(self, effects: Effects) -> Case:
        """The case with other effects of the same call."""
        return self.model_copy(update=dict(effects))

    @property
    def is_pinned(self) -> bool:
        """Whether the user wrote it: such a case is never held out, revised or dropped."""
        return self.provenance in ("instruction", "user")

    def spells_out(self, passage: str) -> bool:
        """Whether it is an example of the user's that stands in a passage, or that one in its words.

        A single word or number of its quote is in many passages, and says nothing.
        """
        line, why = _line(passage), _line(self.why) if self.is_pinned else ""
        parts = map(_line, quoted_parts(why))
        return bool(why) and (line in why or any(part in line for part in parts if not part.isalnum()))


class Property(Frozen):
    """What holds for all inputs: the source of one Hypothesis test function, `name`, over the function under test.

    `why` quotes the words of the contract that say so.
    """

    name: str
    source: str
    why: str = ""


class Suite(Frozen):
    """A function's cases, those of them that no prompt shows, and the properties beside them.

    `without_case` are the passages that bind the function and that, its author says, no case can show.
    """

    function: str
    cases: tuple[Case, ...]
    held_out: frozenset[str] = frozenset()
    properties: tuple[Property, ...] = ()
    without_case: tuple[str, ...] = ()

    @field_serializer("held_out", when_used="json")
    def _in_order(self, names: frozenset[str]) -> list[str]:
        """The same text for the same suite: a set's own order is another in each process."""
        return sorted(names)

    def changed(self, cases: Mapping[str, Case | None]) -> Suite:
        """The suite with cases changed by name, those that are None dropped; who was held out is so by any new name."""
        kept = {case.name: cases.get(case.name, case) for case in self.cases}
        now = {name: case for name, case in kept.items() if case is not None}
        held_out = frozenset(case.name for name, case in now.items() if name in self.held_out)
        return self.model_copy(update={"cases": tuple(now.values()), "held_out": held_out})

    @property
    def visible(self) -> tuple[Case, ...]:
        """The cases that a prompt may show."""
        return tuple(case for case in self.cases if case.name not in self.held_out)

    def showing(self, passage: str) -> list[Case] | None:
        """The cases that show a passage of the instruction.

        None where that is not known or none can: no case names a passage, or the author says so.
        """
        if passage in self.without_case or not any(case.passages for case in self.cases):
            return None
        return [case for case in self.cases if passage in case.passages or case.spells_out(passage)]


def _line(text: str) -> str:
    """A text in one line, without the stop that a quote of it may lack."""
    return " ".join(text.split()).rstrip(".:;,")
