"""Answers in JSON: asked for, found in a text, validated, and asked for once more where they can't be used.

Models send JSON alone, in a fence, or somewhere in prose. It is found, never mended; where an object is cut short or
broken, its inner objects are not taken for the answer. Where an answer can't be used, the model is told why and asked
once more. A refusal gets no second turn (it would only be said again), an answer that was cut off gets twice the room.

The schema of a pydantic model, as endpoints take it and prompts tell it, is flat and closed; required is what has no
default. What endpoints don't take (titles, defaults, patterns, bounds) is left out and stays pydantic's to check; what
no flat schema can say (any value at all, a dict with free keys, a recursive model) is an error of the program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from tdgen.errors import ReplyError
from tdgen.protocols import Answer, Message, Model, Request
from tdgen.replies.code import fenced_blocks, without_thinking

_MISSING = object()
_STARTS = re.compile(r'(?:\[\s*)?\{\s*(?:["}]|\Z)')
_DECODER = json.JSONDecoder()


def find_json(text: str) -> Any:
    """The JSON value that `text` is or holds; the longest where it holds several.

    ReplyError, with the one-line reason as its message: the answer is empty, cut short, or not JSON (where and why).
    """
    answer = without_thinking(text)
    for whole in (text.strip().removeprefix("\ufeff"), answer):
        if (value := _parsed(whole)) is not _MISSING:
            return value
    if not answer:
        raise ReplyError("the answer is empty" if not text.strip() else "the answer holds only thoughts")
    fenced = [block.text for block in fenced_blocks(answer)]
    for piece in sorted(fenced, key=len, reverse=True):
        if (value := _parsed(piece)) is not _MISSING:
            return value
    return _in_prose(answer)


def _in_prose(text: str) -> Any:
    """The longest object, or list of objects, in `text`; ReplyError with the reason for a longer one that breaks."""
    longest, value, broken, end = 0, None, "", 0
    for start in (match.start() for match in _STARTS.finditer(text)):
        if start < end:
            continue
        try:
            _, end = _DECODER.raw_decode(text, start)
            held = _loaded(text[start:end])
        except (ValueError, RecursionError):
            broken = text[start:]
            break
        if end - start > longest:
            longest, value = end - start, held
    if longest > len(broken):
        return value
    raise ReplyError(_what_is_wrong(broken) if broken else "the answer holds no JSON object")


def _parsed(text: str) -> Any:
    try:
        return _loaded(text)
    except (ValueError, RecursionError):
        return _MISSING


def _loaded(text: str) -> Any:
    value = json.loads(text, parse_constant=_refuse_constant)
    if "\\ud" in text.lower():
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("it escapes half a surrogate pair") from None
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _what_is_wrong(text: str) -> str:
    """Why `text` is not JSON, in one line that helps to mend it."""
    try:
        _loaded(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            return f"the answer is cut short: its JSON ends unfinished at line {error.lineno} column {error.colno}"
        near = text[max(0, error.pos - 20) : error.pos + 20]
        where = f"line {error.lineno} column {error.colno}"
        what = error.msg[0].lower() + error.msg[1:].removesuffix(" at")
        return f"the answer is not JSON: {what} at {where} of it, near {near!r}"
    except RecursionError:
        return "the answer's JSON is nested too deeply"
    except ValueError as error:
        return f"the answer is not JSON: {error}"
    return "the answer is not JSON"


_KEPT = ("type", "description", "enum")


def flat_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of `model`, flat and closed, a fresh copy; ValueError where it can't be said so."""
    schema: dict[str, Any] = json.loads(_schema_text(model))
    return schema


@cache
def form_text(model: type[BaseModel]) -> str:
    """The same as a prompt tells it: `{"name", "sizes"?: [integer, …], "colour"?: "red" | "blue" | null}`.

    A key of which nothing is said is a string, what has a default is marked with `?`. It costs a fifth of the schema's
    tokens.
    """
    return _form(flat_schema(model))


def _form(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(map(_form, schema["anyOf"]))
    if schema["type"] == "object":
        forms = (
            (f'"{name}"{"?" * (name not in schema["required"])}', _form(value))
            for name, value in schema["properties"].items()
        )
        fields = (key if form == "string" else f"{key}: {form}" for key, form in forms)
        return "{" + ", ".join(fields) + "}"
    return f"[{_form(schema['items'])}, …]" if schema["type"] == "array" else str(schema["type"])


@cache
def _schema_text(model: type[BaseModel]) -> str:
    schema = model.model_json_schema()
    try:
        return json.dumps(_flat(schema, schema.get("$defs", {})))
    except RecursionError:
        raise ValueError(f"{model.__name__}: what holds itself has no flat schema") from None
    except KeyError as error:
        raise ValueError(f"{model.__name__}: what any value fits, or any key, has no flat schema ({error})") from None


def _flat(schema: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    """The schema with what is shared written where it is used; KeyError where it leaves a type or keys open."""
    flat = {key: schema[key] for key in _KEPT if key in schema}
    if "$ref" in schema:
        return _flat(shared[schema["$ref"].rpartition("/")[2]] | flat, shared)
    if "const" in schema:
        flat["enum"] = [schema["const"]]
    if choices := schema.get("anyOf", schema.get("oneOf")):
        flat["anyOf"] = [_flat(choice, shared) for choice in choices]
    elif "enum" not in flat and schema["type"] == "object":
        properties = {name: _flat(value, shared) for name, value in schema["properties"].items()}
        required = [name for name in properties if name in schema.get("required", ())]
        flat |= {"properties": properties, "required": required, "additionalProperties": False}
    elif schema.get("type") == "array":
        flat["items"] = _flat(schema["items"], shared)
    return flat


ShapeT = TypeVar("ShapeT", bound=BaseModel)
ReadT = TypeVar("ReadT")
Check = Callable[[ShapeT], Sequence[str]]

MOST_REASONS = 20
LONGEST_QUOTE = 24_000
REFUSED = ("refusal", "content_filter")

_WANTED = (
    "Answer with one JSON object of this form and nothing else. A key of which no more is said is a string; one with ? "
    "is left out where it has nothing to say:\n"
)
_AGAIN = "That answer can't be used:\n{reasons}\n\nMend this, and give the whole answer again, in the same form."
_PART_AGAIN = (
    "Of that answer this can't be used:\n{reasons}\n\n"
    "The rest is kept. Answer with these {part} alone, mended, under the same names, with what is to be added, and in "
    "the same form."
)


def ask_for(
    model: Model,
    request: Request,
    shape: type[ShapeT],
    check: Check[ShapeT] | None = None,
    *,
    part: str = "",
) -> ShapeT:
    """Ask for JSON of `shape` and give it back validated.

    `check` says what is wrong with an answer of the right shape, one reason a string. With `part`, the word for the
    answer's items, it has kept the others, and the second answer is to hold only those with which anything is wrong.
    ReplyError where the second answer can't be used either; BudgetSpent and ModelError pass through.
    """

    def read(text: str) -> ShapeT:
        try:
            value = shape.model_validate(find_json(text))
        except ValidationError as error:
            raise _refused([_reason(detail) for detail in error.errors(include_url=False)]) from None
        reasons = list(check(value)) if check else []
        if reasons:
            raise _refused(reasons, part)
        return value

    # The schema stands in the last message, too: not every server shows it to the model.
    *before, last = request.messages
    schema = f"\n\n{_WANTED}{form_text(shape)}"
    message = Message(role=last.role, content=last.content + schema)
    return ask(
        model,
        request.model_copy(
            update={
                "messages": (*before, message),
                "schema_name": request.schema_name or request.purpose,
                "json_schema": flat_schema(shape),
                "schema_told": schema,
            }
        ),
        read,
    )


def ask(model: Model, request: Request, read: Callable[[str], ReadT]) -> ReadT:
    """Ask, and read the answer; where `read` raises ReplyError, tell the model why and ask once more (attempt + 1).

    The reasons told are the error's `reasons`, or its message where it has none.
    """
    answer = model.ask(request)
    try:
        return _read(answer, request, read)
    except ReplyError as error:
        if answer.finish_reason in REFUSED:
            raise _failed(request, error) from None
        reasons = "\n".join(f"- {reason}" for reason in error.reasons or (str(error),))
        # As an assistant's turn it is never empty, as servers refuse that, and never longer than a bound.
        said = answer.text if answer.text.strip() else "(an empty answer)"
        if len(answer.text) > LONGEST_QUOTE:
            half = LONGEST_QUOTE // 2
            left_out = f"[… {len(answer.text) - 2 * half} characters left out …]"
            said = f"{answer.text[:half]}\n{left_out}\n{answer.text[-half:]}"
        turns = (
            Message(role="assistant", content=said),
            Message(
                role="user", content=(_PART_AGAIN if error.part else _AGAIN).format(reasons=reasons, part=error.part)
            ),
        )
        room = request.max_tokens * (2 if answer.finish_reason == "length" else 1)
        again = request.model_copy(
            update={"attempt": request.attempt + 1, "messages": (*request.messages, *turns), "max_tokens": room}
        )
    try:
        return _read(model.ask(again), again, read)
    except ReplyError as error:
        raise _failed(request, error) from None


def _read(answer: Answer, request: Request, read: Callable[[str], ReadT]) -> ReadT:
    if answer.finish_reason in REFUSED:
        said = " ".join(answer.text.split())[:200] or answer.finish_reason
        raise ReplyError(f"the model refused to answer: {said}")
    if answer.finish_reason == "length":
        raise ReplyError(f"the answer was cut off at {request.max_tokens} tokens: say the same more briefly")
    return read(answer.text)


def _refused(reasons: list[str], part: str = "") -> ReplyError:
    shown = reasons[:MOST_REASONS]
    if len(reasons) > len(shown):
        shown.append(f"and {len(reasons) - len(shown)} more of the kind")
    return ReplyError(shown[0], tuple(shown), part)


def _reason(detail: Any) -> str:
    """One of pydantic's findings as a line: where, then what."""
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in detail["loc"]).lstrip(".")
    shapeless = detail["type"] == "model_type"
    what = "a JSON object is wanted here" if shapeless else detail["msg"].removeprefix("Value error, ")
    return f"{where}: {what}" if where else what


def _failed(request: Request, error: ReplyError) -> ReplyError:
    reasons = error.reasons or (str(error),)
    about = f" for {request.subject}" if request.subject else ""
    first = " ".join(reasons[0].split())
    first = first if len(first) <= 300 else first[:300] + "…"
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return ReplyError(f"the model gave no usable answer ({request.purpose}{about}): {first}{more}", reasons)
