"""The story of a solution as one HTML document: what was asked, planned, tested, tried and found, and what it cost.

It needs nothing beside itself: no script, no font, no picture from elsewhere, and its own policy forbids all of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Final

from tdgen.solution_html.code import block, graph
from tdgen.solution_html.functions import asked, badge, function
from tdgen.solution_html.layout import Markup, join, tag, text
from tdgen.terminal.output import count
from tdgen.types.plan import Question
from tdgen.types.record import SolutionRecord, Spent

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_FRAME_STYLE: Final = "width:100%;height:640px;border:1px solid #8884;border-radius:8px"


def look() -> str:
    """The style sheet that the story and the service's page share."""
    return resources.files("tdgen.solution_html").joinpath("look.css").read_text(encoding="utf-8")


def document(title: str, body: Markup, style: str = "") -> str:
    """A page that needs nothing beside itself, by its own policy; `style` stands below what all pages share."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        Markup(f"<style>{look()}{style}</style>"),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def html_page(solution: SolutionRecord) -> str:
    """The whole document."""
    follow = tag("code", f'tdgen solve --follow {solution.key.removeprefix("sha256:")[:12]} "what should change"')
    body = join(
        [
            tag("header", *_heading(solution)),
            tag(
                "main",
                _asked(solution),
                _planned(solution),
                *(function(solution, r) for r in solution.results),
                _cost(solution),
            ),
            tag(
                "footer",
                tag("p", "Go on from it: ", follow) if solution.all_tests_passed else None,
                tag("p", f"Made by tdgen at trust level {solution.trust}. Key {solution.key}"),
            ),
        ]
    )
    return document(f"{solution.plan.module}: its story", tag("body", body, class_="story"))


def html_frame(solution: SolutionRecord) -> str:
    """The story in a frame of its own, for a notebook: its style touches nothing around it, and no script runs."""
    return tag(
        "iframe",
        srcdoc=html_page(solution),
        sandbox="",
        style=_FRAME_STYLE,
        title=f"The story of {solution.plan.module}",
    )


def _heading(solution: SolutionRecord) -> list[Markup | None]:
    green = sum(result.outcome == "green" for result in solution.results)
    whole = len(solution.results)
    done = solution.all_tests_passed
    outcome = f"all green: {solution.plan.counted}" if done else f"not all green: {green} of {whole}"
    facts = [solution.model, f"trust {solution.trust}", count(solution.usage.calls, "model call")]
    return [
        tag("p", "tdgen", class_="brand"),
        tag("h1", solution.plan.module),
        tag(
            "p", badge("green" if done else "red", outcome), tag("span", " · ".join(filter(None, facts)), class_="made")
        ),
        tag("p", f"Stopped: {solution.stopped}", class_="reason") if solution.stopped else None,
        tag("p", solution.plan.summary, class_="lead"),
    ]


def _asked(solution: SolutionRecord) -> Markup:
    follows = f"It follows up the solution {solution.follows.removeprefix('sha256:')[:12]}."
    return tag(
        "section",
        tag("h2", "What was asked"),
        asked(solution),
        tag("p", follows, class_="faint") if solution.follows else None,
        _assumed(solution.questions or solution.plan.questions),
    )


def _assumed(questions: Sequence[Question]) -> Markup | None:
    """What was unclear, with what was taken for it."""
    if not questions:
        return None
    items = [
        tag("li", q.question, " ", tag("strong", "You said: " if q.answered else "Assumed: "), q.assumption)
        for q in questions
    ]
    return tag("div", tag("h3", "What was unclear"), tag("ul", *items), class_="assumed")


def _planned(solution: SolutionRecord) -> Markup:
    outcomes = {result.function: result.outcome for result in solution.results}
    notes = tag("ul", *(tag("li", note) for note in solution.notes), class_="notes") if solution.notes else None
    name = solution.plan.module_file
    module = tag("details", tag("summary", f"{name}: the whole module"), block(solution.module_source, name))
    return tag("section", tag("h2", "The plan"), graph(solution.plan, outcomes), notes, module)


def _cost(solution: SolutionRecord) -> Markup:
    head = tag("tr", *(tag("th", title, scope="col") for title in ("for", "function", "calls", "tokens", "money")))
    rows = [_spent(part) for part in solution.spent]
    total = Spent(purpose="all of it", usage=solution.usage)
    table = tag("table", tag("thead", head), tag("tbody", *rows, _spent(total)), class_="cost")
    sentence = f"{solution.seconds:.1f} seconds, asked of {solution.model}. {solution.sandbox}"
    return tag(
        "section",
        tag("h2", "What it cost"),
        tag("div", table, class_="wide", tabindex="0", role="region", aria_label="Cost"),
        tag("p", sentence, class_="faint"),
    )


def _spent(spent: Spent) -> Markup:
    usage = spent.usage
    cells = (f"{usage.calls:,}", f"{usage.tokens:,}", text("" if usage.cost is None else f"${usage.cost:.4f}"))
    return tag(
        "tr",
        tag("td", spent.purpose),
        tag("td", tag("code", spent.function) if spent.function else ""),
        *(tag("td", cell, class_="number") for cell in cells),
    )
