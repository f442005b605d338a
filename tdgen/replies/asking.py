"""One question, at most two answers: where the first can't be used, the model is told why and asked once more.

A refusal gets no second turn (it would only be said again), an answer that was cut off gets twice the room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tdgen.errors import ReplyError
from tdgen.protocols import Answer, Message, Model, Request
from tdgen.replies.json_text import find_json, flat_schema, form_text

ShapeT = TypeVar("ShapeT", bound=BaseModel)
ReadT = TypeVar("ReadT")
Check = Callable[[ShapeT], Sequence[str]]

MOST_REASONS = 20
LONGEST_QUOTE = 24_000
REFUSED = ("refusal", "content_filter")

_WANTED = (
    "Answer with one JSON object of this form and nothing else; a key with ? is left out where it has nothing to say:\n"
)
_AGAIN = "That answer can't be used:\n{reasons}\n\nMend this, and give the whole answer again, in the same form."
_PART_AGAIN = (
    "Of that answer this can't be used:\n{reasons}\n\n"
    "The rest is kept. Answer with these {part} alone, mended, under the same names and in the same form."
)


def ask_for(
    model: Model,
    request: Request,
    shape: type[ShapeT],
    check: Check[ShapeT] | None = None,
    context: Any = None,
    *,
    part: str = "",
) -> ShapeT:
    """Ask for JSON of `shape` and give it back validated; `context` reaches the shape's pydantic validators.

    `check` says what is wrong with an answer of the right shape, one reason a string. With `part`, the word for the
    answer's items, it has kept the others, and the second answer is to hold only those with which anything is wrong.
    ReplyError where the second answer can't be used either; BudgetSpent and ModelError pass through.
    """

    def read(text: str) -> ShapeT:
        return _checked(_validated(find_json(text), shape, context), check, part)

    return ask(model, _with_schema(request, shape), read)


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
        again = _again(request, answer, error)
    try:
        return _read(model.ask(again), again, read)
    except ReplyError as error:
        raise _failed(request, error) from None


def _with_schema(request: Request, shape: type[BaseModel]) -> Request:
    """The request with the schema beside it, and in its last message too: not every server shows it to the model."""
    *before, last = request.messages
    schema = f"\n\n{_WANTED}{form_text(shape)}"
    told = Message(role=last.role, content=last.content + schema)
    return request.model_copy(
        update={
            "messages": (*before, told),
            "schema_name": request.schema_name or request.purpose,
            "json_schema": flat_schema(shape),
            "schema_told": schema,
        }
    )


def _read(answer: Answer, request: Request, read: Callable[[str], ReadT]) -> ReadT:
    if answer.finish_reason in REFUSED:
        said = " ".join(answer.text.split())[:200] or answer.finish_reason
        raise ReplyError(f"the model refused to answer: {said}")
    if answer.finish_reason == "length":
        raise ReplyError(f"the answer was cut off at {request.max_tokens} tokens: say the same more briefly")
    return read(answer.text)


def _validated(value: Any, shape: type[ShapeT], context: Any) -> ShapeT:
    try:
        return shape.model_validate(value, context=context)
    except ValidationError as error:
        raise _told([_reason(detail) for detail in error.errors(include_url=False)]) from None


def _checked(value: ShapeT, check: Check[ShapeT] | None, part: str) -> ShapeT:
    reasons = list(check(value)) if check else []
    if reasons:
        raise _told(reasons, part)
    return value


def _told(reasons: list[str], part: str = "") -> ReplyError:
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


def _again(request: Request, answer: Answer, error: ReplyError) -> Request:
    """The conversation so far, what was answered, what is wrong with it."""
    reasons = "\n".join(f"- {reason}" for reason in error.reasons or (str(error),))
    told = (
        Message(role="assistant", content=_quoted(answer.text)),
        Message(role="user", content=(_PART_AGAIN if error.part else _AGAIN).format(reasons=reasons, part=error.part)),
    )
    room = request.max_tokens * (2 if answer.finish_reason == "length" else 1)
    return request.model_copy(
        update={"attempt": request.attempt + 1, "messages": (*request.messages, *told), "max_tokens": room}
    )


def _quoted(text: str) -> str:
    """`text` as an assistant's turn: never empty (servers refuse that), never longer than a bound."""
    if len(text) <= LONGEST_QUOTE:
        return text if text.strip() else "(an empty answer)"
    half = LONGEST_QUOTE // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"


def _failed(request: Request, error: ReplyError) -> ReplyError:
    reasons = error.reasons or (str(error),)
    about = f" for {request.subject}" if request.subject else ""
    first = " ".join(reasons[0].split())
    first = first if len(first) <= 300 else first[:300] + "…"
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return ReplyError(f"the model gave no usable answer ({request.purpose}{about}): {first}{more}", reasons)
