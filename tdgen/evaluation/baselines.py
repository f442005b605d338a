"""What tdgen is measured against: the same model asked without it, once and for as many tokens, and first attempts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from tdgen.errors import ReplyError
from tdgen.evaluation.judging import Judge, Judged
from tdgen.evaluation.problems import Problem
from tdgen.impl import assemble, trusted_piece
from tdgen.protocols import Answer, Message, Model, Request
from tdgen.replies import find_code
from tdgen.solution import Solution
from tdgen.specs.declarations import declare_types
from tdgen.types import Frozen, FunctionResult, Usage

MOST_SAMPLES: Final = 20
ASK: Final = "Answer with the code of the whole function, in one fenced Python block."
ASK_MODULE: Final = "Answer with the code of the whole module, in one fenced Python block. It defines {}."


class Asked(Frozen):
    """What asking alone came to: the samples taken, the best one's hidden tests, and what all of it cost."""

    samples: int
    judged: Judged
    usage: Usage


class Baselines(Frozen):
    """The model asked once, and several times at tdgen's tokens; both begin with the same answer."""

    once: Asked
    often: Asked


def ask_alone(problem: Problem, model: Model, judge: Judge, tokens: int) -> Baselines:
    """Ask until about so many tokens are spent, once at the least; ModelError where nobody answers.

    Of an instruction that contradicts itself an answer is right which names both places, whatever code it has.
    """
    spent, best = Usage(), None
    once = None
    samples = 0
    for answer in _answers(problem, model):
        samples += 1
        judged = judge.judge(answer.text if problem.refusal else _code(answer))
        spent += answer.usage
        best = judged if best is None or judged.failed < best.failed else best
        once = once or Asked(samples=1, judged=judged, usage=answer.usage)
        # Another sample costs about what one did on average: it is taken where that still fits.
        if problem.asks_for_module or samples >= MOST_SAMPLES or spent.tokens + spent.tokens / samples > tokens:
            break
    assert once is not None
    assert best is not None
    return Baselines(once=once, often=Asked(samples=samples, judged=best, usage=spent))


def _answers(problem: Problem, model: Model) -> Iterator[Answer]:
    ask = ASK_MODULE.format(", ".join(problem.functions)) if problem.asks_for_module else ASK
    message = Message(role="user", content=f"{problem.instruction}\n{ask}")
    for sample in range(MOST_SAMPLES):
        yield model.ask(Request(purpose="implement", subject=problem.function, sample=sample, messages=(message,)))


def _code(answer: Answer) -> str:
    with suppress(ReplyError):
        return find_code(answer.text)
    return ""


def first_module(solution: Solution) -> str:
    """The module of first attempts; the module itself where they are the best, nothing where one is no code."""
    if all(_first(result) == (result.best.source if result.best else "") for result in solution.results):
        return solution.module_source
    try:
        pieces = [trusted_piece(_first(result)) for result in solution.results if _first(result).strip()]
    except (ReplyError, SyntaxError, ValueError):
        return ""
    return assemble(declare_types(solution.plan), pieces)


def _first(result: FunctionResult) -> str:
    if result.history:
        return result.history[0].source
    return result.best.source if result.best else ""
