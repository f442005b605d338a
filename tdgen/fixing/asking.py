"""What the developer is asked: the failing tests, how they fail, the suspects' code, and what was tried before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tdgen.fixing.localizing import Suspect
from tdgen.fixing.problem import Problem
from tdgen.project.context import context_of
from tdgen.project.focus import focus_on
from tdgen.project.module import Module
from tdgen.project.shown_tests import ShownTests
from tdgen.prompts import conversation, render
from tdgen.prompts.context import is_quoted
from tdgen.protocols import Request
from tdgen.replies import without_thinking
from tdgen.source.syntax import lines_of
from tdgen.types import Failure

SUBJECT: Final = "fix"
"""What requests are about: of each run there is one such question, however many functions change."""
TEST_TOKENS: Final = 3_000
SUSPECT_TOKENS: Final = 5_000
CONTEXT_TOKENS: Final = 2_000
"""How many tokens the tests' source, the suspects' code and what the project has beside may take. Not tuned."""
MOST_SHOWN: Final = 5
"""Of how many failing tests, each of which fails in another way, the source is shown. Not tuned."""
MOST_SUSPECTS: Final = 6
"""How many suspects a first prompt shows; each further one as many more. See `benchmarks/bench_fix.py`."""
_LONGEST_MESSAGE: Final = 1_200
_CHARACTERS: Final = 4
_OBJECTION: Final = re.compile(r"^[\s>*_`#-]*OBJECTION\b[\s`*:]*(?P<said>\S.*)$", re.MULTILINE)
_QUOTED: Final = re.compile(r'["“](?P<quote>.+)["”](?P<reason>.*)$')


class Objection(NamedTuple):
    """The developer's word that a test contradicts the docs: the test, the docs' words, and why."""

    test: str
    quote: str
    reason: str


def ask_for_change(problem: Problem, earlier: Sequence[str], number: int, *, sample: int = 0) -> Request:
    """The request for a change; `earlier` tells of the changes before it, `number` counts from 1."""
    shown = told_apart(problem)
    suspects = shown_suspects(problem, number)
    failures = []
    for test in shown:
        failure = problem.failures.get(test)
        failures.append(f"{test}\n{failure_told(problem, failure)}" if failure else f"{test} (it does not say how)")
    if more := len(problem.failing) - len(shown):
        failures.append(f"({more} more tests fail.)")
    messages = conversation(
        "tdgen.fixing",
        "fix",
        tests=ShownTests(problem.project).text(shown, TEST_TOKENS) or "(They can't be read.)",
        failures="\n\n".join(failures),
        suspects="\n\n".join(_code(suspect) for suspect in suspects) or "(None is known.)",
        context="\n\n".join(_contexts(problem, suspects)),
        earlier="".join(f"\n{one}\n" for one in earlier),
    )
    return Request(purpose="repair", subject=SUBJECT, attempt=number, sample=sample, messages=messages)


def earlier_told(number: int, diff: str, observed: Sequence[str]) -> str:
    """An earlier change and what was seen of it, as the next prompt tells it."""
    return render(
        "tdgen.fixing",
        "earlier",
        number=str(number),
        diff=diff.strip() or "(none)",
        seen="\n".join(f"- {s}" for s in observed),
    )


def told_apart(problem: Problem) -> list[str]:
    """Failing tests that stand for all: of those that fail in the same way, the first."""
    first_tests: dict[object, str] = {}
    for test in problem.failing:
        failure = problem.failures.get(test)
        own = [(one.path, one.line) for one in failure.places if not one.path.startswith("/")] if failure else []
        # Where it went on in the project's own modules; None where the test's own assertion failed.
        place = own[-1] if len({path for path, _ in own}) > 1 else None
        kind = (failure.type, place, test.partition("[")[0] if place is None else "") if failure else test
        first_tests.setdefault(kind, test)
    firsts = list(first_tests.values())
    others = [test for test in problem.failing if test not in firsts]
    return [*firsts, *others][:MOST_SHOWN]


def shown_suspects(problem: Problem, number: int) -> list[Suspect]:
    """The suspects that the prompt of attempt `number` shows: more each time, as far as there is room."""
    room, shown = SUSPECT_TOKENS * _CHARACTERS, list[Suspect]()
    for suspect in problem.suspects[: MOST_SUSPECTS * number]:
        size = len(_code(suspect))
        if size <= room or not shown:
            shown.append(suspect)
            room -= size
    return shown


def find_objection(text: str, problem: Problem) -> Objection | None:
    """The objection in an answer, where its quote stands in the docs of what was shown, or of what the project has."""
    for line in _OBJECTION.finditer(without_thinking(text)):
        test = next((name for name in sorted(problem.failing, key=len, reverse=True) if name in line["said"]), "")
        quoted = _QUOTED.search(line["said"])
        docs = (unit.docstring for suspect in problem.suspects for unit in suspect.module.units.values())
        if test and quoted and len(quoted["quote"]) > 3 and any(is_quoted(quoted["quote"], doc) for doc in docs):
            return Objection(test, quoted["quote"].strip(), quoted["reason"].strip(" \t*_.,;:–—-"))
    return None


def failure_told(problem: Problem, failure: Failure) -> str:
    """An exception, and the lines of the project that it went by, the innermost last; of a recursion each once."""
    message = failure.message.strip()
    cut = message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]} […]"
    own = [place for place in failure.places if not place.path.startswith("/")]
    times = Counter(own)
    lines = [
        f"{one.path}:{one.line} in {one.function}: {_line(problem, one.path, one.line)}{f' ({n} times)' * (n > 1)}"
        for one, n in times.items()
    ]
    return "\n  ".join([f"{failure.type}: {cut}" if cut else failure.type, *lines])


def _line(problem: Problem, path: str, line: int) -> str:
    try:
        lines = lines_of((problem.project.root / path).read_text("utf-8", "replace"))
    except OSError:
        return ""
    return f"`{lines[line - 1].strip()[:160]}`" if 0 < line <= len(lines) else ""


def _code(suspect: Suspect) -> str:
    """A suspect's code as it stands, under its module's path; of a method with its class's head."""
    module, unit = suspect.module, suspect.unit
    lines = lines_of(module.text)
    head = f"# {module.path}\n"
    if unit.owner:
        owner = module.units[unit.owner]
        head += f"{owner.signature}\n"
    return head + "\n".join(lines[unit.first - 1 : unit.last])


def _contexts(problem: Problem, suspects: Sequence[Suspect]) -> Iterator[str]:
    """What the project has near the suspects, by their modules: signatures and docs."""
    modules: dict[str, tuple[Module, list[Suspect]]] = {}
    for suspect in suspects:
        modules.setdefault(suspect.module.path, (suspect.module, []))[1].append(suspect)
    for module, held in list(modules.values())[:2]:
        if module.name in problem.index.sources:
            units = [suspect.unit for suspect in held]
            yield context_of(
                problem.index, module, focus_on(module, units), CONTEXT_TOKENS // min(2, len(modules))
            ).prompt
