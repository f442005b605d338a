"""What an evaluation leaves to be read: a page with figures, plots and a row for each problem, and a file.

Plots as inline SVG: small, without scripts; the style sheet has their colours, in light and in dark.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.batch.lines import folder_name
from tdgen.errors import InputError
from tdgen.evaluation.judging import Problem
from tdgen.evaluation.records import Record
from tdgen.evaluation.running import Evaluation
from tdgen.evaluation.scores import as_json, lines, scores
from tdgen.files.saving import Place
from tdgen.outputs.places import recorded_solution
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.solution_html import document
from tdgen.solution_html.code import block, folded
from tdgen.solution_html.functions import badge, function
from tdgen.solution_html.layout import STATE_MARKS, Markup, join, tag
from tdgen.terminal.output import count

MOST_BARS: Final = 16
MOST_FIGURES: Final = 5
"""So many of the figures stand large at the head."""
LONGEST: Final = 20_000


class Told(NamedTuple):
    """What stands at the page's head: the data set, the model, the trust level, what else is worth knowing."""

    dataset: str
    model: str
    trust: str
    notes: Sequence[str] = ()


def page(
    about: Told,
    problems: Sequence[Problem],
    runs: Sequence[Sequence[Record]],
    solutions: Mapping[str, Solution],
) -> str:
    """The page as HTML; `solutions` are the first run's, by the problem's id."""
    title = f"tdgen on {about.dataset}: {about.model}, trust {about.trust}"
    style = resources.files("tdgen.evaluation").joinpath("page.css").read_text(encoding="utf-8")
    plots = tag("div", *_plots([record for run in runs for record in run]), class_="plots")
    body = tag(
        "body",
        tag(
            "header",
            tag("p", "tdgen", class_="brand"),
            tag("h1", about.dataset),
            tag("p", f"{about.model} · trust {about.trust}", class_="made"),
            *(tag("p", note, class_="lead") for note in about.notes),
        ),
        tag(
            "main",
            _figures(runs),
            tag("section", tag("h2", "Effort"), plots),
            tag("section", tag("h2", "Problems"), *_stories(problems, runs, solutions)),
        ),
        class_="story report",
    )
    return document(title, body, style)


def _figures(runs: Sequence[Sequence[Record]]) -> Markup:
    scored = scores(runs)
    figures = lines(scored)
    first = [tag("div", tag("dt", name), tag("dd", value)) for name, value in figures[:MOST_FIGURES]]
    rows = [tag("tr", tag("td", name), tag("td", value, class_="number")) for name, value in figures[MOST_FIGURES:]]
    note = "Shares come with their 95% interval (Wilson)."
    if scored.forgeable:
        note += (
            f" The hidden tests of {scored.forgeable:,} problems loop, define functions or are pytest files: they ran "
            "in one process with the code, where a forged answer could pass."
        )
    table = tag("table", tag("tbody", *rows))
    return tag("section", tag("dl", *first, class_="headline"), table, tag("p", note, class_="faint"))


def _plots(records: Sequence[Record]) -> Iterator[Markup]:
    solved = {"tdgen": [(r.usage.tokens, r.accepted and r.last.right) for r in records]}
    beside = [record.beside for record in records if record.beside]
    if beside:
        solved["asked once"] = [(b.once.usage.tokens, b.once.judged.right) for b in beside]
        solved["asked often, the best"] = [(b.often.usage.tokens, b.often.judged.right) for b in beside]
    curves = []
    for name, asked in solved.items():  # after how many tokens which share of all is right
        right = sorted(tokens for tokens, is_right in asked if is_right)
        curves.append(Curve(name, [(float(tokens), place / len(asked)) for place, tokens in enumerate(right, start=1)]))
    yield steps("Solved and right, by the tokens that a problem may take", "tokens a problem", curves)
    counted = Counter(record.usage.calls for record in records)
    most = max(counted, default=0)
    named = [(str(n), counted[n]) for n in range(min(most, MOST_BARS - 1) + 1)]
    if most >= MOST_BARS:
        named.append((f"{MOST_BARS}+", sum(number for n, number in counted.items() if n >= MOST_BARS)))
    yield bars("Model calls a problem", "calls", named)
    yield divided("Where the time goes", _time(records))


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
) -> Iterator[Markup]:
    records: dict[str, list[Record]] = {}
    for run in runs:
        for record in run:
            records.setdefault(record.id, []).append(record)
    for place, problem in enumerate(problems):
        for number, record in enumerate(records.get(problem.id, []), start=1):
            name = f"{problem.id}, run {number}" if len(runs) > 1 else problem.id
            solution = solutions.get(problem.id) if number == 1 else None
            history: list[Markup] = []
            if solution:
                history += (function(solution, result, f"problem-{place}-") for result in solution.results)
                module = solution.plan.module_file
                whole = block(solution.module_source, module)
                history.append(tag("details", tag("summary", f"{module}: the whole module"), whole))
            yield _story(name, problem, record, *history)


def _story(name: str, problem: Problem, record: Record, *history: Markup) -> Markup:
    """A problem's row, which opens to what was asked, what the hidden tests say, and the story of its functions."""
    passed = f"{record.last.tests - record.last.failed} of {record.last.tests} hidden tests pass"
    text = f"{passed} · {count(record.usage.calls, 'model call')} · {record.seconds:.1f} s"
    state = record.outcome if record.outcome in STATE_MARKS else "cancelled"
    kind = "green" if record.is_false_green else "red"
    is_false = record.is_false_green or record.is_false_red
    wrong = tag("span", f"false {kind}", class_="badge false") if is_false else None
    faults, beside = None, list[Markup]()
    if record.last.faults:
        items = [tag("li", folded(fault[:LONGEST])) for fault in record.last.faults]
        faults = tag("div", tag("h4", "Hidden tests that fail"), tag("ul", *items))
    if record.beside is not None:
        for how, asked in (("asked once", record.beside.once), ("asked often", record.beside.often)):
            verdict = "right" if asked.judged.right else "wrong"
            beside.append(tag("p", f"{how}: {verdict}, {asked.samples} samples, {asked.usage.tokens:,} tokens"))
    return tag(
        "details",
        tag("summary", badge(state, record.outcome), wrong, tag("strong", name), tag("small", text)),
        tag("blockquote", problem.instruction[:LONGEST]),
        tag("p", record.reason, class_="reason") if record.reason else None,
        faults,
        *beside,
        *history,
        class_="problem",
    )


REPORTS: Final = ("report.html", "figures.json")


def write_report(evaluation: Evaluation, settings: Settings, logs: Path, dataset: str) -> Path:
    """Write `report.html` and `figures.json` into the logs, and give the page's path."""
    solutions = {}
    for name in (problem.id for problem in evaluation.problems):
        with suppress(InputError):  # of the first run, where it can be read
            solutions[name] = recorded_solution(logs / "run-1" / "solutions" / folder_name(name))
    sandbox = next((solution.sandbox for solution in solutions.values()), "")
    about = Told(dataset, settings.model, settings.trust, [sandbox] if sandbox else [])
    texts = (
        page(about, evaluation.problems, evaluation.runs, solutions),
        json.dumps(as_json(scores(evaluation.runs)), indent=1) + "\n",
    )
    Place(logs, force=True).write(dict(zip(REPORTS, texts, strict=True)))
    return logs / REPORTS[0]


WIDTH: Final = 420
HEIGHT: Final = 220
LEFT: Final = 48
BOTTOM: Final = 36
TOP: Final = 16
SERIES: Final = 7
"""So many series look different: the style sheet has their colours and dashes."""


class Curve(NamedTuple):
    """A named line through points; x grows."""

    name: str
    points: Sequence[tuple[float, float]]


def steps(title: str, x_name: str, curves: Sequence[Curve]) -> Markup:
    """Shares (0 to 1) that grow in steps over x, a curve for each name."""
    most = max((x for curve in curves for x, _ in curve.points), default=1.0) or 1.0
    parts = [*_axes(x_name, most)]
    for place, curve in enumerate(curves):
        moves = [f"M{_x(0, most):.1f} {_y(0):.1f}"]
        for x, y in curve.points:
            moves += [f"H{_x(x, most):.1f}", f"V{_y(y):.1f}"]
        path = "".join([*moves, f"H{_x(most, most):.1f}"])
        parts.append(tag("path", d=path, class_=f"curve {_series(place)}"))
        parts.append(_legend(place, curve.name))
    return _svg(title, parts)


def bars(title: str, x_name: str, counts: Sequence[tuple[str, int]]) -> Markup:
    """How many of each: a bar with its number above it."""
    most = max((number for _, number in counts), default=1) or 1
    room = (WIDTH - LEFT - 8) / max(1, len(counts))
    parts = []
    for place, (name, number) in enumerate(counts):
        height = (HEIGHT - TOP - BOTTOM) * number / most
        x, y = LEFT + place * room, HEIGHT - BOTTOM - height
        parts.append(_rect(x + 2, y, max(1.0, room - 4), height, _series(0)))
        parts.append(_text(x + room / 2, HEIGHT - BOTTOM + 14, name))
        parts.append(_text(x + room / 2, y - 4, f"{number:,}"))
    parts.append(_text((LEFT + WIDTH) / 2, HEIGHT - 4, x_name))
    return _svg(title, parts)


def divided(title: str, parts: Sequence[tuple[str, float]]) -> Markup:
    """One bar divided among its parts, each told with its share; x is seconds."""
    whole = sum(size for _, size in parts) or 1.0
    drawn, x = [], 0.0
    for place, (name, size) in enumerate(parts):
        width = WIDTH * size / whole
        drawn.append(_rect(x, 8, width, 36, _series(place)))
        drawn.append(_legend(place, f"{name}: {size:,.1f} s, {100 * size / whole:.0f}%", y=68, x=0))
        x += width
    return _svg(title, drawn, height=68 + 18 * len(parts))


def _axes(x_name: str, most: float) -> list[Markup]:
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = f"{_y(share):.1f}"
        parts.append(tag("line", x1=LEFT, y1=y, x2=WIDTH - 8, y2=y))
        parts.append(_text(LEFT - 6, _y(share) + 4, f"{100 * share:.0f}%", "end"))
    below = HEIGHT - BOTTOM + 14
    places = ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    ticks = [_text(_x(most * share, most), below, f"{most * share:,.0f}", anchor) for share, anchor in places]
    return [*parts, *ticks, _text((LEFT + WIDTH) / 2, HEIGHT - 4, x_name)]


def _legend(place: int, name: str, y: float = TOP + 8, x: float = LEFT + 12) -> Markup:
    top = y + 18 * place
    return join([_rect(x, top - 9, 10, 10, _series(place)), _text(x + 16, top, name, "start")])


def _series(place: int) -> str:
    return f"series-{place % SERIES}"


def _rect(x: float, y: float, width: float, height: float, series: str) -> Markup:
    return tag("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{width:.1f}", height=f"{height:.1f}", class_=series)


def _x(value: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - 8) * value / most


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _text(x: float, y: float, text: str, anchor: str = "middle") -> Markup:
    return tag("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _svg(title: str, parts: Sequence[Markup], height: int = HEIGHT) -> Markup:
    drawing = tag("svg", *parts, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=title)
    return tag("figure", tag("figcaption", title), drawing, class_="plot")
