"""What a call came to, and what a case expects, in the same words: arbiters must not know which of them is which.

Each outcome has a part for all that the case looks at (the result, streams, files, logs, what is evaluated afterwards),
in that order, values by their `repr`. Of a part that is too long to be shown whole each outcome shows the same stretch,
around the first character in which they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from tdgen.judge import Expected
from tdgen.text import visible
from tdgen.types import Case, Check, Exits, ExpectedException, Observation, Pattern, Value, Verdict, Wire
from tdgen.types.base import Content
from tdgen.values.show import show_wire

LONGEST_READ: Final = 20_000
"""Of how many characters of a value the `repr` is made."""
LONGEST_PART: Final = 1_200
"""Some 300 tokens: of a part that has more, the stretch around what differs is shown."""
_BEFORE: Final = 400


class Part(NamedTuple):
    """One thing that came of a call: `said` before and after its `text`, which alone may be cut."""

    before: str
    text: str = ""
    after: str = ""


Outcome = tuple[Part, ...]


def expected_outcome(case: Case, expected: Expected) -> Outcome:
    """What a case expects, as it was evaluated."""
    asked = case.expectation
    if isinstance(asked, Value):
        is_evaluated = not expected.problem
        result = Part("returns `", show_wire(expected.value, LONGEST_READ) if is_evaluated else asked.source, "`")
    elif isinstance(asked, ExpectedException):
        matching = f" with a message in which {asked.match!r} is found" if asked.match else ""
        result = Part(f"raises {asked.type.rpartition('.')[2]}{matching}")
    elif isinstance(asked, Check):
        result = Part("returns a result for which `", asked.source, "` holds")
    else:
        result = Part(f"ends with exit code {asked.code}")
    return (
        result,
        *(_printed(stream, text) for stream, text in _streams(case)),
        *(_file(path, content) for path, content in case.files.items()),
        *_logged(None if case.logs is None else [(one.logger, one.level, one.message) for one in case.logs]),
        *_afterwards(case, expected.after),
    )


def observed_outcome(case: Case, observation: Observation) -> Outcome:
    """What a call was seen to come to, as far as the case looks at it; nothing where it came to no end."""
    if observation.status not in ("returned", "raised") or (
        observation.status == "raised" and observation.raised is None
    ):
        return ()
    streams = {"stdout": observation.stdout, "stderr": observation.stderr}
    return (
        _ending(case, observation),
        *(_printed(stream, streams[stream]) for stream, _ in _streams(case)),
        *(_file(path, observation.files.get(path)) for path in case.files),
        *_logged(None if case.logs is None else observation.logs),
        *_afterwards(case, observation.after),
    )


class JudgedCall(NamedTuple):
    """What was seen of a call, and the verdict on it."""

    verdict: Verdict
    observation: Observation


def outcome_lines(case: Case, expected: Expected, calls: Sequence[JudgedCall]) -> list[str]:
    """What a case expects, and after it what each of the calls came to, in a line each.

    A call that passes came to what is expected; the line of one that came to no end is empty.
    """
    own = expected_outcome(case, expected)
    seen = [own if call.verdict.passed else observed_outcome(case, call.observation) for call in calls]
    texts = iter(lines_together([own, *filter(None, seen)]))
    return [next(texts), *(next(texts) if outcome else "" for outcome in seen)]


def lines_together(outcomes: Sequence[Outcome]) -> list[str]:
    """Outcomes of one case in a line each, in their order."""
    columns = [_cut(parts) for parts in zip_longest(*outcomes, fillvalue=Part(""))]
    return [visible("; ".join(filter(None, row))) for row in zip(*columns, strict=True)]


def _ending(case: Case, observation: Observation) -> Part:
    """What a call returned, raised, or ended its script with."""
    asked, raised = case.expectation, observation.raised if observation.status == "raised" else None
    code = raised.exit_code if raised else 0 if isinstance(asked, Exits) else None
    if code is not None:
        return Part(f"{'ends' if isinstance(asked, Exits) else 'raises SystemExit, which ends'} with exit code {code}")
    if raised is None:
        return Part("returns `", show_wire(observation.value, LONGEST_READ), "`")
    if isinstance(asked, ExpectedException) and asked.match:
        return Part(f"raises {_named(raised.type)} with the message ", repr(raised.message))
    return Part(f"raises {_named(raised.type)}")


def _named(exception: str) -> str:
    """An exception's class as a case names it: without its module, with the class in whose body it stands."""
    parts = exception.split(".")
    first = next((place for place, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[first:])


def _streams(case: Case) -> list[tuple[str, str | Pattern]]:
    """The streams that a case looks at, with what it expects of them."""
    return [(name, asked) for name, asked in (("stdout", case.stdout), ("stderr", case.stderr)) if asked is not None]


def _printed(stream: str, text: str | Pattern) -> Part:
    if isinstance(text, Pattern):
        return Part(f"prints to {stream} a text in which {text.match!r} is found")
    return Part(f"prints to {stream} ", repr(text)) if text else Part(f"prints nothing to {stream}")


def _file(path: str, content: Content | None) -> Part:
    if content is None:
        return Part(f"afterwards there is no file {path!r}")
    return Part(f"afterwards the file {path!r} holds ", repr(content) if content else "nothing")


def _logged(records: Sequence[tuple[str, str, str]] | None) -> list[Part]:
    if records is None:
        return []
    lines = [f"{level} {message!r} by {logger!r}" for logger, level, message in records]
    return [Part("logs ", ", then ".join(lines) or "nothing")]


def _afterwards(case: Case, values: Sequence[Wire]) -> list[Part]:
    """The expressions after the call, with what they came to."""
    shown = [f"gives `{show_wire(value, LONGEST_READ)}`" for value in values]
    pairs = zip_longest(case.after, shown[: len(case.after)], fillvalue="was not evaluated")
    return [Part(f"afterwards `{after.expression}` ", text) for after, text in pairs if not isinstance(after, str)]


def _cut(parts: Sequence[Part]) -> list[str]:
    """One part of each outcome; long ones by the stretch around the first character in which any two differ."""
    texts = [part.text for part in parts]
    start = 0
    if max(map(len, texts)) > LONGEST_PART:
        differing = (place for place, row in enumerate(zip_longest(*texts)) if len(set(row)) > 1)
        start = max(next(differing, 0) - _BEFORE, 0)
    end = start + LONGEST_PART
    return [
        f"{part.before}{'…' * bool(start)}{part.text[start:end]}{'…' * (len(part.text) > end)}{part.after}"
        for part in parts
    ]
