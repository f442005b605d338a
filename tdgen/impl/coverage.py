"""Which lines and branches of functions there are to reach, read from their source, and what share of them was reached.

What counts is kept simple, and is told by lines alone:

- A *line* is the first line of a statement inside a function: it was reached where any line of that statement (of a
  compound statement: of its head) ran. Docstrings, `global`, `nonlocal` and bare annotations don't run and don't count.
- A *branch* is one way out of an `if`, `while`, `for`, `except` or `case`: into its body, and past it. It is written as
  an arc `(head, target)`; the target is the first line of the body or of the `else`, or `PAST` where there is no
  `else`. Nothing leads past an endless loop (`while True`) or a `case` that takes everything; past an `except` leads
  only another exception, which doesn't count as a branch.
- Not counted: conditional expressions, `and` and `or`, comprehensions, `with`, `assert`, and a body that stands on the
  line of its head, which lines can't tell apart.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from tdgen.source.syntax import Function, first_line, is_constant, is_literal, parse
from tdgen.types import Observation

PAST = 0
"""The target of a branch that enters neither the body nor an `else`."""

Arc = tuple[int, int]
_Fork = ast.If | ast.While | ast.For | ast.AsyncFor | ast.ExceptHandler | ast.match_case


class Shares(NamedTuple):
    """The shares from 0 to 1 of lines and branches reached; None where nothing was watched. 1 where there are none."""

    lines: float | None
    branches: float | None


def reachable(source: str) -> tuple[frozenset[int], frozenset[Arc]]:
    """The lines and branches of a module's functions, by line numbers from 1. SyntaxError where it does not parse."""
    statements = list(_statements(parse(source)))
    lines = frozenset(first_line(node) for node in statements if _runs(node))
    return lines, frozenset(arc for fork in _forks(statements) for arc in _ways(fork))


def covered(source: str, part: tuple[int, int], observations: Iterable[Observation]) -> Shares:
    """What the watched runs of a module reached of its lines from the first to the last of `part`.

    They may say anything of other lines, or of lines that there are not: only what there is to reach counts.
    """
    watched = [run for run in observations if run.lines or run.arcs]
    if not watched:
        return Shares(None, None)
    lines, arcs = reachable(source)
    inside = range(part[0], part[1] + 1)
    ran, followed = _reached(list(_statements(parse(source))), watched)
    own_lines = {line for line in lines if line in inside}
    own_arcs = {arc for arc in arcs if arc[0] in inside}
    lines_share = len(own_lines & ran) / len(own_lines) if own_lines else 1.0
    return Shares(lines_share, len(own_arcs & followed) / len(own_arcs) if own_arcs else 1.0)


def lines_there(source: str, part: tuple[int, int]) -> frozenset[int]:
    """The lines from the first to the last of `part` on which something is computed, where it can be wrong.

    All that there are to reach but those that only raise, leave or go on with a loop, or return what is spelled out
    (`return []`).
    """
    computing = set()
    for node in _statements(parse(source)):
        is_spelled_out = isinstance(node, ast.Raise | ast.Pass | ast.Break | ast.Continue)
        if isinstance(node, ast.Return):
            is_spelled_out = node.value is None or is_literal(node.value)
        if _runs(node) and not is_spelled_out:
            computing.add(first_line(node))
    return frozenset(line for line in computing if part[0] <= line <= part[1])


def lines_reached(source: str, part: tuple[int, int], runs: Iterable[Observation]) -> list[frozenset[int]]:
    """Which of them each of the runs reached."""
    there, statements = lines_there(source, part), list(_statements(parse(source)))
    return [there & _reached(statements, [run])[0] if run.lines else frozenset() for run in runs]


def suspicion(passing: Sequence[Collection[int]], failing: Sequence[Collection[int]]) -> dict[int, float]:
    """How suspicious each line is, from 0 to 1: the Ochiai coefficient; lines that no failing case ran are absent.

    `passing` and `failing` hold, for each case, the numbers of the lines that it ran. Ochiai is failed / sqrt(all
    failing * (failed + passed)), with the numbers of failing and passing cases that ran the line (Abreu, Zoeteweij and
    van Gemund 2007, "On the Accuracy of Spectrum-based Fault Localization").
    """
    passed = Counter(line for lines in passing for line in set(lines))
    failed = Counter(line for lines in failing for line in set(lines))
    return {line: count / sqrt(len(failing) * (count + passed[line])) for line, count in sorted(failed.items())}


def _reached(statements: Sequence[ast.stmt], runs: Iterable[Observation]) -> tuple[set[int], set[Arc]]:
    """The runs' lines as first lines of statements, and the branches that their lines and arcs tell of."""
    first = {line: first_line(node) for node in statements for line in range(first_line(node), _head_end(node) + 1)}
    ran, arcs = set(), set()
    for run in runs:
        ran |= {first.get(line, line) for line in run.lines}
        arcs |= {(first.get(start, start), first.get(end, end)) for start, end in run.arcs}
    followed = set()
    for fork in _forks(statements):
        head = _head(fork)
        for way in _ways(fork):
            body = range(first_line(fork.body[0]), (fork.body[-1].end_lineno or 0) + 1)
            past = any(start == head and end != head and end not in body for start, end in arcs)
            if way[1] in ran or (way[1] == PAST and past):
                followed.add(way)
    return ran, followed


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Every statement inside a function, those of nested functions too, but none of a class's own body."""
    inside: list[tuple[ast.AST, bool]] = [(node, False) for node in tree.body]
    while inside:
        node, runs = inside.pop()
        if runs and isinstance(node, ast.stmt):
            yield node
        runs = (runs or isinstance(node, Function)) and not isinstance(node, ast.ClassDef)
        inside += [(child, runs) for child in ast.iter_child_nodes(node)]


def _runs(node: ast.stmt) -> bool:
    """Whether an interpreter stops at the statement."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        return False
    if isinstance(node, ast.AnnAssign):
        return node.value is not None or not node.simple
    if isinstance(node, ast.Try | ast.TryStar):
        return True
    return not is_constant(node)


def _forks(statements: Iterable[ast.stmt]) -> Iterator[_Fork]:
    for node in statements:
        if isinstance(node, ast.If | ast.While | ast.For | ast.AsyncFor):
            yield node
        elif isinstance(node, ast.Try | ast.TryStar):
            yield from node.handlers
        elif isinstance(node, ast.Match):
            yield from node.cases


def _ways(fork: _Fork) -> Iterator[Arc]:
    """The branches of one fork."""
    head, body = _head(fork), first_line(fork.body[0])
    if body == head or (isinstance(fork, ast.If | ast.While) and isinstance(fork.test, ast.Constant)):
        return
    yield head, body
    if isinstance(fork, ast.ExceptHandler):
        return
    if isinstance(fork, ast.match_case):
        takes_all = fork.guard is None and isinstance(fork.pattern, ast.MatchAs) and fork.pattern.pattern is None
        if not takes_all:
            yield head, PAST
    else:
        yield head, first_line(fork.orelse[0]) if fork.orelse else PAST


def _head(fork: _Fork) -> int:
    return fork.pattern.lineno if isinstance(fork, ast.match_case) else fork.lineno


def _head_end(node: ast.stmt) -> int:
    """The last line of the statement, of a compound one that of its head."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return node.end_lineno or node.lineno
    start = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else first_line(body[0])
    return max(start - 1, node.lineno)
