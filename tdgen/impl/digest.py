"""Text made short enough for a prompt, its beginning and end kept, all of it visible, and the same from run to run.

Earlier attempts in a line each: how they went about it, how far they came, what they fell on. Never their code.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tdgen.source.syntax import parse
from tdgen.text.visible import visible
from tdgen.types import Attempt, Rung, Suite, Verdict

LONGEST_TEXT = 400
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def cut(text: str, most: int = LONGEST_TEXT) -> str:
    """`text` in about `most` characters: no addresses, and as escapes control characters and what can't be seen."""
    kept = text if len(text) <= 4 * most else text[: 2 * most] + text[-2 * most :]  # whatever its size, little is read
    plain = _plain(kept)
    return plain if len(plain) <= most else f"{plain[: most // 2]} … {plain[-most // 2 :]}"


def _plain(text: str) -> str:
    escaped = _CONTROL.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), text)
    return visible(_ADDRESS.sub("", escaped))


MOST_ATTEMPTS = 6
MOST_FAILURES = 3
_LOOPS = ast.For | ast.While | ast.AsyncFor
_Function = ast.FunctionDef | ast.AsyncFunctionDef
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
        parts.append(f"`{what}` gave {_difference(verdict)}")
    if attempt.vetoes and not failed:
        parts.append(cut(attempt.vetoes[0].splitlines()[0], 150))
    return "; ".join(parts)


def _difference(verdict: Verdict) -> str:
    if not verdict.differences:
        return cut(verdict.actual or verdict.detail or verdict.status, 120)
    first = verdict.differences[0]
    place = f"at {cut(first.where, 40)} " if first.where else ""
    return f"{place}{cut(first.actual, 100)}, expected {cut(first.expected, 100)}"


def approach(source: str) -> str:
    """How code goes about it, in a few words that give none of it away: loops, recursion, what it imports and calls."""
    try:
        tree = parse(source)
    except SyntaxError:
        return "code that does not parse"
    return ", ".join(_traits(tree)) or "straight-line code" if source.strip() else "no code"


def _traits(tree: ast.Module) -> Iterator[str]:
    functions = [node for node in ast.walk(tree) if isinstance(node, _Function)]
    if any(_calls(function)[function.name] for function in functions):
        yield "recursion"
    depth = _depth(tree)
    if depth:
        yield "a loop" if depth == 1 else f"{depth} nested loops"
    comprehensions = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    if any(isinstance(node, comprehensions) for node in ast.walk(tree)):
        yield "comprehensions"
    imported = sorted({name for node in tree.body for name in _imported(node)} - {"annotations", "typing"})
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


def _imported(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []


def _depth(node: ast.AST) -> int:
    """How deep loops stand in loops; walked without recursion, as generated code may nest deeply."""
    deepest, waiting = 0, [(node, 0)]
    while waiting:
        current, depth = waiting.pop()
        depth += isinstance(current, _LOOPS)
        deepest = max(deepest, depth)
        waiting += [(child, depth) for child in ast.iter_child_nodes(current)]
    return deepest
