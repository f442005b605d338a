"""What a class shows to its users: its bases, its public attributes, and its methods with a contract each.

What a service shows to its page are routes: requests that the page sends and the service answers, as JSON schemas say.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from functools import cached_property
from textwrap import indent
from typing import Any, Literal

from pydantic import Field as Filled

from tdgen.source.syntax import statements_of
from tdgen.text import joined
from tdgen.types.base import Frozen, is_empty
from tdgen.types.declared import Field, SharedType, field_line

MethodKind = Literal["instance", "class", "static", "property", "setter", "abstract"]
_DECORATORS = {
    "class": ("@classmethod",),
    "static": ("@staticmethod",),
    "property": ("@property",),
    "abstract": ("@abstractmethod",),
}
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_PROPERTIES = frozenset({"property", "cached_property"})
_NO_FIELDS = ("ClassVar", "InitVar")
_INDENT = "    "
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def module_case(name: str) -> str:
    """A unit's name as files and functions have theirs: of a class `PrintQueue` `print_queue`."""
    return _WORDS.sub("_", name).lower() if name[:1].isupper() else name


def file_of_tests(name: str) -> str:
    """The name of the file with a unit's tests."""
    return f"test_{module_case(name)}.py"


def file_of_properties(name: str) -> str:
    """The name of the file with a function's properties."""
    return f"test_{module_case(name)}_properties.py"


class Raises(Frozen):
    """An exception of the contract: its class as code names it, and when it is raised."""

    type: str
    when: str


class Attribute(Frozen):
    """A public attribute that is no property: of an instance, a class, a dataclass's field, or a member of an enum.

    `default` is Python source; a member has its value there.
    """

    name: str
    type: str
    description: str = ""
    default: str | None = Filled(default=None, exclude_if=lambda value: value is None)

    @property
    def told(self) -> str:
        """It as a class's body has it."""
        return field_line(self.name, self.type, self.default, is_dataclass=False)


class Method(Frozen):
    """A method, a property or its setter: `signature` is the `def` line without its colon, `self` or `cls` in it.

    `decorators` are what stands above it beside what its kind asks for, without the @.
    """

    signature: str
    kind: MethodKind = "instance"
    purpose: str = ""
    raises: tuple[Raises, ...] = ()
    passages: tuple[str, ...] = ()
    decorators: tuple[str, ...] = Filled(default=(), exclude_if=is_empty)

    @cached_property
    def node(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The signature read as Python; None where it is not one definition."""
        body = statements_of(f"{self.signature}: ...")
        only = body[0] if len(body) == 1 else None
        return only if isinstance(only, ast.FunctionDef | ast.AsyncFunctionDef) else None

    @property
    def name(self) -> str:
        """Its name; empty where the signature is no Python."""
        return self.node.name if self.node else ""

    @property
    def returns(self) -> str:
        """The annotation of what it returns."""
        return ast.unparse(self.node.returns) if self.node and self.node.returns else "None"

    @property
    def told(self) -> str:
        """The signature, with its kind before it where that is not a plain method's."""
        return self.signature if self.kind == "instance" else f"{self.kind} {self.signature}"

    @property
    def is_special(self) -> bool:
        """Whether Python calls it by itself, as `__len__` for `len`."""
        return self.name.startswith("__") and self.name.endswith("__")

    @property
    def is_private(self) -> bool:
        """Whether it is there for other planned classes alone: the plan's idea, of which the words say nothing."""
        return self.name.startswith("_") and not self.is_special

    @property
    def above(self) -> tuple[str, ...]:
        """The lines of its decorators: those that its kind asks for come first, but an abstract one's last."""
        own = tuple(f"@{decorator}" for decorator in self.decorators)
        if self.kind == "setter":
            return (f"@{self.name}.setter", *own)
        asked = _DECORATORS.get(self.kind, ())
        if self.kind == "property" and _PROPERTIES.intersection(map(called_by, self.decorators)):
            asked = ()
        return (*own, *asked) if self.kind == "abstract" else (*asked, *own)


class ClassInterface(Frozen):
    """The public interface of a class; `bases` are names as code has them, `Generic[T]` for instance.

    `types` are exceptions that stand in its body, declared as shared types are, their names without the class's.
    `decorators` stand above it, without the @.
    """

    bases: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    methods: tuple[Method, ...] = ()
    types: tuple[SharedType, ...] = Filled(default=(), exclude_if=is_empty)
    decorators: tuple[str, ...] = Filled(default=(), exclude_if=is_empty)

    @property
    def is_enum(self) -> bool:
        """Whether it is an enum: its members are the attributes that have a value."""
        return any(base.rpartition(".")[2] in _ENUMS for base in self.base_names)

    @property
    def dataclass(self) -> str:
        """The decorator that makes a dataclass of it; empty where none does."""
        return next((one for one in self.decorators if called_by(one) == "dataclass"), "")

    @property
    def is_constant(self) -> bool:
        """Whether no call can change an instance: of an enum, or of a frozen dataclass."""
        return self.is_enum or "frozen=True" in self.dataclass

    @property
    def fields(self) -> tuple[Attribute, ...]:
        """A dataclass's own fields, or an enum's members, in order; none of another class."""
        if self.is_enum:
            return tuple(one for one in self.attributes if one.default is not None)
        return tuple(one for one in self.attributes if "ClassVar" not in one.type) if self.dataclass else ()

    def data(self, name: str) -> SharedType | None:
        """What a dataclass or an enum holds, as a type without methods; None for any other class."""
        if not (self.is_enum or self.dataclass):
            return None
        fields = (Field(name=one.name, type=one.type, default=one.default) for one in self.fields)
        return SharedType(
            name=name,
            kind="enum" if self.is_enum else "dataclass",
            base=", ".join(self.bases),
            frozen="frozen=True" in self.dataclass,
            fields=tuple(fields),
        )

    def changed_from(self, other: ClassInterface) -> frozenset[str] | None:
        """The names of the methods whose contracts differ from another's; None where more than methods does.

        Which passages bind a method is no difference: the words of its contract are.
        """
        if self.model_copy(update={"methods": ()}) != other.model_copy(update={"methods": ()}):
            return None
        both: list[dict[str, list[Method]]] = []
        for interface in (self, other):
            contracts: dict[str, list[Method]] = {}
            for method in interface.methods:
                contracts.setdefault(method.name, []).append(method.model_copy(update={"passages": ()}))
            both.append(contracts)
        ours, theirs = both
        return frozenset(name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name))

    @property
    def state(self) -> tuple[str, ...]:
        """The names of its public attributes and properties: what is observed of an instance that comes back."""
        read = [one.name for one in self.attributes if not one.type.startswith(_NO_FIELDS)]
        read += [method.name for method in self.methods if method.kind == "property" and not method.is_private]
        return tuple(dict.fromkeys(read))

    @property
    def base_names(self) -> tuple[str, ...]:
        """The bases less what stands in brackets behind them."""
        return tuple(base.partition("[")[0].strip() for base in self.bases)

    @property
    def constructor(self) -> Method | None:
        """`__init__`, where the contract speaks of it."""
        return self.method("__init__")

    @property
    def offered(self) -> tuple[str, ...]:
        """The names of the methods and properties that its users know, the constructor's left out."""
        names = (method.name for method in self.methods if not method.is_private and method.name != "__init__")
        return tuple(dict.fromkeys(names))

    def method(self, name: str) -> Method | None:
        """The first method or property of that name, setters aside."""
        return next((method for method in self.methods if method.name == name and method.kind != "setter"), None)

    def gives(self, tree: ast.expr) -> str:
        """The annotation of what an expression gives that calls a method, or reads a property or attribute; else none.

        Names alone are looked at, so that it is none where two things could be meant.
        """
        is_call = isinstance(tree, ast.Call)
        read = tree.func if isinstance(tree, ast.Call) else tree
        if not isinstance(read, ast.Attribute):
            return ""
        method = self.method(read.attr)
        if method is not None:
            is_given = is_call != (method.kind == "property") and not isinstance(method.node, ast.AsyncFunctionDef)
            return method.returns if is_given else ""
        return next((a.type for a in self.attributes if a.name == read.attr and not is_call), "")

    def skeleton(self, name: str, *, bare: bool = False, known: Collection[str] = ()) -> str:
        """The class as Python: its exceptions, attributes, and methods with docstrings for bodies; `bare` without.

        A private method has its docstring then too, as nothing else tells of it, but for those that are `known`.
        """
        remarks = ["" if bare else " ".join(one.description.split()) for one in self.attributes]
        attributes = []
        for one, remark in zip(self.attributes, remarks, strict=True):
            is_member = self.is_enum and one.default is not None  # of an enum: it has a value and no type
            annotation, is_dataclass = "" if is_member else one.type, bool(self.dataclass) and not is_member
            line = field_line(one.name, annotation, one.default, is_dataclass=is_dataclass)
            attributes.append(line + f"  # {remark}" * bool(remark))
        blocks = [shared.source.split("\n") for shared in self.types] + ([attributes] if attributes else [])
        blocks += [
            _method_lines(method, bare=bare and (not method.is_private or method.name in known))
            for method in self.methods
        ]
        lines = "\n\n".join(indent("\n".join(block), _INDENT) for block in blocks)
        above = "".join(f"@{decorator}\n" for decorator in self.decorators)
        return f"{above}{self.head(name)}:\n{lines or f'{_INDENT}...'}"

    def head(self, name: str) -> str:
        """The `class` line without its colon."""
        return f"class {name}({', '.join(self.bases)})" if self.bases else f"class {name}"


def called_by(decorator: str) -> str:
    """The last name of what a decorator is, or calls: of `functools.lru_cache(maxsize=9)` `lru_cache`."""
    return decorator.partition("(")[0].rpartition(".")[2].strip()


def _method_lines(method: Method, *, bare: bool) -> list[str]:
    """A method as the skeleton has it."""
    lines = [joined(method.purpose)] if method.purpose.strip() else []
    lines += [f"Raises {raised.type}: {joined(raised.when)}" for raised in method.raises]
    if bare or not lines:
        return [*method.above, f"{method.signature}: ..."]
    body = [f'"""{lines[0]}"""'] if len(lines) == 1 else [f'"""{lines[0]}', *lines[1:], '"""']
    return [*method.above, f"{method.signature}:", *(f"{_INDENT}{line}" for line in body)]


class Answered(Frozen):
    """An answer by its status: the JSON schema of its body, empty where nothing is said of it."""

    status: int
    body: dict[str, Any] = {}


class Route(Frozen):
    """A request by method and path (`/books/{id}`), the JSON schema of what is sent, and how it is answered."""

    method: str
    path: str
    sent: dict[str, Any] = {}
    answers: tuple[Answered, ...] = ()
