"""Find the understaffed stretches of a day."""

import re
from typing import NamedTuple


class SpanError(ValueError):
    """A text that is no span of a day."""


class Span(NamedTuple):
    start: int
    end: int


_SPAN = re.compile(r"([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})")
_DAY = 24 * 60


def parse_span(text):
    match = _SPAN.fullmatch(text)
    if match is None:
        raise SpanError(f"not a span: {text!r}")
    hour, minute, end_hour, end_minute = map(int, match.groups())
    start, end = hour * 60 + minute, end_hour * 60 + end_minute
    if minute > 59 or end_minute > 59 or end > _DAY or start >= end:
        raise SpanError(f"not a span: {text!r}")
    return Span(start, end)


def format_span(span):
    return f"{span.start // 60:02}:{span.start % 60:02}-{span.end // 60:02}:{span.end % 60:02}"


def merge(spans):
    merged = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(Span(*span))
    return merged


def thin(shifts, opening, at_least):
    working = [span for own in shifts.values() for span in merge(own)]
    edges = {opening.start, opening.end}
    edges.update(edge for span in working for edge in span if opening.start < edge < opening.end)
    edges = sorted(edges)
    short = []
    for start, end in zip(edges, edges[1:]):
        present = sum(span.start <= start < span.end for span in working)
        if present < at_least:
            short.append(Span(start, end))
    return merge(short)


def cover_report(shifts, opening, at_least):
    spans = {name: [parse_span(text) for text in texts] for name, texts in shifts.items()}
    short = thin(spans, parse_span(opening), at_least)
    lines = [f"understaffed {format_span(span)} ({span.end - span.start} min)" for span in short]
    return "\n".join(lines) or "covered"
