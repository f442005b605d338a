"""Chapter marks of a podcast."""

import re
from itertools import pairwise
from typing import NamedTuple

SHORTEST = 5
_TIME = re.compile(r"(?:([0-9]+):([0-5][0-9])|([0-9]+)):([0-5][0-9])")


class ChapterError(ValueError):
    """A time or show notes that can't be."""


class Chapter(NamedTuple):
    start: int
    title: str


def parse_time(text):
    match = _TIME.fullmatch(text)
    if match is None:
        raise ChapterError(f"not a time: {text!r}")
    hours, minutes, only_minutes, seconds = (int(part or 0) for part in match.groups())
    return (hours * 60 + minutes + only_minutes) * 60 + seconds


def format_time(seconds):
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def parse_chapters(text, length):
    chapters = []
    for line in text.splitlines():
        if not line.strip():
            continue
        time, _, title = line.strip().partition(" ")
        if not title.strip():
            raise ChapterError(f"no title: {line!r}")
        chapters.append(Chapter(parse_time(time), title.strip()))
    if not chapters or chapters[0].start != 0:
        raise ChapterError("no chapter starts at 0:00")
    if any(lasts < SHORTEST for lasts in _lengths(chapters, parse_time(length))[:-1]):
        raise ChapterError("a chapter is too short, or not in order")
    return chapters


def durations(text, length):
    chapters = parse_chapters(text, length)
    timed = zip(_lengths(chapters, parse_time(length)), chapters)
    ordered = sorted(timed, key=lambda pair: -pair[0])
    return [f"{chapter.title} ({format_time(lasts)})" for lasts, chapter in ordered]


def insert_ad(text, length, at, ad):
    chapters = parse_chapters(text, length)
    place, seconds = parse_time(at), parse_time(ad)
    if place > parse_time(length):
        raise ChapterError(f"{at} is beyond the end")
    lines = []
    for number, chapter in enumerate(chapters):
        moves = number > 0 and chapter.start >= place
        lines.append(f"{format_time(chapter.start + seconds * moves)} {chapter.title}")
    return "\n".join(lines)


def _lengths(chapters, end):
    starts = [chapter.start for chapter in chapters]
    return [after - start for start, after in pairwise([*starts, end])]
