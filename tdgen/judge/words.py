"""What was observed, and how it differs, in words that a model and a person understand."""

from __future__ import annotations

from tdgen.types import Difference, Observation, Raised
from tdgen.values.show import LIMIT, brief, clean, show_wire

_BEFORE, _AFTER = 30, 90
_ENDINGS = {
    "timeout": "did not end in time",
    "died": "died",
    "unreadable": "came to what can't be told as data",
    "not_run": "was not run",
}


def outcome(observation: Observation) -> str:
    """What a call did: `returned 3`, `raised KeyError: 'x'`, `died: killed by SIGSEGV`."""
    detail = brief(observation.detail, 300)
    if observation.status == "returned":
        return f"returned {show_wire(observation.value)}"
    if observation.status == "raised" and observation.raised is not None:
        return f"raised {exception(observation.raised)}"
    if observation.status == "timeout" and detail:
        return detail
    ending = _ENDINGS.get(observation.status, "raised what can't be told")
    because = f" ({exception(observation.raised)})" if observation.raised is not None else ""
    return (f"{ending}: {detail}" if detail else ending) + because


def exception(raised: Raised) -> str:
    """An exception as Python prints it: its class, without `builtins`, and its message."""
    if raised.exit_code is not None:
        return f"SystemExit, which ends with exit code {raised.exit_code}"
    name = brief(raised.type.removeprefix("builtins."), 80)
    message = brief(raised.message, 200)
    return f"{name}: {message}" if message else name


def text_difference(where: str, expected: str, actual: str) -> Difference:
    """The difference between two texts that are not equal; of long ones, what is around the first that differs."""
    if "" != expected.rstrip("\n") == actual.rstrip("\n"):  # of nothing but line ends the literal says more
        return Difference(where=where, expected=_line_ends(expected), actual=_line_ends(actual))
    if max(len(expected), len(actual)) <= LIMIT - 2:
        return Difference(where=where, expected=clean(repr(expected)), actual=clean(repr(actual)))
    pairs = enumerate(zip(expected, actual, strict=False))
    place = next((place for place, (e, a) in pairs if e != a), min(len(expected), len(actual)))
    return Difference(where=where, expected=_around(expected, place), actual=_around(actual, place))


def _line_ends(text: str) -> str:
    """A text by how many line ends it ends with, where nothing else differs."""
    count = len(text) - len(text.rstrip("\n"))
    how = {0: "no line end", 1: "one line end"}.get(count, f"{count} line ends")
    body = text.rstrip("\n")
    return f"{clean(repr(body[-60:]))} with {how} after it"


def _around(text: str, place: int) -> str:
    """The literal of what is around one place of a text."""
    start, end = max(place - _BEFORE, 0), place + _AFTER
    shown = f"{'…' if start else ''}{clean(repr(text[start:end]))}{'…' if end < len(text) else ''}"
    return f"{shown} at character {place}"
