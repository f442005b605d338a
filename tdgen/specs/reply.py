"""The shape of a planner's answer: flat, closed, and free of nulls, as strict and lax endpoints both take it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tdgen.prompts import passages, unmarked
from tdgen.replies import BytesReply, FileAfter, FileReply, content
from tdgen.source.syntax import expression_or_none
from tdgen.specs.declarations import annotation_names, annotations_of
from tdgen.specs.interfaces import class_spec, with_annotations, with_written_constructor
from tdgen.types import (
    Attribute,
    ClassInterface,
    Complexity,
    Contradiction,
    Entry,
    Example,
    Field,
    FunctionSpec,
    Method,
    MethodKind,
    Parameter,
    Plan,
    Question,
    Raises,
    Returns,
    SharedType,
    TypeKind,
    World,
    bases_first,
)

_HAS_AN_ORDER = re.compile(r"(list|tuple|Sequence|Collection|Iterable|Iterator|Generator)\b")


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")


class ParameterReply(_Reply):
    """A parameter; an empty `default` is none."""

    name: str
    type: str
    default: str = ""


class RaisesReply(_Reply):
    """An exception and when it is raised."""

    type: str
    when: str


class ContractReply(_Reply):
    """A function's contract."""

    name: str
    purpose: str
    parameters: list[ParameterReply] = []
    returns: str
    returns_description: str = ""
    result_order_is_free: bool = False
    raises: list[RaisesReply] = []
    dependencies: list[str] = []
    complexity: Complexity = "simple"
    is_async: bool = False


class FunctionReply(ContractReply):
    """A function of an instruction's plan: its contract, and the numbers of the passages that bind it."""

    sentences: list[int] = []


class AttributeReply(_Reply):
    """A public attribute of a class, a dataclass's field or a member of an enum; an empty `default` is none."""

    name: str
    type: str = ""
    purpose: str = ""
    default: str = ""


class MethodReply(_Reply):
    """A method of a class, a property, or a property's setter."""

    signature: str
    kind: MethodKind = "instance"
    purpose: str = ""
    raises: list[RaisesReply] = []
    sentences: list[int] = []
    decorators: list[str] = []


class ClassReply(_Reply):
    """A class with behaviour: its public interface, and the numbers of the passages that bind it as a whole."""

    name: str
    purpose: str
    bases: list[str] = []
    attributes: list[AttributeReply] = []
    methods: list[MethodReply]
    dependencies: list[str] = []
    complexity: Complexity = "medium"
    sentences: list[int] = []
    decorators: list[str] = []

    @property
    def numbers(self) -> set[int]:
        """The numbers of all its passages."""
        return {*self.sentences}.union(*(method.sentences for method in self.methods))

    def spec(self, sentences: Mapping[int, str]) -> FunctionSpec:
        """The answer in the domain's words, unchecked; `sentences` are the passages by their numbers."""
        methods = (
            Method(
                signature=with_annotations(m.signature, m.kind),
                kind=m.kind,
                purpose=m.purpose,
                raises=tuple(Raises(type=r.type, when=r.when) for r in m.raises),
                passages=_of(sentences, m.sentences),
                decorators=_bare(m.decorators),
            )
            for m in self.methods
        )
        attributes = (
            Attribute(name=a.name, type=a.type, description=a.purpose, default=a.default.strip() or None)
            for a in self.attributes
        )
        interface = ClassInterface(
            bases=tuple(base.strip() for base in self.bases if base.strip() not in ("", "object")),
            attributes=tuple(attributes),
            methods=tuple(methods),
            decorators=_bare(self.decorators),
        )
        return class_spec(self.name, with_written_constructor(interface)).model_copy(
            update={
                "purpose": self.purpose,
                "dependencies": tuple(dict.fromkeys(d for d in self.dependencies if d != self.name)),
                "complexity": self.complexity,
                "passages": _of(sentences, self.numbers),
            }
        )


def _bare(decorators: Iterable[str]) -> tuple[str, ...]:
    """Decorators without the @."""
    return tuple(bare for one in decorators if (bare := one.strip().lstrip("@").strip()))


class FieldReply(_Reply):
    """A field of a shared type; for an enum member `default` holds its value."""

    name: str
    type: str = ""
    default: str = ""


class TypeReply(_Reply):
    """A shared type, declared; an exception in a class's body is named with the class, `Roster.Error`."""

    name: str
    kind: TypeKind
    description: str = ""
    base: str = ""
    frozen: bool = False
    fields: list[FieldReply] = []
    message: str = ""


class ExampleReply(_Reply):
    """An example that the user wrote, quoted."""

    function: str
    quote: str
    setup: str = ""
    call: str
    expect: Literal["value", "raises", "exits"] = "value"
    value: str
    files: list[FileReply] = []
    stdin: str | BytesReply | None = None
    stdout: str | None = None
    stderr: str | None = None
    files_after: list[FileAfter] = []

    def example(self) -> Example:
        """The answer in the domain's words, its quote without the numbers of passages."""
        return Example(
            function=self.function,
            quote=unmarked(self.quote),
            setup=self.setup.strip(),
            call=self.call,
            expect=self.expect,
            value=self.value,
            world=World(files={file.name: content(file.text) for file in self.files}, stdin=content(self.stdin)),
            stdout=self.stdout,
            stderr=self.stderr,
            files={file.name: content(file.text) for file in self.files_after},
        )


class QuestionReply(_Reply):
    """A gap in the instruction and the assumption taken."""

    question: str
    assumption: str


class ContradictionReply(_Reply):
    """Two places of the instruction that can't both hold, quoted."""

    first: str
    second: str
    why: str = ""
    assumption: str = ""


class PlanReply(_Reply):
    """A whole plan, or with `declined` the reason why there is none."""

    declined: str = ""
    module: str = ""
    summary: str = ""
    classes: list[ClassReply] = []
    functions: list[FunctionReply] = []
    types: list[TypeReply] = []
    packages: list[str] = []
    entry_function: str = ""
    examples: list[ExampleReply] = []
    questions: list[QuestionReply] = []
    contradictions: list[ContradictionReply] = []
    asks_nothing: list[int] = []

    def plan(self, text: str) -> Plan:
        """The answer in the domain's words, unchecked; `text` is the instruction whose passages it numbers."""
        by_number = dict(enumerate(passages(text), start=1))
        assigned = {number for function in self.functions for number in function.sentences} | {*self.asks_nothing}
        assigned = assigned.union(*(one.numbers for one in self.classes))
        types = tuple(
            SharedType(
                **one.model_dump(exclude={"fields"}),
                fields=tuple(Field(name=f.name, type=f.type, default=f.default or None) for f in one.fields),
            )
            for one in self.types
        )
        classes = [_with_own_types(one.spec(by_number), types) for one in self.classes]
        planned = {spec.name for spec in classes}
        units = (*classes, *(function_of(f, _of(by_number, f.sentences)) for f in self.functions))
        contradictions = []
        for one in self.contradictions:
            quotes = {"first": unmarked(one.first), "second": unmarked(one.second)}  # without the passages' numbers
            contradictions.append(Contradiction(**one.model_dump() | quotes))
        return Plan(
            module=self.module.strip(),
            summary=self.summary,
            functions=tuple(_standing_on_classes(spec, planned, {one.name for one in types}) for spec in units),
            types=tuple(one for one in types if one.name.partition(".")[0] not in planned),
            packages=tuple(self.packages),
            examples=tuple(e.example() for e in self.examples),
            entry=Entry(function=self.entry_function) if self.entry_function else None,
            questions=tuple(Question(**q.model_dump()) for q in self.questions),
            contradictions=tuple(contradictions),
            unassigned=tuple(p for number, p in by_number.items() if number not in assigned) if assigned else (),
        )


def _parameters(replies: Sequence[ParameterReply]) -> Iterator[Parameter]:
    """The parameters: a `*` between them says that those behind it are given by name alone, a `/` says nothing more."""
    named_only = False
    for one in replies:
        name = one.name.strip()
        named_only = named_only or name == "*"
        if name not in ("*", "/"):
            is_variadic = name.startswith("*")
            default = one.default or None
            yield Parameter(name=name, type=one.type, default=default, keyword_only=named_only and not is_variadic)


def function_of(reply: ContractReply, bound_by: tuple[str, ...] = ()) -> FunctionSpec:
    """A contract in the domain's words, unchecked."""
    return FunctionSpec(
        name=reply.name,
        purpose=reply.purpose,
        parameters=tuple(_parameters(reply.parameters)),
        returns=Returns(
            type=reply.returns or "None",
            description=reply.returns_description,
            unordered=reply.result_order_is_free and bool(_HAS_AN_ORDER.match(reply.returns)),
        ),
        raises=tuple(Raises(type=r.type, when=r.when) for r in reply.raises),
        dependencies=tuple(dict.fromkeys(d for d in reply.dependencies if d != reply.name)),
        complexity=reply.complexity,
        is_async=reply.is_async,
        passages=bound_by,
    )


def _of(texts: Mapping[int, str], numbers: Collection[int]) -> tuple[str, ...]:
    """The passages of these numbers, in the instruction's order."""
    return tuple(texts[number] for number in sorted(set(numbers)) if number in texts)


def _with_own_types(spec: FunctionSpec, types: Collection[SharedType]) -> FunctionSpec:
    """A class with the types that are named as of its body: `Roster.Error` is the `Error` of `Roster`.

    Inside of the body their names stand alone, in what is told of it they have the class's before them.
    """
    prefix = f"{spec.name}."
    own = [
        one.model_copy(update={"name": one.name.removeprefix(prefix), "base": one.base.removeprefix(prefix)})
        for one in types
        if one.name.startswith(prefix)
    ]
    if spec.interface is None or not own:
        return spec
    named = {one.name for one in own} - {one.name for one in types}

    def qualified(raised: Raises) -> Raises:
        return raised.model_copy(update={"type": prefix + raised.type}) if raised.type in named else raised

    methods = tuple(m.model_copy(update={"raises": tuple(map(qualified, m.raises))}) for m in spec.interface.methods)
    by_name = {one.name: one for one in own}
    ordered = tuple(by_name[name] for name in bases_first({one.name: (one.base,) for one in own}))
    interface = spec.interface.model_copy(update={"types": ordered, "methods": methods})
    return spec.model_copy(update={"interface": interface, "raises": tuple(map(qualified, spec.raises))})


def _standing_on_classes(spec: FunctionSpec, planned: Collection[str], types: Collection[str]) -> FunctionSpec:
    """A unit with the planned classes that its contract names as code among its dependencies, and without `types`.

    Those are there for all.
    """
    # It stands on them by its signatures, its bases, and the exceptions that it raises.
    texts = (*annotations_of(spec), *(raised.type for raised in spec.raises))
    names = [name for text in texts if expression_or_none(text) for name in sorted(annotation_names(text))]
    classes = [name for name in names if name in planned and name != spec.name]
    named = dict.fromkeys([*spec.dependencies, *classes])
    return spec.model_copy(
        update={"dependencies": tuple(name for name in named if name in planned or name not in types)}
    )
