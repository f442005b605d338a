"""What a class shows to its users: its bases, its public attributes, and its methods with a contract each."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from textwrap import indent
from typing import Any, Literal

from pydantic import model_serializer

from tdgen.source.syntax import parse
from tdgen.types.base import Frozen
from tdgen.types.declared import SharedType

MethodKind = Literal["instance", "class", "static", "property", "setter", "abstract"]
_DECORATORS = {
    "class": ("@classmethod",),
    "static": ("@staticmethod",),
    "property": ("@property",),
    "abstract": ("@abstractmethod",),
}
_INDENT = "    "
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def module_case(name: str) -> str:
    """A unit's name as files and functions have theirs: of a class `PrintQueue` `print_queue`."""
    return _WORDS.sub("_", name).lower() if name[:1].isupper() else name


def file_of_tests(name: str) -> str:
    """The name of the file with a unit's tests."""
    return f"test_{module_case(name)}.py"


class Raises(Frozen):
    """An exception of the contract: its class as code names it, and when it is raised."""

    type: str
    when: str


class Attribute(Frozen):
    """A public attribute that is no property: of an instance, a class, or a member of an enum."""

    name: str
    type: str
    description: str = ""


class Method(Frozen):
    """A method, a property or its setter: `signature` is the `def` line without its colon, `self` or `cls` in it."""

    signature: str
    kind: MethodKind = "instance"
    purpose: str = ""
    raises: tuple[Raises, ...] = ()
    passages: tuple[str, ...] = ()

    @cached_property
    def node(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The signature read as Python; None where it is not one definition."""
        try:
            body = parse(f"{self.signature}: ...").body
        except SyntaxError:
            return None
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
    def decorators(self) -> tuple[str, ...]:
        """The decorators that its kind asks for, a line each."""
        return (f"@{self.name}.setter",) if self.kind == "setter" else _DECORATORS.get(self.kind, ())


class ClassInterface(Frozen):
    """The public interface of a class; `bases` are names as code has them, `Generic[T]` for instance.

    `types` are exceptions that stand in its body, declared as shared types are, their names without the class's.
    """

    bases: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    methods: tuple[Method, ...] = ()
    types: tuple[SharedType, ...] = ()

    @model_serializer(mode="wrap")
    def _without_types(self, dump: Callable[[ClassInterface], dict[str, Any]]) -> dict[str, Any]:
        """One without them is written down as before there were any: its key stays."""
        told = dump(self)
        return told if self.types else {name: value for name, value in told.items() if name != "types"}

    def changed_from(self, other: ClassInterface) -> frozenset[str] | None:
        """The names of the methods whose contracts differ from another's; None where more than methods does.

        Which passages bind a method is no difference: the words of its contract are.
        """
        if (self.bases, self.attributes, self.types) != (other.bases, other.attributes, other.types):
            return None
        ours, theirs = self._contracts, other._contracts
        return frozenset(name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name))

    @property
    def _contracts(self) -> dict[str, list[Method]]:
        found: dict[str, list[Method]] = {}
        for method in self.methods:
            found.setdefault(method.name, []).append(method.model_copy(update={"passages": ()}))
        return found

    @property
    def state(self) -> tuple[str, ...]:
        """The names of its public attributes and properties: what is observed of an instance that comes back."""
        read = [attribute.name for attribute in self.attributes]
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
            return method.returns if is_call != (method.kind == "property") and not self._is_async(method) else ""
        return next((a.type for a in self.attributes if a.name == read.attr and not is_call), "")

    @staticmethod
    def _is_async(method: Method) -> bool:
        return isinstance(method.node, ast.AsyncFunctionDef)

    def skeleton(self, name: str, *, bare: bool = False) -> str:
        """The class as Python: its exceptions, attributes, and methods with docstrings for bodies; `bare` without."""
        attributes = [f"{a.name}: {a.type}{'' if bare else _remark(a.description)}" for a in self.attributes]
        blocks = [shared.source.split("\n") for shared in self.types] + ([attributes] if attributes else [])
        blocks += [_method_lines(method, bare=bare) for method in self.methods]
        lines = "\n\n".join(indent("\n".join(block), _INDENT) for block in blocks)
        return f"{self.head(name)}:\n{lines or f'{_INDENT}...'}"

    def head(self, name: str) -> str:
        """The `class` line without its colon."""
        return f"class {name}({', '.join(self.bases)})" if self.bases else f"class {name}"


def _remark(text: str) -> str:
    return f"  # {' '.join(text.split())}" if text.strip() else ""


def _method_lines(method: Method, *, bare: bool) -> list[str]:
    """A method as the skeleton has it."""
    told = [] if bare and not method.is_private else [*_told(method)]
    if not told:
        return [*method.decorators, f"{method.signature}: ..."]
    body = [f'"""{told[0]}"""'] if len(told) == 1 else [f'"""{told[0]}', *told[1:], '"""']
    return [*method.decorators, f"{method.signature}:", *(f"{_INDENT}{line}" for line in body)]


def _told(method: Method) -> Iterator[str]:
    if method.purpose.strip():
        yield " ".join(method.purpose.split())
    for raised in method.raises:
        yield f"Raises {raised.type}: {' '.join(raised.when.split())}"
