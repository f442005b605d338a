"""Types in a plan: annotations that parse, and types and stubs written out as source, no line of them a model's.

Type variables that signatures name and nobody declared are declared here: what `T` and `P` mean needs no model.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from tdgen.language import Language
from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.source.syntax import (
    expression,
    expression_or_none,
    parses,
)
from tdgen.source.trees import import_lines
from tdgen.types import FunctionSpec, Plan, SharedType
from tdgen.types.declared import JOINED

_VARIABLE = re.compile(r"[A-Z][0-9]?")


def with_type_variables(plan: Plan) -> Plan:
    """The plan with a type variable for each capital letter that an annotation names and no type of the plan is.

    It is a ParamSpec where it stands for a callable's parameters.
    """
    annotations = [text for spec in plan.functions for text in annotations_of(spec) if parses(text)]
    named = {name for text in annotations for name in annotation_names(text)}
    missing = sorted(n for n in named - {t.name for t in plan.types} - plan.classes if _VARIABLE.fullmatch(n))
    added = []
    for name in missing:
        used = re.compile(rf"\b{name}\.(?:kw)?args\b|\bCallable\[\s*{name}\s*,|\bConcatenate\[[^\[\]]*,\s*{name}\s*\]")
        is_parameters = any(used.search(text) for text in annotations)
        added.append(SharedType(name=name, kind="param_spec" if is_parameters else "type_var"))
    return plan.model_copy(update={"types": (*plan.types, *added)})


def annotations_of(spec: FunctionSpec) -> Iterator[str]:
    """The annotations and bases of a unit's contract."""
    yield from (parameter.type for parameter in spec.parameters)
    yield spec.returns.type
    if spec.interface:
        yield from (*spec.interface.bases, *(one.type for one in spec.interface.attributes if one.type))
        nodes = [node for method in spec.interface.methods if method.node for node in ast.walk(method.node)]
        yield from (ast.unparse(node.annotation) for node in nodes if isinstance(node, ast.arg) and node.annotation)
        yield from (method.returns for method in spec.interface.methods)


_ALLOWED = (
    ast.Expression, ast.Name, ast.Load, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr,
    ast.Constant, ast.UnaryOp, ast.USub,
)  # fmt: skip
_KNOWN = frozenset(
    {"None", *STDLIB, *KNOWN_NAMES, *(name for name, one in vars(builtins).items() if isinstance(one, type))}
)


def package_names(packages: Iterable[str]) -> frozenset[str]:
    """The names by which contracts and cases name what is in `packages`: `flask`, and `np` too for numpy."""
    tops = {package.partition(".")[0] for package in packages}
    return frozenset(tops | {name for name, package in PACKAGES.items() if package in tops})


def annotation_names(annotation: str) -> frozenset[str]:
    """The names an annotation uses, a dotted one by its first part; those in quotes too, but for a Literal's."""
    names: set[str] = set()
    tree = expression(annotation)
    texts = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
            texts |= {id(part) for part in ast.walk(node.slice)} if name == "Literal" else set()
    for node in (node for node in ast.walk(tree) if id(node) not in texts):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            names.add(node.value)
    return frozenset(names)


def annotation_problem(annotation: str, shared: Collection[str]) -> str | None:
    """What is wrong with an annotation, or None; `shared` names the plan's own types and its packages."""
    try:
        tree = expression(annotation)
    except SyntaxError:
        return f"{annotation!r} is not a Python annotation"
    odd = next((node for node in ast.walk(tree) if not isinstance(node, _ALLOWED)), None)
    if odd is not None:
        return f"{annotation!r} is not a type: it holds a {type(odd).__name__}"
    unknown = sorted(annotation_names(annotation) - _KNOWN - {*shared})
    if unknown:
        names, missing = ", ".join(unknown), sorted({PACKAGES[name] for name in unknown if name in PACKAGES})
        advice = f" (the plan's packages do not have {' and '.join(missing)})" if missing else ""
        return f"{annotation!r} names {names}: not built in, not of the standard library, and no shared type{advice}"
    return None


_WORD = re.compile(r"\w+")


def declare_types(plan: Plan) -> str:
    """The source of the plan's shared types with the imports they need; empty where it has none."""
    if not plan.types:
        return ""
    variables = [shared.source for shared in plan.types if shared.is_variable]
    bodies = [shared.source for shared in plan.types if not shared.is_variable]
    if variables:  # a bound may be one of the other types; what they say of variables themselves is not evaluated
        bodies.append("\n".join(variables))
    lines = import_lines(bodies, packages=plan.packages)
    return "\n".join(lines) + "\n\n\n" * bool(lines) + "\n\n\n".join(bodies) + "\n"


def declared_by(language: Language, plan: Plan) -> str:
    """What a plan's cases are made of: its shared types, or of a target the module before anything is written."""
    if plan.target is None:
        return declare_types(plan)
    return language.module(Plan(module=plan.target.module, functions=(), target=plan.target), {}, "")


STUB = "_Unwritten"
"""The exception by which what nobody has written fails."""
_STUB_CLASS = """class _UnwrittenClass(ABCMeta):
    def __getattr__(cls, name):
        if name in ("_mock_name", "__test__", "__wrapped__"):
            raise AttributeError(name)
        raise _Unwritten(f"{cls.__name__}.{name} is not written yet")

    def __call__(cls, *args, **kwargs):
        raise _Unwritten(f"{cls.__name__} is not written yet")

    __iter__ = __len__ = __contains__ = __getitem__ = __call__
"""
"""Of a class that nobody wrote an own class can be made, but no instance, and nothing can be asked of it.

But for what pytest asks of each name in a test file: an exception there ends the file's collection.
"""


def stub_head(units: Sequence[FunctionSpec]) -> list[str]:
    """What stubs of these units stand on."""
    exception = f"class {STUB}(BaseException):\n    pass\n"
    has_class = any(spec.interface for spec in units)
    return ["from abc import ABCMeta\n", exception, _STUB_CLASS] if has_class else [exception]


def stub_of(spec: FunctionSpec) -> str:
    """The stub of a unit, which raises what no test can expect."""
    if spec.interface:
        return f"class {spec.name}(metaclass=_UnwrittenClass):\n    pass\n"
    return f"def {spec.name}(*args, **kwargs):\n    raise {STUB}('{spec.name} is not written yet')\n"


def types_named(plan: Plan, text: str) -> tuple[SharedType, ...]:
    """The shared types that a text names, and those that their fields and bases name in turn."""
    by_name = {shared.name: shared for shared in plan.types}
    waiting, reached = [text], set[str]()
    while waiting:
        for name in set(_WORD.findall(waiting.pop())) & by_name.keys() - reached:
            reached.add(name)
            shared = by_name[name]
            waiting += [shared.base, *(field.type for field in shared.fields)]
            waiting += [field.default or "" for field in shared.fields]
    return tuple(shared for shared in plan.types if shared.name in reached)


def message_problem(shared: SharedType) -> str:
    """Why an exception's message can't be written out; empty where it has its fields in braces, or joined."""
    node = expression_or_none(f"f{shared.message!r}")
    names = {field.name for field in shared.fields}
    values = [part for part in ast.walk(node) if isinstance(part, ast.FormattedValue)] if node is not None else []
    parts = [_joined(part.value) for part in values]
    # A field, or the name or value of one that is an enum's member.
    parts = [one.value if isinstance(one, ast.Attribute) and one.attr in ("name", "value") else one for one in parts]
    if node is None or not all(isinstance(one, ast.Name) and one.id in names for one in parts):
        text = "such as {line}, {state.value} of an enum or {', '.join(names)}, and nothing else"
        return f"its message {shared.message!r} may have its fields in braces, {text}"
    joined = JOINED.search(shared.description)
    if joined and ".join(" in shared.message and joined[1] not in shared.message:
        return (
            f"its description says that its message is joined with {joined[1]!r}, and its message {shared.message!r} "
            "says otherwise: say it in the message alone"
        )
    return ""


def _joined(node: ast.expr) -> ast.expr:
    """What a literal text joins; any other expression itself."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join"), args=[one], keywords=[]):
            return one
    return node
