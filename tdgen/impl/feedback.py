"""What was observed, told so that it can be acted on: the smallest failing cases first, and never too much."""

from __future__ import annotations

from collections.abc import Sequence

from tdgen.impl.digest import MOST_ATTEMPTS, digest, smallest_failures
from tdgen.impl.shortening import cut
from tdgen.types import ARBITRATED, Attempt, Case, Frame, Raised, Suite, Verdict

MOST_CASES = 5
MOST_CHARACTERS = 6_000
_MOST_FRAMES, _MOST_VALUES, _MOST_DIFFERENCES = 3, 8, 5
_REFUSALS = frozenset({"builtins.PermissionError", "socket.gaierror"})
_REFUSED = (
    "the sandbox refuses this: code runs without network and other processes, and writes in its working folder only"
)


def feedback(attempt: Attempt, suite: Suite, earlier: Sequence[Attempt] = ()) -> str:
    """The report on an attempt for the one who is to mend it; held-out cases are not in it."""
    visible = {case.name: case for case in suite.visible}
    failed = smallest_failures(attempt, suite)
    parts = [f"- {cut(finding)}" for finding in attempt.findings[:MOST_CASES]]
    parts += [_told(verdict, visible[verdict.case]) for verdict in failed[:MOST_CASES]]
    if len(failed) > MOST_CASES:
        parts.append(f"({len(failed) - MOST_CASES} more of the shown cases fail.)")
    parts += [f"Perhaps: {cut(hint)}" for hint in attempt.advice[:MOST_CASES]]
    parts += [f"The test file fails as a whole:\n{cut(veto, 1_500)}" for veto in attempt.vetoes]
    shown = sum(verdict.case in visible for verdict in attempt.verdicts)
    if shown:
        parts.append(f"{shown - len(failed)} of the {shown} shown cases pass.")
    past = _past(attempt, suite, earlier)
    return cut("\n".join(parts), MOST_CHARACTERS - len(past)) + past


def _past(attempt: Attempt, suite: Suite, earlier: Sequence[Attempt]) -> str:
    """What was tried before, a line each, and whether this is only the same again."""
    told = [f"- {digest(other, suite)}" for other in earlier[-MOST_ATTEMPTS:]]
    lines = ["Tried before, in other ways than this code:", *told] if told else []
    if any(attempt.source == other.source for other in earlier):
        lines.append("This code is the same as an earlier attempt's: change it, or object to what you hold wrong.")
    return "".join(f"\n{line}" for line in lines)


def _told(verdict: Verdict, case: Case) -> str:
    """What was observed on one case, which the prompt shows above among the others."""
    lines = [f"- {case.name} fails:"]
    for difference in verdict.differences[:_MOST_DIFFERENCES]:
        place = f"at {cut(difference.where)}: " if difference.where else ""
        lines.append(f"  {place}{cut(difference.actual)}, expected {cut(difference.expected)}")
    if len(verdict.differences) > _MOST_DIFFERENCES:
        lines.append(f"  and {len(verdict.differences) - _MOST_DIFFERENCES} more differences")
    if ARBITRATED in case.confirmed:
        lines.append("  one reader of the instruction worked this test out again and came to the same")
    if verdict.detail:
        lines.append(f"  {cut(verdict.detail)}")
    if verdict.raised is not None:
        lines += _raised(verdict.raised)
    if verdict.stdout and case.stdout is None:
        lines.append(f"  it printed to stdout {cut(repr(verdict.stdout))}")
    if verdict.stderr and case.stderr is None:
        lines.append(f"  it printed to stderr {cut(repr(verdict.stderr))}")
    mutated = list(verdict.mutated.items())[:_MOST_VALUES]
    lines += [f"  it changed its argument {cut(name, 60)} to {cut(value)}" for name, value in mutated]
    return "\n".join(lines)


def _raised(raised: Raised) -> list[str]:
    """The exception, whether the sandbox had its hand in it, and the lines of generated code that it passed."""
    refused = [f"  ({_REFUSED})"] if _REFUSALS & set(raised.types) else []
    return [
        f"  {cut(raised.type, 120)}: {cut(raised.message)}",
        *refused,
        *(_frame(frame) for frame in raised.frames[-_MOST_FRAMES:]),
    ]


def _frame(frame: Frame) -> str:
    values = ", ".join(f"{cut(n, 60)}={cut(v, 80)}" for n, v in list(frame.locals.items())[:_MOST_VALUES])
    return f"  in {cut(frame.function, 80)}, `{cut(frame.text, 120)}`" + (f" with {values}" if values else "")
