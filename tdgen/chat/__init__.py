"""A conversation about what is solved: what each turn changed and let be, and why things are as they are.

`turns` compares two solutions, `why` answers from the record, and here is the conversation with planner, tester and
developer: an instruction, what further words change, and questions in between. Only this asks a model, by a solve. What
is green is what further words change. Words that came to no green solution are kept, and go before the next: who says
more need not say all again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from tdgen.chat.turns import turn_lines
from tdgen.chat.why import why_lines
from tdgen.client import Handed
from tdgen.errors import Contradicted, InputError
from tdgen.settings.base import nearest
from tdgen.solution import Solution
from tdgen.solution.package import module_text
from tdgen.terminal.output import Line

HELP: Final = {
    "/why NAME|CALL": "why a case expects what it does, or how a function came to be; `why …?` asks the same",
    "/show [NAME]": "the code of a function or class; without a name, the module",
    "/undo": "go back to what was before the last change, or forget words that came to nothing green",
    "/save FOLDER": "write the module and its tests",
    "/quit": "end; so does the end of the input",
}
_QUESTION: Final = re.compile(r"why\b.*", re.IGNORECASE | re.DOTALL)


class Conversation:
    """What was said and what came of it."""

    def __init__(self, solve: Callable[[str, Handed], Solution], solution: Solution | None = None) -> None:
        """Begin anew, or with a solution that is there; `solve` is a generator's."""
        self._solve = solve
        self._green = [solution] if solution else []
        self._base = len(self._green)
        self._red: Solution | None = None
        self._words = ""
        self.has_ended = False

    @property
    def solution(self) -> Solution | None:
        """What came last: what questions are about."""
        return self._red or (self._green[-1] if self._green else None)

    @property
    def is_green(self) -> bool:
        """Whether nothing that was said still waits for a green solution."""
        return not self._words

    def say(self, line: str) -> Iterator[Line]:
        """What a line comes to. TdgenError where it comes to nothing; the conversation goes on all the same."""
        text = line.strip()
        if text.startswith("/"):
            command, _, about = text.partition(" ")
            yield from self._obeyed(command, about.strip())
        elif _QUESTION.fullmatch(text):
            yield from why_lines(self._there(), text)
        elif text:
            yield from self._solved(text)

    def _solved(self, text: str) -> Iterator[Line]:
        before = self._green[-1] if self._green else None
        self._words = f"{self._words}\n\n{text}" if self._words else text
        try:
            solution = self._solve(self._words, Handed(follow=before or ""))
        except Contradicted as error:
            raise Contradicted(f"{error}. Say it anew after /undo, which forgets what came to nothing") from None
        yield from turn_lines(before, solution)
        if solution.all_tests_passed:
            self._green.append(solution)
            self._red, self._words = None, ""
            yield Line(f"all green: {solution.plan.counted}", "good")
        else:
            self._red = solution
            stopped = f" ({solution.stopped})" if solution.stopped else ""
            yield Line(f"not all green{stopped}: say more, ask why, or /undo", "bad")

    def _obeyed(self, command: str, about: str) -> Iterator[Line]:
        match command:
            case "/help":
                yield from (Line(f"{name:<16} {what}") for name, what in HELP.items())
                yield Line("Anything else says what is needed, or what is to change.")
            case "/why" if about:
                yield from why_lines(self._there(), about)
            case "/show":
                yield from map(Line, self._source(about).splitlines())
            case "/undo":
                yield self._undone()
            case "/save" if about:
                solution = self._there()
                if not solution.all_tests_passed:
                    raise InputError("not all is green, and only that is written: say more, or /undo")
                yield Line(f"written to {solution.save(about)}", "good")
            case "/quit":
                self.has_ended = True
            case "/why" | "/save":
                raise InputError(f"{command} of what? /help shows how it is said")
            case _:
                known = [name.partition(" ")[0] for name in (*HELP, "/help")]
                raise InputError(f"there is no {command}{nearest(command, known)}: /help shows what there is")

    def _there(self) -> Solution:
        if self.solution is None:
            raise InputError("there is nothing yet: say what is needed first")
        return self.solution

    def _source(self, name: str) -> str:
        solution = self._there()
        if not name:
            return module_text(solution)
        if name not in solution:
            raise InputError(f"there is no {name}{nearest(name, solution)}: there is {', '.join(solution)}")
        return solution[name].source

    def _undone(self) -> Line:
        if self._words:
            self._words, self._red = "", None
            return Line("forgotten: words that came to nothing green")
        if len(self._green) == self._base:
            raise InputError("there is nothing to undo")
        self._green.pop()
        if not self._green:
            return Line("back at the beginning: nothing is there")
        return Line(f"back at {', '.join(self._green[-1])}, as before the last change")
