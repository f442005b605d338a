"""Types that are declared by their fields and written out by tdgen, so that no line of them is a model's code."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Mapping
from typing import Literal

from tdgen.types.base import Frozen

TypeKind = Literal["dataclass", "enum", "typed_dict", "named_tuple", "exception", "type_var", "param_spec"]
JOINED = re.compile(r"""\b(?:joined|separated) (?:by|with) [`'"]([^\w`'"]{1,3})[`'"]""")
"""How a description says that an exception's message joins its texts."""
_BASES = {
    "dataclass": "",
    "enum": "Enum",
    "typed_dict": "TypedDict",
    "named_tuple": "NamedTuple",
    "exception": "Exception",
}
_VARIABLES = {"type_var": "TypeVar", "param_spec": "ParamSpec"}
_TEXTS = re.compile(r"(?:list|tuple|Sequence)\[str\b")


class Field(Frozen):
    """A field of a shared type: an annotation and a default's source; for an enum member only the default counts."""

    name: str
    type: str = ""
    default: str | None = None


class SharedType(Frozen):
    """A type that several functions speak of, declared rather than coded, so that nothing of it needs trust.

    A type variable's `base` is its bound; it and a ParamSpec have no fields. An exception's `message` is what `str()`
    of it gives, its fields in braces.
    """

    name: str
    kind: TypeKind
    description: str = ""
    base: str = ""
    frozen: bool = False
    fields: tuple[Field, ...] = ()
    message: str = ""

    @property
    def is_variable(self) -> bool:
        """Whether it is a type variable or a ParamSpec, and no class."""
        return self.kind in _VARIABLES

    @property
    def source(self) -> str:
        """Its declaration as Python, without the imports that it needs."""
        if self.is_variable:
            bound = f", bound={self.base}" if self.base else ""
            return f'{self.name} = {_VARIABLES[self.kind]}("{self.name}"{bound})'
        text = " ".join(self.description.split()) or f"The {self.kind.replace('_', ' ')} {self.name}."
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        body = [f'    """{escaped}"""']
        if self.kind == "exception" and (self.fields or self.message):
            body += ["", *self._init]
        elif self.fields:
            is_dataclass = self.kind == "dataclass"
            lines = (
                f"{one.name} = {one.default}"
                if self.kind == "enum"
                else field_line(one.name, one.type, one.default, is_dataclass=is_dataclass)
                for one in self.fields
            )
            body += ["", *(f"    {line}" for line in lines)]
        base = self.base or _BASES[self.kind]
        head = f"class {self.name}({base}):" if base else f"class {self.name}:"
        decorator = ["@dataclass(frozen=True)" if self.frozen else "@dataclass"] if self.kind == "dataclass" else []
        return "\n".join([*decorator, head, *body])

    @property
    def _init(self) -> list[str]:
        """An exception that carries values keeps them as attributes, and says its message, or else the values.

        One whose base is no built-in one does not begin as that does: it may take other values.
        """
        message = self.message
        texts = [field.name for field in self.fields if _TEXTS.match(field.type)]
        joined = JOINED.search(self.description)
        if not message and joined and len(texts) == 1:  # the description alone says how its texts are joined
            message = f"{{{joined[1]!r}.join({texts[0]})}}"
        parameters = [f"{f.name}: {f.type}" + (f" = {f.default}" if f.default is not None else "") for f in self.fields]
        prefix = "f" if set("{}") & set(message) else ""
        text = f"{prefix}{message!r}" if message else ", ".join(f.name for f in self.fields)
        is_plain = not self.base or hasattr(builtins, self.base)
        start = "super().__init__(" if is_plain else "Exception.__init__(self, "
        return [
            f"    def __init__({', '.join(['self', *parameters])}) -> None:",
            f"        {start}{text})",
            *(f"        self.{f.name} = {f.name}" for f in self.fields),
        ]


def field_line(name: str, annotation: str, default: str | None, *, is_dataclass: bool) -> str:
    """A field as a class's body has it; of a dataclass what is mutable is made anew for each instance."""
    annotated = f"{name}: {annotation}" if annotation else name
    if default is None:
        return annotated
    is_made_anew = is_dataclass and default.lstrip().startswith(("[", "{", "list(", "dict(", "set("))
    return f"{annotated} = " + (f"field(default_factory=lambda: {default})" if is_made_anew else default)


def bases_first(bases: Mapping[str, Iterable[str]]) -> list[str]:
    """The names of classes in their order, but each below those of its `bases` that are among them."""
    placed: dict[str, None] = {}

    def place(name: str, below: frozenset[str]) -> None:
        for base in bases[name]:
            if base in bases and base not in below:
                place(base, below | {base})
        placed.setdefault(name)

    for name in bases:
        place(name, frozenset({name}))
    return list(placed)
