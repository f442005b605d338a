"""The page of an evaluation: figures, plots, and a row for each problem that opens to its whole story.

One file, without scripts or anything from elsewhere. Whatever comes from a data set or a model is escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Final, NamedTuple

from tdgen.evaluation.plots import Curve, bars, divided, steps
from tdgen.evaluation.problems import Problem
from tdgen.evaluation.records import Record
from tdgen.evaluation.scores import lines, scores
from tdgen.types import Attempt, Solution

MOST_BARS: Final = 16
LONGEST: Final = 20_000


class Told(NamedTuple):
    """What stands at the page's head: the data set, the model, the trust level, what else is worth knowing."""

    dataset: str
    model: str
    trust: str
    notes: Sequence[str] = ()


def page(
    told: Told,
    problems: Sequence[Problem],
    runs: Sequence[Sequence[Record]],
    solutions: Mapping[str, Solution],
) -> str:
    """The page as HTML; `solutions` are the first run's, by the problem's id."""
    title = f"tdgen on {told.dataset}: {told.model}, trust {told.trust}"
    body = "\n".join(
        [
            f"<h1>{escape(title)}</h1>",
            *(f"<p>{escape(note)}</p>" for note in told.notes),
            _figures(runs),
            *_plots([record for run in runs for record in run]),
            "<h2>Problems</h2>",
            *_stories(problems, runs, solutions),
        ]
    )
    style = resources.files("tdgen.evaluation").joinpath("page.css").read_text(encoding="utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _figures(runs: Sequence[Sequence[Record]]) -> str:
    found = scores(runs)
    rows = "\n".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in lines(found))
    note = "Shares come with their 95% interval (Wilson)."
    if found.forgeable:
        note += (
            f" The hidden tests of {found.forgeable:,} problems loop or define functions: they ran in one process with "
            "the code, where a forged answer could pass."
        )
    return f"<table>{rows}</table><p>{escape(note)}</p>"


def _plots(records: Sequence[Record]) -> Iterator[str]:
    curves = [Curve("tdgen", _curve([(r.usage.tokens, r.accepted and r.last.right) for r in records]))]
    beside = [record.beside for record in records if record.beside]
    if beside:
        once = [(b.once.usage.tokens, b.once.judged.right) for b in beside]
        often = [(b.often.usage.tokens, b.often.judged.right) for b in beside]
        curves += [Curve("asked once", _curve(once)), Curve("asked often, the best", _curve(often))]
    yield steps("Solved and right, by the tokens that a problem may take", "tokens a problem", curves)
    counted = Counter(record.usage.calls for record in records)
    most = max(counted, default=0)
    named = [(str(n), counted[n]) for n in range(min(most, MOST_BARS - 1) + 1)]
    if most >= MOST_BARS:
        named.append((f"{MOST_BARS}+", sum(number for n, number in counted.items() if n >= MOST_BARS)))
    yield bars("Model calls a problem", "calls", named)
    yield divided("Where the time goes", _time(records))


def _curve(found: Sequence[tuple[int, bool]]) -> list[tuple[float, float]]:
    """After how many tokens which share of all is right."""
    right = sorted(tokens for tokens, is_right in found if is_right)
    return [(float(tokens), place / len(found)) for place, tokens in enumerate(right, start=1)]


def _time(records: Sequence[Record]) -> list[tuple[str, float]]:
    """Seconds waited for the model by purpose, in proportion where calls overlapped, and what is left: tdgen itself."""
    parts: dict[str, float] = {}
    for record in records:
        waited = sum(record.purposes.values())
        for purpose, seconds in record.purposes.items():
            share = seconds * record.model_seconds / waited if waited else 0.0
            parts[f"model: {purpose}"] = parts.get(f"model: {purpose}", 0.0) + share
    own = sum(record.seconds - record.model_seconds for record in records)
    return [*sorted(parts.items(), key=lambda part: -part[1]), ("tdgen itself", own)]


def _stories(
    problems: Sequence[Problem], runs: Sequence[Sequence[Record]], solutions: Mapping[str, Solution]
) -> Iterator[str]:
    records: dict[str, list[Record]] = {}
    for run in runs:
        for record in run:
            records.setdefault(record.id, []).append(record)
    for problem in problems:
        for number, record in enumerate(records.get(problem.id, []), start=1):
            name = f"{problem.id}, run {number}" if len(runs) > 1 else problem.id
            solution = solutions.get(problem.id) if number == 1 else None
            yield _story(name, problem, record, solution)


def _story(name: str, problem: Problem, record: Record, solution: Solution | None) -> str:
    verdict = "right" if record.last.right else "wrong"
    false = " false" if record.accepted != record.last.right else ""
    passed = f"{record.last.tests - record.last.failed} of {record.last.tests} hidden tests pass"
    head = f"{name}: {record.outcome}, {passed}, {record.usage.calls} calls, {record.seconds:.1f} s"
    parts = [_pre(problem.instruction)]
    if record.reason:
        parts.append(f"<p>{escape(record.reason)}</p>")
    parts += _list("Hidden tests that fail", record.last.faults)
    parts += list(_beside(record))
    if solution is not None:
        parts += list(_history(solution))
    summary = f'<summary class="{verdict}{false}">{escape(head)}</summary>'
    return f"<details>{summary}{''.join(parts)}</details>"


def _beside(record: Record) -> Iterator[str]:
    if record.beside is None:
        return
    for name, asked in (("asked once", record.beside.once), ("asked often", record.beside.often)):
        verdict = "right" if asked.judged.right else "wrong"
        told = f"{name}: {verdict}, {asked.samples} samples, {asked.usage.tokens:,} tokens"
        yield f"<p>{escape(told)}</p>"


def _history(solution: Solution) -> Iterator[str]:
    for result in solution.results:
        yield f"<h3>{escape(result.function)}: {escape(result.outcome)}</h3>"
        for attempt in result.history:
            yield _attempt(attempt)
    for revision in solution.revisions:
        yield f"<p>{escape(f'{revision.function}: {revision.case} {revision.action}: {revision.reason}')}</p>"
    yield "<h3>The module</h3>" + _pre(solution.module_source)
    for name, text in solution.test_files.items():
        yield f"<h3>{escape(name)}</h3>" + _pre(text)


def _attempt(attempt: Attempt) -> str:
    head = f"attempt {attempt.number} ({attempt.rung}): {attempt.passed} of {len(attempt.verdicts)} cases pass"
    failed = [f"{v.case}: {v.actual or v.detail}" for v in attempt.verdicts if not v.passed]
    against = _list("", [*attempt.findings, *attempt.vetoes, *failed])
    return f"<details><summary>{escape(head)}</summary>{''.join(against)}{_pre(attempt.source)}</details>"


def _list(title: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    head = f"<p>{escape(title)}</p>" if title else ""
    return [f"{head}<ul>{''.join(f'<li>{escape(item[:LONGEST])}</li>' for item in items)}</ul>"]


def _pre(text: str) -> str:
    return f"<pre>{escape(text[:LONGEST])}</pre>"
