"""What was observed, told so that it can be acted on: the smallest failing cases first, and never too much."""

from __future__ import annotations

from collections.abc import Sequence

from tdgen.briefs import case_text
from tdgen.types import Attempt, Case, Frame, Suite, Verdict

MOST_CASES = 5
MOST_CHARACTERS = 6_000
LONGEST_TEXT = 400


def feedback(attempt: Attempt, suite: Suite, earlier: Sequence[Attempt] = ()) -> str:
    """The report on an attempt for the one who is to mend it; held-out cases are not in it."""
    visible = {case.name: case for case in suite.visible}
    failed = [v for v in attempt.verdicts if not v.passed and v.case in visible]
    failed.sort(key=lambda verdict: len(visible[verdict.case].expression + visible[verdict.case].setup))
    parts = [f"- {_cut(finding)}" for finding in attempt.findings]
    parts += [_told(verdict, visible[verdict.case]) for verdict in failed[:MOST_CASES]]
    if len(failed) > MOST_CASES:
        parts.append(f"({len(failed) - MOST_CASES} more of the shown cases fail.)")
    parts += [f"Perhaps: {_cut(hint)}" for hint in attempt.advice[:MOST_CASES]]
    parts += [f"The test file fails as a whole:\n{_cut(veto, 1_500)}" for veto in attempt.vetoes]
    shown = sum(verdict.case in visible for verdict in attempt.verdicts)
    if shown:
        parts.append(f"{shown - len(failed)} of the {shown} shown cases pass.")
    if any(attempt.source == other.source for other in earlier):
        parts.append("This code is the same as an earlier attempt's: change the approach.")
    return _cut("\n".join(parts), MOST_CHARACTERS)


def _told(verdict: Verdict, case: Case) -> str:
    lines = [case_text(case)]
    for difference in verdict.differences:
        place = f"at {_cut(difference.where)}: " if difference.where else ""
        lines.append(f"  {place}{_cut(difference.actual)}, expected {_cut(difference.expected)}")
    if verdict.detail:
        lines.append(f"  {_cut(verdict.detail)}")
    if verdict.raised is not None:
        lines.append(f"  {verdict.raised.type}: {_cut(verdict.raised.message)}")
        lines += [_frame(frame) for frame in verdict.raised.frames[-3:]]
    if verdict.stdout and case.stdout is None:
        lines.append(f"  it printed {_cut(verdict.stdout)!r}")
    lines += [f"  it changed its argument {name} to {_cut(value)}" for name, value in verdict.mutated.items()]
    return "\n".join(lines)


def _frame(frame: Frame) -> str:
    values = ", ".join(f"{name}={_cut(value, 80)}" for name, value in list(frame.locals.items())[:8])
    return f"  in {frame.function}, `{_cut(frame.text, 120)}`" + (f" with {values}" if values else "")


def _cut(text: str, most: int = LONGEST_TEXT) -> str:
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"
