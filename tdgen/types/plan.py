"""What is to be built: the plan, its functions' contracts, and the types that they share."""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field as Filled
from pydantic import model_validator

from tdgen.source.syntax import literal_or
from tdgen.types.base import Content, Frozen, is_empty
from tdgen.types.cases import Call, Parameters, World, plain_world
from tdgen.types.declared import SharedType
from tdgen.types.interface import ClassInterface, Raises, Route
from tdgen.types.runs import PublicState
from tdgen.types.target import Target

Complexity = Literal["simple", "medium", "complex"]


_A_LIST = re.compile(r"(?:\w+\.)*(?:list|List|Sequence|Collection|Iterable|tuple)\b")


class Parameter(Frozen):
    """One parameter; `type` is an annotation and `default`, where there is one, Python source.

    One that is `keyword_only` stands behind a bare `*`: it is given by its name alone.
    """

    name: str
    type: str
    default: str | None = None
    description: str = ""
    keyword_only: bool = Filled(default=False, exclude_if=is_empty)


def parameter_list(parameters: Sequence[Parameter], *, typed: bool = True) -> str:
    """Parameters as they stand between the brackets of a `def`, with their annotations or without."""
    parts: list[str] = []
    for one in parameters:
        if one.keyword_only and not any(part.startswith("*") for part in parts):
            parts.append("*")
        value = "" if one.default is None else f" = {one.default}" if typed else f"={one.default}"
        parts.append(f"{one.name}: {one.type}{value}" if typed else f"{one.name}{value}")
    return ", ".join(parts)


class Returns(Frozen):
    """What a function returns; `unordered` where the spec says that the order of a result's items is free."""

    type: str
    description: str = ""
    unordered: bool = False


class Correction(Frozen):
    """What of a contract, or of an assumption that it rests on, is wrong by the user's own words, as arbiters found.

    `quote` are the user's words, `refuted` the planner's that they contradict, and `effect` is a call with what it
    must give and its situation, in a line or a few; empty where that is a held-out case's, or a case of a caller's.
    """

    quote: str
    refuted: str
    effect: str = ""

    @property
    def sentence(self) -> str:
        """It in one line, as the user is told of it."""
        return f'the plan said "{self.refuted}", against your words "{self.quote}", which hold'


class FunctionSpec(Frozen):
    """One unit's contract, and the passages of the instruction that bind it, word for word.

    A unit is a function, or with an `interface` a class: then `parameters` are its constructor's, `returns` is the
    class itself and `raises` what any of its methods does. `corrections` are what was found wrong with it, or with
    an assumption under it, since it was planned. Where a plan's units are in several languages, `language` is its
    own; `language_note` is what prompts about it alone say of that.
    """

    name: str
    purpose: str
    parameters: tuple[Parameter, ...] = ()
    returns: Returns
    raises: tuple[Raises, ...] = ()
    dependencies: tuple[str, ...] = ()
    complexity: Complexity = "simple"
    is_async: bool = False
    passages: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    interface: ClassInterface | None = Filled(default=None, exclude_if=is_empty)
    language: str = Filled(default="", exclude_if=is_empty)
    language_note: str = Filled(default="", exclude_if=is_empty)

    @property
    def unit(self) -> str:
        """What it is, in a word."""
        return "class" if self.interface else "function"

    def corrected(self, corrections: Sequence[Correction]) -> FunctionSpec:
        """The contract with these corrections too; one that names the same of the contract again adds nothing."""
        known = {correction.refuted for correction in self.corrections}
        new = {one.refuted: one for one in reversed(corrections) if one.refuted not in known}
        return self.model_copy(update={"corrections": (*self.corrections, *reversed(new.values()))}) if new else self

    @property
    def script_call(self) -> str:
        """How a script calls it, as its user has it: with the command line's arguments, or with nothing; else empty."""
        if self.interface:
            return ""
        first = self.parameters[0] if self.parameters else None
        others = [p for p in self.parameters[1:] if p.default is None and not p.name.startswith("*")]
        given = ""
        if first is not None and first.name.startswith("*") and not first.name.startswith("**"):
            given = "*sys.argv[1:]"
        elif first is not None and _A_LIST.match(first.type):
            given = "sys.argv[1:]"
        elif first is not None and first.default is None:
            return ""
        call = f"{self.name}({given})"
        return "" if others else f"asyncio.run({call})" if self.is_async else call

    @property
    def defaults(self) -> Parameters:
        """Each parameter's name with the source of its default."""
        return [(parameter.name, parameter.default) for parameter in self.parameters]

    @property
    def signature(self) -> str:
        """The `def` or `class` line without its colon, as the implementation must have it."""
        if self.interface:
            return self.interface.head(self.name)
        given = parameter_list(self.parameters)
        return f"{'async ' if self.is_async else ''}def {self.name}({given}) -> {self.returns.type}"


class Entry(Frozen):
    """The function that a script calls; what it returns is the exit code."""

    function: str
    description: str = ""


class Question(Frozen):
    """A gap or a contradiction in the instruction, and the assumption taken for it.

    Where implementations that know nothing of each other differ on a `call` of `function`, `options` are what they
    make of it (`returns ''`, `raises ValueError`); `answered` says that the assumption is the user's own word.
    """

    question: str
    assumption: str
    function: str = ""
    call: str = ""
    options: tuple[str, ...] = ()
    answered: bool = False


class Asked(Question):
    """A question as it is put to the user: which one of how many that wait."""

    place: int = 1
    total: int = 1

    @classmethod
    def of(cls, question: Question, place: int, total: int) -> Asked:
        """The question, put to the user at that place."""
        return cls(**question.model_dump(), place=place, total=total)

    @property
    def place_text(self) -> str:
        """`question 1 of 3`, or `a question` where there is no other."""
        return f"question {self.place} of {self.total}" if self.total > 1 else "a question"


class Example(Frozen):
    """An example of the user's, quoted from the instruction word for word; `setup` are statements before the call.

    Where it "exits", it is the run of a script: `call` is the list of its command line's words, `value` the exit code.
    """

    function: str
    quote: str
    setup: str = ""
    call: str
    expect: Literal["value", "raises", "exits"] = "value"
    value: str
    world: World = Filled(default_factory=plain_world)
    stdout: str | None = None
    stderr: str | None = None
    files: dict[str, Content | None] = Filled(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...] | None:
        """The words of its command line; None where `call` is no list of such."""
        words = literal_or(self.call)
        is_line = isinstance(words, list) and all(isinstance(word, str) and "\0" not in word for word in words)
        return tuple(words) if is_line else None


class Contradiction(Frozen):
    """Two places of the instruction, word for word, that demand different things of the same situation, and why.

    `assumption` says which of the two the contracts go by.
    """

    first: str
    second: str
    why: str = ""
    assumption: str = ""

    @property
    def sentence(self) -> str:
        """It in one line, both places quoted."""
        why = f" ({self.why.strip().rstrip('.')})" if self.why.strip() else ""
        return f'"{" ".join(self.first.split())}" against "{" ".join(self.second.split())}"{why}'


class Plan(Frozen):
    """All of an instruction's functions and what they share.

    `module` is the module's whole name, with dots in it where the module is to be in a package.

    `examples` are the user's, spelled out in the instruction; `read_examples` those that the planner reads out of words
    which leave something of them to be filled in.
    `unassigned` are the passages of the instruction that the planner assigned to no function, and of which it did not
    say that they ask for nothing. `target` is the module of an existing project that the functions stand in. Where code
    is in another `language` than Python, `file` is the name of the module's file, and
    prompts about a function show the `language_note`. `routes` are what units of several languages agree on.
    """

    module: str
    summary: str = ""
    functions: tuple[FunctionSpec, ...]
    types: tuple[SharedType, ...] = ()
    packages: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    read_examples: tuple[Example, ...] = ()
    entry: Entry | None = None
    questions: tuple[Question, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    unassigned: tuple[str, ...] = ()
    target: Target | None = Filled(default=None, exclude_if=is_empty)
    language: str = Filled(default="", exclude_if=is_empty)
    file: str = Filled(default="", exclude_if=is_empty)
    language_note: str = Filled(default="", exclude_if=is_empty)
    routes: tuple[Route, ...] = Filled(default=(), exclude_if=is_empty)

    @property
    def is_existing(self) -> bool:
        """Whether its units have code already, which is held against the contracts and never written."""
        return self.target is not None and bool(self.target.existing)

    @property
    def declared_types(self) -> tuple[SharedType, ...]:
        """The types that the plan itself declares, without those that a target's module has."""
        return tuple(one for one in self.types if not self.target or one not in self.target.types)

    @property
    def classes(self) -> frozenset[str]:
        """The names of the units that are classes."""
        return frozenset(spec.name for spec in self.functions if spec.interface)

    @property
    def exceptions(self) -> frozenset[str]:
        """The names of the exceptions that it declares, `Roster.Error` where one stands in a class's body.

        Among them are classes with methods of their own that have an exception among their bases.
        """
        names = {shared.name for shared in self.types if shared.kind == "exception"}
        interfaces = {spec.name: spec.interface for spec in self.functions if spec.interface}
        names.update(f"{name}.{shared.name}" for name, interface in interfaces.items() for shared in interface.types)
        bases = {base for one in interfaces.values() for base in one.base_names}
        python = {
            b for b in bases if isinstance(kind := getattr(builtins, b, None), type) and issubclass(kind, BaseException)
        }
        called_so = {base for base in bases if base.endswith(("Error", "Exception"))}  # of classes that are not planned
        count = -1
        while count != len(names):
            count = len(names)
            known = names | python | called_so
            names.update(name for name, one in interfaces.items() if not known.isdisjoint(one.base_names))
        return frozenset(names)

    @property
    def data_types(self) -> tuple[SharedType, ...]:
        """The types that only hold data, and what dataclasses and enums with methods hold."""
        held = (spec.interface.data(spec.name) for spec in self.functions if spec.interface)
        return (*self.types, *filter(None, held))

    @property
    def compared_by_state(self) -> frozenset[str]:
        """The classes whose instances are compared by what is public of them: all but enums and plain dataclasses."""
        names: list[str] = []
        for spec in self.functions:
            if (interface := spec.interface) and not interface.is_enum:
                has_own = interface.method("__eq__") is not None or "eq=False" in interface.dataclass
                if has_own or not interface.dataclass:
                    names.append(spec.name)
        return frozenset(names)

    @property
    def public_state(self) -> PublicState:
        """Of each class that is a unit the names of its public attributes and properties, inherited ones first.

        Classes of a target's project stand beside them, by their qualified names; one that is a unit has there what it
        keeps beside what is planned. An enum has none: its members are told by their names and values, as those of any
        enum are.
        """
        units = {spec.name: spec.interface for spec in self.functions if spec.interface}
        interfaces = {name: interface for name, interface in units.items() if not interface.is_enum}

        def names(name: str, visited: frozenset[str]) -> tuple[str, ...]:
            if name in visited or name not in interfaces:
                return ()
            above = [one for base in interfaces[name].base_names for one in names(base, visited | {name})]
            return tuple(dict.fromkeys([*above, *interfaces[name].state]))

        by_class = {name: names(name, frozenset()) for name in interfaces}
        if self.target is None:
            return by_class
        there = {name: self.target.public.get(f"{self.module}.{name}", ()) for name in by_class}
        return {
            **self.target.public,
            **{name: tuple(dict.fromkeys([*there[name], *by_class[name]])) for name in by_class},
        }

    @property
    def counted(self) -> str:
        """How many functions and classes it has, in words: `2 functions and 1 class`."""
        classes = len(self.classes)
        functions = len(self.functions) - classes
        lines = [f"{functions} function{'s' * (functions != 1)}"] if functions or not classes else []
        lines += [f"{classes} class{'es' * (classes != 1)}"] if classes else []
        return " and ".join(lines)

    @property
    def module_file(self) -> str:
        """The module's path from where its import starts: `times.py`, of `mypkg.times` `mypkg/times.py`."""
        return self.file or f"{self.module.replace('.', '/')}.py"

    def is_module(self, path: str) -> bool:
        """Whether a file's path in a folder is the module's, wherever its import starts."""
        return path == self.module_file or path.endswith(f"/{self.module_file}")

    def module_files(self, source: str) -> dict[str, str]:
        """The module by its path, and an empty `__init__.py` for each package that it is in; none of a project's."""
        if self.target:
            return {}
        packages = [] if self.file else self.module.split(".")[:-1]
        above = ["/".join([*packages[:depth], "__init__.py"]) for depth in range(1, len(packages) + 1)]
        return {**dict.fromkeys(above, ""), self.module_file: source}

    def overlay(self, source: str) -> dict[str, str]:
        """What is laid over a project where tests run in it: the module's source by its name; else nothing."""
        return {self.module: source} if self.target else {}

    @model_validator(mode="before")
    @classmethod
    def _without_domain(cls, stored: Any) -> Any:
        """Plans that were kept by earlier versions have a domain, which nothing goes by any more."""
        return {key: value for key, value in stored.items() if key != "domain"} if isinstance(stored, dict) else stored

    def script_call(self, functions: Collection[str]) -> str:
        """How a script calls its entry; empty where there is none among these functions."""
        name = self.entry.function if self.entry else ""
        return self.spec(name).script_call if name in functions else ""

    def corrected(self, corrections: Mapping[str, Sequence[Correction]]) -> Plan:
        """The plan with contracts corrected, by function."""
        functions = tuple(spec.corrected(corrections.get(spec.name, ())) for spec in self.functions)
        return self.model_copy(update={"functions": functions})

    def call_key(self, call: Call) -> str:
        """The key of a call by the functions' parameters: equal for two calls that do the same by their contracts."""
        return call.key_by({spec.name: spec.defaults for spec in self.functions})

    def spec(self, name: str) -> FunctionSpec:
        """The function of that name; KeyError where the plan has none."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)
