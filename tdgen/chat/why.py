"""Why something is as it is, out of the record: who wrote a case, by which words, who doubted it, what code failed it.

No model is asked. What the question is about is found by a case's call as it stands in the question, by its name or the
words of that, by the value that is expected, or by the name of a function or class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tdgen.errors import InputError
from tdgen.prompts.cases import case_text, outcome_text
from tdgen.settings.base import nearest
from tdgen.solution import Solution
from tdgen.solution_html.layout import ORIGINS, RUNGS
from tdgen.terminal.output import Line, count, one_line
from tdgen.types import Case, FunctionResult

MOST: Final = 8
"""So many cases are listed where a question fits several."""
LONGEST: Final = 400
_WORD: Final = re.compile(r"[^\W\d]\w*")
_EXPECTS: Final = re.compile(r"\b(?:expects?|gives?|returns?|raises?)\s+(.+?)[\s?.!]*$")


def why_lines(solution: Solution, question: str) -> Iterator[Line]:
    """The record's answer to a question; InputError, with the names that there are, where it is about nothing."""
    words = _WORD.findall(question)
    if cases := _meant(solution, question):
        if len(cases) == 1:
            yield from _case_lines(solution, *cases[0])
            return
        yield Line(f"{count(len(cases), 'case')} may be meant; ask by a name or a call:", "strong")
        for result, case in cases[:MOST]:
            choice = f"{case.name} of {result.function}: `{case.done.text}` {outcome_text(case)}"
            yield Line(f"  {one_line(choice, LONGEST)}")
        if len(cases) > MOST:
            yield Line(f"  and {len(cases) - MOST} more")
    elif revisions := [one for one in solution.revisions if one.case in words]:
        yield from (_said("ruling", f"{one.case} of {one.function} was {one.sentence}") for one in revisions)
    elif names := [name for name in solution if {name, *_methods_of(solution, name)}.intersection(words)]:
        for name in names:
            if name in _called(solution, question):
                yield Line(f"no case has this call of {name}; an example of it that you give is pinned", "strong")
            yield from _unit_lines(solution, solution[name])
    else:
        raise _unknown(solution, words)


def _meant(solution: Solution, question: str) -> list[tuple[FunctionResult, Case]]:
    """The cases that a question is about: by the longest call, else by name, else by value; those of a named unit."""
    words, plain = set(_WORD.findall(question)), _plain(question)
    pairs = [(result, case) for result in solution.results for case in result.suite.cases]
    by_call = [(result, case) for result, case in pairs if _plain(case.done.text) in plain]
    longest = max((len(_plain(case.done.text)) for _, case in by_call), default=0)
    meant = [pair for pair in by_call if len(_plain(pair[1].done.text)) == longest]
    meant = meant or [(result, case) for result, case in pairs if case.name in words]
    meant = meant or [(result, case) for result, case in pairs if _is_told(case.name, question)]
    if not meant and not _called(solution, question) and (asked := _EXPECTS.search(question)):
        value = re.compile(rf"(?<!\w){re.escape(_plain(asked[1]))}(?!\w)")
        meant = [(result, case) for result, case in pairs if value.search(_plain(_value(case)))]
    return [pair for pair in meant if pair[0].function in words] or meant


def _is_told(name: str, question: str) -> bool:
    """Whether a question has all words of a case's name, two at the least: `no_days` of "why … for no days?"."""
    parts = set(name.lower().split("_"))
    return len(parts) > 1 and parts <= set(re.findall(r"\w+", question.lower()))


def _methods_of(solution: Solution, name: str) -> set[str]:
    interface = solution.plan.spec(name).interface
    return {method.name for method in interface.methods} if interface else set()


def _called(solution: Solution, question: str) -> list[str]:
    """The functions and classes of which a call stands in the question."""
    return [name for name in solution if re.search(rf"\b{re.escape(name)}\s*\(", question)]


def _value(case: Case) -> str:
    """What a case expects, in short: a value's source or check, an exception's class, an exit code."""
    expected = case.expectation
    return next((str(text) for name in ("source", "type", "code") if (text := getattr(expected, name, None))), "")


def _plain(source: str) -> str:
    """Source however it is spaced and quoted."""
    return re.sub(r"\s+", "", source).replace('"', "'")


def _case_lines(solution: Solution, result: FunctionResult, case: Case) -> Iterator[Line]:
    first, *more = case_text(case).splitlines()
    yield Line(one_line(f"{result.function}, {first.removeprefix('- ')}"), "strong")
    yield from (Line(f"  {one_line(line)}") for line in more)
    pinned = "; pinned: never revised or dropped" if case.is_pinned else ""
    held_out = "; held out of every prompt" if case.name in result.suite.held_out else ""
    yield _said("tester", f"comes from {ORIGINS[case.provenance]}{pinned}{held_out}")
    if case.why:
        yield _said("because", case.why if not case.is_pinned else f"you wrote: “{case.why}”")
    quoted = case.passages or (() if case.is_pinned else solution.plan.spec(result.function).passages)
    word = "words" if case.passages else "bound by"
    yield from _quoted(word, quoted)
    yield from (_said("in doubt", doubt) for doubt in case.doubts)
    if case.confirmed:
        yield _said("borne out", f"by {', '.join(case.confirmed)}")
    for revision in solution.revisions:
        by_name = revision.case == case.name
        if revision.function == result.function and (by_name or _plain(revision.call) == _plain(case.done.text)):
            yield _said("ruling", revision.sentence)
    yield from _failed(result, case.name)


def _quoted(word: str, passages: Sequence[str]) -> Iterator[Line]:
    """The user's own words, an item of a list without its mark."""
    return (_said(word, f"“{passage.removeprefix('- ')}”") for passage in passages)


def _failed(result: FunctionResult, name: str) -> Iterator[Line]:
    """The attempts that the case found wrong, and what the developer said against it."""
    for attempt in result.history:
        for verdict in attempt.verdicts:
            if verdict.case == name and not verdict.passed:
                difference = (
                    verdict.differences[0].sentence if verdict.differences else verdict.detail or verdict.status
                )
                yield _said("developer", f"attempt {attempt.number}, {RUNGS[attempt.rung]}, failed it: {difference}")
        for one in attempt.objections:
            if one.case == name:
                yield _said("developer", f"attempt {attempt.number} objects: “{one.quote}” {one.reason}")


def _unit_lines(solution: Solution, result: FunctionResult) -> Iterator[Line]:
    spec = solution.plan.spec(result.function)
    reason = f": {result.reason}" if result.reason else ""
    yield Line(one_line(f"{result.function}: {result.outcome}{reason}"), "strong")
    yield _said("planner", f"{spec.signature}: {spec.purpose}")
    yield from _quoted("words", spec.passages)
    yield from (_said("ruling", correction.sentence) for correction in result.corrections)
    for question in solution.questions:
        if question.function == result.function:
            word = "you answered" if question.answered else "assumed"
            yield _said("planner", f"{question.question} {word}: {question.assumption}")
    for revision in solution.revisions:
        if revision.function == result.function:
            yield _said("ruling", f"{revision.case} was {revision.sentence}")
    for attempt in result.history:
        passed = f"{attempt.passed} of {count(len(attempt.verdicts), 'case')} pass"
        yield _said("developer", f"attempt {attempt.number}, {RUNGS[attempt.rung]}: {passed}")
        yield from (_said("against it", finding) for finding in (*attempt.findings, *attempt.vetoes))
    names = ", ".join(case.name for case in result.suite.cases)
    yield _said("tester", f"{count(len(result.suite.cases), 'case')}: {names}")


def _said(who: str, text: str) -> Line:
    return Line(f"  {who:<10} {one_line(text)}")


def _unknown(solution: Solution, words: Sequence[str]) -> InputError:
    known = [*solution, *(case.name for result in solution.results for case in result.suite.cases)]
    meant = next(filter(None, (nearest(word, known) for word in sorted(words, key=len, reverse=True))), "")
    names = list(solution)
    all_of_it = f"; `why {names[0]}?` tells all of it" if names else ""
    return InputError(
        f"the record has no case, call or function of that name{meant}: it has {', '.join(names)}{all_of_it}"
    )
