"""What a repair is told: failing cases, differences, values of frames, a line trace, and what was tried before.

The smallest failing cases come first, and never too much: text is made short enough for a prompt, its beginning and end
kept, all of it visible, and the same from run to run. Earlier attempts stand in a line each: how they went about it,
how far they came, what they fell on; never their code.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tdgen.source.syntax import Function, lines_of, parse, statements_of
from tdgen.text import visible
from tdgen.types import ARBITRATED, Attempt, Case, Exits, Raised, Rung, Step, Suite, Verdict

LONGEST_TEXT = 400
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def cut(text: str, most: int = LONGEST_TEXT) -> str:
    """`text` in about `most` characters: no addresses, and as escapes control characters and what can't be seen."""
    kept = text if len(text) <= 4 * most else text[: 2 * most] + text[-2 * most :]  # whatever its size, little is read
    escaped = _CONTROL.sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), kept)
    plain = visible(_ADDRESS.sub("", escaped))
    return plain if len(plain) <= most else f"{plain[: most // 2]} … {plain[-most // 2 :]}"


MOST_ATTEMPTS = 6
MOST_FAILURES = 3
_LOOPS = ast.For | ast.While | ast.AsyncFor
_WORDS: dict[Rung, str] = {
    "first": "first attempt",
    "rival": "a second first attempt",
    "reading": "the second reading of the instruction",
    "kept": "kept from an earlier run",
    "mechanical": "a single edit",
    "repair": "repair",
    "trace": "repair from a trace",
    "fresh": "another algorithm",
    "helpers": "with helpers",
    "existing": "code that was there",
}
_TELLING = frozenset(
    {"sorted", "sort", "min", "max", "sum", "zip", "enumerate", "reversed", "set", "dict", "all", "any"}
)


def digest(attempt: Attempt, suite: Suite, failures: int = 1) -> str:
    """One attempt in a line: its number and rung, how many of the shown cases it passes, the smallest that it fails."""
    return f"attempt {attempt.number} ({_WORDS[attempt.rung]}): {_came_to(attempt, suite, failures)}"


def failed_approaches(history: Sequence[Attempt], suite: Suite) -> str:
    """The last different attempts that can be told, each with its approach and the shown cases that it fails."""
    latest = {attempt.source: attempt for attempt in history if not attempt.green}
    lines = [
        f"- {approach(attempt.source)}: {_came_to(attempt, suite, MOST_FAILURES)}"
        for attempt in [*latest.values()][-MOST_ATTEMPTS:]
        if attempt.source or attempt.findings
    ]
    return "\n".join(dict.fromkeys(lines)) or "(none that could be read)"


def smallest_failures(attempt: Attempt, suite: Suite) -> list[Verdict]:
    """The verdicts on the shown cases that it fails, the smallest case first."""
    visible = {case.name: case for case in suite.visible}
    failed = [verdict for verdict in attempt.verdicts if not verdict.passed and verdict.case in visible]
    return sorted(failed, key=lambda verdict: len(visible[verdict.case].expression + visible[verdict.case].setup))


def _came_to(attempt: Attempt, suite: Suite, failures: int) -> str:
    if attempt.findings:
        return f"could not be used: {cut(attempt.findings[0], 150)}"
    failed = smallest_failures(attempt, suite)
    visible = {case.name: case for case in suite.visible}
    shown = sum(verdict.case in visible for verdict in attempt.verdicts)
    there = "" if shown == len(visible) else " that there were then"
    parts = [f"passes {shown - len(failed)} of the {shown} shown cases{there}"] if shown else ["was not run"]
    for verdict in failed[:failures]:
        what = cut(visible[verdict.case].done.text, 80)
        gave = cut(verdict.actual or verdict.detail or verdict.status, 120)
        if verdict.differences:
            first = verdict.differences[0]
            place = f"at {cut(first.where, 40)} " if first.where else ""
            gave = f"{place}{cut(first.actual, 100)}, expected {cut(first.expected, 100)}"
        parts.append(f"`{what}` gave {gave}")
    if attempt.vetoes and not failed:
        parts.append(cut(attempt.vetoes[0].splitlines()[0], 150))
    elif not failed and attempt.passed < len(attempt.verdicts):
        parts.append("fails others that you do not see")
    return "; ".join(parts)


def approach(source: str) -> str:
    """How code goes about it, in a few words that give none of it away: loops, recursion, what it imports and calls."""
    try:
        tree = parse(source)
    except SyntaxError:
        return "code"  # of another language, or what does not parse is told beside it
    return ", ".join(_traits(tree)) or "straight-line code" if source.strip() else "no code"


def _traits(tree: ast.Module) -> Iterator[str]:
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    if any(_calls(function)[function.name] for function in functions):
        yield "recursion"
    depth = _depth(tree)
    if depth:
        yield "a loop" if depth == 1 else f"{depth} nested loops"
    comprehensions = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    if any(isinstance(node, comprehensions) for node in ast.walk(tree)):
        yield "comprehensions"
    lines = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = sorted({alias.name for line in lines for alias in line.names} - {"annotations", "typing"})
    if imported:
        yield f"with {', '.join(imported[:4])}"
    called = sorted(_TELLING & set(_calls(tree)))
    if called:
        yield f"calling {', '.join(called[:5])}"


def _calls(tree: ast.AST) -> Counter[str]:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return Counter(
        func.id if isinstance(func, ast.Name) else func.attr
        for func in calls
        if isinstance(func, ast.Name | ast.Attribute)
    )


def _depth(node: ast.AST) -> int:
    """How deep loops stand in loops; walked without recursion, as generated code may nest deeply."""
    deepest, waiting = 0, [(node, 0)]
    while waiting:
        current, depth = waiting.pop()
        depth += isinstance(current, _LOOPS)
        deepest = max(deepest, depth)
        waiting += [(child, depth) for child in ast.iter_child_nodes(current)]
    return deepest


MOST_CASES = 5
MOST_CHARACTERS = 6_000
MOST_STEPS = 8
_MOST_FRAMES, _MOST_VALUES, _MOST_DIFFERENCES = 3, 8, 5
_REFUSALS = frozenset({"builtins.PermissionError", "socket.gaierror"})
_REFUSED = (
    "the sandbox refuses this: code runs without network and other processes, and writes in its working folder only"
)


class ClassEvidence(NamedTuple):
    """What was seen of a class beside its verdicts.

    `states` are by case the steps of its setup and its call, each with the state of the objects after it; `suspects`
    are methods with their suspicion from 0 to 1, the most suspicious first.
    """

    states: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType({})
    suspects: Sequence[tuple[str, float]] = ()


NO_EVIDENCE = ClassEvidence()


def feedback(
    attempt: Attempt, suite: Suite, earlier: Sequence[Attempt] = (), class_facts: ClassEvidence = NO_EVIDENCE
) -> str:
    """The report on an attempt for the one who is to mend it; held-out cases are not in it."""
    visible = {case.name: case for case in suite.visible}
    failed = smallest_failures(attempt, suite)
    parts = [f"- {cut(finding)}" for finding in attempt.findings[:MOST_CASES]]
    for verdict in failed[:MOST_CASES]:
        steps = class_facts.states.get(verdict.case, ())
        states = [f"  after `{cut(' '.join(step.split()), 100)}`: {cut(state)}" for step, state in steps if state]
        if len(states) > MOST_STEPS:
            half = MOST_STEPS // 2
            left_out = f"  … {len(states) - 2 * half} steps left out …"
            states = [*states[:half], left_out, *states[-half:]]
        parts += [_observed_part(verdict, visible[verdict.case]), *states]
    if len(failed) > MOST_CASES:
        parts.append(f"({len(failed) - MOST_CASES} more of the shown cases fail.)")
    parts += [f"Perhaps: {cut(hint)}" for hint in attempt.advice[:MOST_CASES]]
    parts += [f"Beside the cases one by one: {cut(veto, 1_500)}" for veto in attempt.vetoes]
    shown = sum(verdict.case in visible for verdict in attempt.verdicts)
    if shown:
        pinned = sum(case.is_pinned for case in suite.visible)
        counted = f", {pinned} of the user's and {shown - pinned} of the other tests," if 0 < pinned < shown else ""
        parts.append(f"{shown - len(failed)} of the {shown} shown cases{counted} pass.")
    digests = [f"- {digest(other, suite)}" for other in earlier[-MOST_ATTEMPTS:]]
    lines = ["Tried before, in other ways than this code:", *digests] if digests else []
    if any(attempt.source == other.source for other in earlier):
        lines.append("This code is the same as an earlier attempt's: change it, or object to what you hold wrong.")
    past = "".join(f"\n{line}" for line in lines)
    return cut("\n".join(parts), MOST_CHARACTERS - len(past)) + past


def _observed_part(verdict: Verdict, case: Case) -> str:
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
    is_exit = (
        isinstance(case.expectation, Exits) and verdict.raised is not None and verdict.raised.exit_code is not None
    )
    if verdict.raised is not None and not is_exit:  # the way to an exit that is judged would read like a fault
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
    lines = [f"  {cut(raised.type, 120)}: {cut(raised.message)}"]
    if _REFUSALS & set(raised.types):
        lines.append(f"  ({_REFUSED})")
    for frame in raised.frames[-_MOST_FRAMES:]:
        values = ", ".join(f"{cut(n, 60)}={cut(v, 80)}" for n, v in list(frame.locals.items())[:_MOST_VALUES])
        with_values = f" with {values}" if values else ""
        lines.append(f"  in {cut(frame.function, 80)}, `{cut(frame.text, 120)}`{with_values}")
    return lines


FIRST_ROUNDS, LAST_ROUNDS = 2, 2
MOST_ROWS = 100
_LONGEST_CODE, _LONGEST_VALUE, _LONGEST_VALUES = 120, 100, 300
_CUT = "steps left out"
_HANDED_BACK = {"return": "returns", "yield": "yields"}


def trace_text(steps: Sequence[Step], source: str) -> str:
    """The trace with the code of `source`, in whose lines the steps are counted; others' lines are shown by number.

    Of a loop the first two and the last two rounds are shown, and of the whole the beginning and the end.
    """
    tree = ast.Module(statements_of(source), [])
    loops = (node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While | ast.AsyncFor))
    rows = _folded(
        list(steps),
        {node.lineno: range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in loops},
        lines_of(source),
    )
    if len(rows) > MOST_ROWS:
        rows = [*rows[: MOST_ROWS // 3], "  … (more of the same run) …", *rows[-2 * MOST_ROWS // 3 :]]
    return "\n".join(rows)


def _folded(steps: list[Step], loops: dict[int, range], lines: list[str]) -> list[str]:
    """The rows of these steps; `loops` are the lines of each, by its head's."""
    rows: list[str] = []
    place = 0
    while place < len(steps):
        loop = loops.get(steps[place].line)
        if loop is None:
            rows.append(_row(steps[place], lines))
            place += 1
            continue
        end = _end_of(loop, steps, place)
        inner = {head: held for head, held in loops.items() if head != loop.start}
        for part in _shown(_rounds(loop, steps[place:end])):
            rows += [part] if isinstance(part, str) else _folded(part, inner, lines)
        place = end
    return rows


def _end_of(loop: range, steps: list[Step], start: int) -> int:
    """Where the loop that begins at `start` is left: by a step of the same function outside it."""
    function = steps[start].function
    for place in range(start + 1, len(steps)):
        step = steps[place]
        if step.function == function and step.line not in loop:
            return place
    return len(steps)


def _rounds(loop: range, steps: list[Step]) -> list[list[Step]]:
    """The steps of each round, from one time at the head to the next."""
    rounds: list[list[Step]] = []
    for step in steps:
        if step.line == loop.start and step.function == steps[0].function and (not rounds or len(rounds[-1]) > 1):
            rounds.append([])
        rounds[-1].append(step)
    return rounds


def _shown(rounds: list[list[Step]]) -> list[list[Step] | str]:
    """The first and the last rounds; what comes after the last time at the head is no round of its own."""
    last = LAST_ROUNDS + (len(rounds[-1]) == 1)
    missing = rounds[FIRST_ROUNDS:-last]
    if len(missing) <= 1:
        return [*rounds]
    unkept = [step.changed[_CUT] for round_ in missing for step in round_ if _CUT in step.changed]
    more = f" and {cut(unkept[0], 20)} more steps" if unkept else ""
    return [*rounds[:FIRST_ROUNDS], f"  … {len(missing)} rounds{more} left out …", *rounds[-last:]]


def _row(step: Step, lines: list[str]) -> str:
    if step.line == 0 and _CUT in step.changed:
        return f"  … {cut(step.changed[_CUT], 20)} steps left out …"
    values = []
    for name, value in step.changed.items():
        text = cut(value, _LONGEST_VALUE)
        values.append(f"{_HANDED_BACK[name]} {text}" if name in _HANDED_BACK else f"{cut(name, 60)}={text}")
    code = _code(step.line, lines) or f"(in {cut(step.function, 60)})"
    return f"{step.line} | {code} | {cut(', '.join(values), _LONGEST_VALUES)}".rstrip(" |")


def _code(line: int, lines: list[str]) -> str:
    """The code of a line; a function's first step stands on its decorator, and is shown as its `def`."""
    if not 0 < line <= len(lines):
        return ""
    if lines[line - 1].lstrip().startswith("@"):
        following = (text for text in lines[line:] if text.lstrip().startswith(("def ", "async def ")))
        return cut(next(following, lines[line - 1]), _LONGEST_CODE)
    return cut(lines[line - 1], _LONGEST_CODE)
