"""`tdgen chat`: a conversation, line by line."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from typer import Argument

from tdgen.cli import options
from tdgen.cli.solving import NOT_GREEN
from tdgen.errors import InputError, TdgenError
from tdgen.terminal.output import give_lines, is_terminal, one_line, say

if TYPE_CHECKING:
    from tdgen.chat import Conversation
    from tdgen.client import Generator, Handed
    from tdgen.solution import Solution

LONGEST: Final = 100_000
"""So many characters a line may have."""
_A_NAME: Final = re.compile(r"[\w.-]+")
"""What begins a conversation as one bare word is a folder's name, perhaps mistyped, and not what is needed."""
Begin = Annotated[
    str | None,
    Argument(metavar="TEXT|FILE|FOLDER", help="What is needed; or the folder of a solution to go on from."),
]


@options.settings(options.SOLVING)
def chat(
    begin: Begin = None,
    *,
    follow: options.Follow = None,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Talk about what is needed: planner, tester and developer say what each line touches and what they let be.

    A line says what is needed or what is to change; `why …?` is answered from the record. Lines come from the
    terminal or a pipe. What is green is kept, and can be gone on with.

    \b
    tdgen chat "slugify(text): lower case, words joined by single hyphens"
    tdgen chat slugs                       goes on from what lies in that folder
    tdgen chat --follow 3f2a91bc           or in the cache
    printf '%s\\n' "double(n)" "why double?" "/save kit" | tdgen chat
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.chat import Conversation
    from tdgen.cli.interrupts import Interrupted
    from tdgen.cli.summary import short
    from tdgen.client import Generator
    from tdgen.settings import load_settings

    at_terminal = is_terminal(sys.stdin) and is_terminal(sys.stderr)
    chosen = load_settings(({"questions": "ask"} if at_terminal else {}) | flags)
    with Generator(chosen) as generator:
        solution, first = _begun(generator, begin, follow)
        solving = partial(_solved, generator, at_terminal=at_terminal, quiet=quiet, verbose=verbose)
        conversation = Conversation(solving, solution)
        said = chain([first] if first else [], _lines(at_terminal=at_terminal))
        try:
            return _held(conversation, said)
        except KeyboardInterrupt:
            raise Interrupted("interrupted: the same words, said again, go on from here") from None
        finally:
            solution = conversation.solution
            if solution is not None and conversation.is_green and not quiet:
                say(f"`tdgen chat --follow {short(solution.key)}` goes on from here", "faint")


def _begun(generator: Generator, begin: str | None, follow: str | None) -> tuple[Solution | None, str]:
    """The solution to begin with, and the first thing that is said."""
    from tdgen.cli.inputs import instruction_in, package_of

    folder = begin is not None and Path(begin).is_dir()
    if begin and _A_NAME.fullmatch(begin) and not (begin == "-" or Path(begin).exists()):
        raise InputError(f"there is no folder {begin} (what is needed is a sentence or more: put it in quotes)")
    if folder and follow:
        raise InputError("a folder and --follow: give one solution to go on from")
    if folder or follow:
        solution = package_of(generator, str(follow or begin)).solution
        return solution, instruction_in(begin) if begin and not folder else ""
    return None, instruction_in(begin) if begin else ""


def _solved(
    generator: Generator, words: str, handed: Handed, *, at_terminal: bool, quiet: bool, verbose: bool
) -> Solution:
    """A solve that is told on stderr; at a terminal, what the words leave open is put to the user."""
    from tdgen.cli.solving import asking
    from tdgen.terminal.progress import progress_teller

    with progress_teller(quiet=quiet, verbose=verbose) as teller:
        ask = asking(teller) if at_terminal else None
        return generator.under(on_event=teller, on_question=ask).solve(words, handed)


def _lines(*, at_terminal: bool) -> Iterator[str]:
    """What the user says: a line, and those after it where it ends in a backslash."""
    if sys.stdin is None:
        raise InputError("the standard input is closed: give what is needed as an argument")
    said = ""
    while True:
        if at_terminal:
            print("… " if said else "> ", end="", file=sys.stderr, flush=True)  # noqa: T201 - stdout is the answer's
        try:
            line = sys.stdin.readline(LONGEST + 1)
        except UnicodeDecodeError:
            raise InputError("the standard input is not UTF-8 text: give plain text") from None
        if len(line) > LONGEST:
            raise InputError(f"a line has more than {LONGEST:,} characters: put it into a file, and name that")
        if line.rstrip("\n").endswith("\\"):
            said += line.rstrip("\n")[:-1] + "\n"
            continue
        if said or line:
            yield said + line
        if not line:
            return
        said = ""


def _held(conversation: Conversation, said: Iterable[str]) -> int:
    """The conversation to its end: 0, or the exit code of the last line that failed, or 1 where not all is green."""
    code = 0
    for text in said:
        try:
            give_lines(list(conversation.say(text)))
        except TdgenError as error:
            code = error.exit_code
            say(f"tdgen: {one_line(str(error))}", "bad")
        if conversation.has_ended:
            break
    return code or (0 if conversation.is_green else NOT_GREEN)
