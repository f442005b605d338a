"""JavaScript that tdgen writes itself: the classes that a plan declares, and Python's exceptions that it names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tdgen.languages.files import Unsayable
from tdgen.languages.javascript.saying import literal
from tdgen.languages.shapes import RECORDS
from tdgen.types import Plan, SharedType

NATIVE = frozenset({"TypeError", "RangeError", "SyntaxError", "ReferenceError", "URIError", "EvalError"})
"""Errors that the language has itself: a contract names them as Python's or declares them, and no other is written."""
Annotate = Callable[[str], str]
_FIELD = re.compile(r"\{(\w+)\}")


def exceptions(plan: Plan) -> dict[str, str]:
    """The exceptions that contracts name by their own last names, with the names by which Python finds them."""
    declared = [raised.type for spec in plan.functions for raised in spec.raises]
    bases = [one.base for one in plan.types if one.kind == "exception" and one.base not in ("", "Exception")]
    return {path.rpartition(".")[2]: path for path in (*bases, *declared)} | {
        one.name: one.name for one in plan.types if one.kind == "exception"
    }


def untyped(annotation: str) -> str:
    """No annotation: what is written is JavaScript."""
    return ""


def prelude(plan: Plan, typed: Annotate = untyped) -> str:
    """The classes that code may use: the plan's records and exceptions, and Python's exceptions that it names.

    `typed` gives what stands behind a name of that annotation.
    """
    declared = {one.name: one for one in plan.types}
    parts = [
        _class(name, "Error") for name in exceptions(plan) if name not in declared and name not in NATIVE | {"Error"}
    ]
    waiting = [one for one in plan.types if one.kind in (*RECORDS, "exception") and one.name not in NATIVE]
    while waiting:  # a base stands before what extends it
        one = next((one for one in waiting if all(one.base != other.name for other in waiting)), waiting[0])
        waiting.remove(one)
        if one.kind == "exception":
            parts.append(_exception(one, typed))
            continue
        kept = "".join(f"    this.{field.name} = {field.name};\n" for field in one.fields)
        body = f"{_constructor(one, typed)} {{\n{kept}  }}\n"
        parts.append(_described(one, f"class {one.name} {{\n{body}}}"))
    return "".join(f"{part}\n\n" for part in parts)


def class_names(plan: Plan) -> list[str]:
    """The names of the classes of `prelude`, in its order."""
    return re.findall(r"^class (\w+)", prelude(plan), re.MULTILINE)


def _class(name: str, base: str, body: str = "") -> str:
    return f"class {name} extends {base} {{\n{body}  static {{\n    this.prototype.name = {json.dumps(name)};\n  }}\n}}"


def _exception(one: SharedType, typed: Annotate) -> str:
    base = "Error" if one.base in ("", "Exception") else one.base.rpartition(".")[2]
    if not one.fields and not one.message:
        return _described(one, _class(one.name, base))
    names = [field.name for field in one.fields]
    is_simple = one.message and set(_FIELD.findall(one.message)) <= set(names) and "`" not in one.message
    is_simple = is_simple and one.message.count("{") == len(_FIELD.findall(one.message))
    template = _FIELD.sub(r"${\1}", one.message)
    message = f"`{template}`" if is_simple else " + ', ' + ".join(names) or '""'
    kept = "".join(f"    this.{name} = {name};\n" for name in names)
    body = f"{_constructor(one, typed)} {{\n    super({message});\n{kept}  }}\n"
    return _described(one, _class(one.name, base, body))


def _constructor(one: SharedType, typed: Annotate) -> str:
    """Its fields as declarations, where the language has such, and the head of its constructor."""
    declared, parts = "", []
    for field in one.fields:
        annotation = typed(field.type)
        declared += f"  {field.name}{annotation};\n" if annotation else ""
        name = f"{field.name}{annotation}"
        try:
            parts.append(name if field.default is None else f"{name} = {literal(field.default)}")
        except Unsayable:
            parts.append(name)
    return f"{declared}  constructor({', '.join(parts)})"


def _described(one: SharedType, source: str) -> str:
    text = " ".join(one.description.split()).replace("*/", "")
    return f"/** {text} */\n{source}" if text else source
