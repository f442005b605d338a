"""What a test file says of cases that were changed or set aside: nothing that a user was shown goes without a word."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from tdgen.testgen.rendering.words import one_line
from tdgen.types import Revision, Suite

_WIDTH = 88


def notes_on(suite: Suite, revisions: Iterable[Revision]) -> dict[str, str]:
    """By the name of each case that is there and was revised or promoted: what it was, what it became, and why."""
    whys = {case.name: case.why for case in suite.cases}
    notes: dict[str, str] = {}
    for revision in revisions:
        if revision.action == "quarantined" or revision.case not in whys:
            continue
        changed = f"{revision.before} → {revision.after}" if revision.before and revision.after else ""
        words = [f"{revision.action}: {changed}", f"because {revision.reason}"] if changed else []
        words = words or [f"{revision.action}: {revision.reason}"]
        words += [f"the words: {revision.quote!r}"] if revision.quote not in ("", whys[revision.case]) else []
        earlier = [notes[revision.case]] if revision.case in notes else []
        notes[revision.case] = "\n".join([*earlier, *words])
    return notes


def set_aside(suite: Suite, revisions: Iterable[Revision]) -> list[str]:
    """The comment lines that name each case which was set aside, what it expected and why; none where none was."""
    there = {case.name for case in suite.cases}
    found = [r for r in revisions if r.action == "quarantined" and r.case not in there]
    return ["# Set aside, and not tested:", *_listed(found)] if found else []


def _listed(revisions: Sequence[Revision]) -> list[str]:
    lines: list[str] = []
    for revision in revisions:
        before = f"{revision.before}: " if revision.before else ""
        quote = f" ({revision.quote!r})" if revision.quote else ""
        text = one_line(f"{revision.case}: {before}{revision.reason}{quote}")
        lines += textwrap.wrap(
            text, _WIDTH, initial_indent="# - ", subsequent_indent="#   ", max_lines=2, placeholder=" …"
        )
    return lines
