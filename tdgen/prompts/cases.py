"""Cases as the prompts tell them: a call and its situation in a line or a few, and what must be observed of it."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from itertools import groupby

from tdgen.source.syntax import first_line, lines_of, statements_of
from tdgen.text import visible
from tdgen.types import Call, Case, Check, Exits, ExpectedException, Pattern, Tolerance, Value, World

LONGEST_TEXT = 4_000
"""Of how many characters of a file, or of what is printed, a prompt shows all."""
LONGEST_REPEATED = 60
"""Of how many characters a setup may be to stand with each of the cases that share it."""


def cases_section(title: str, cases: Iterable[Case]) -> str:
    """Cases as text under a tag, or nothing."""
    text = cases_text(cases)
    return f"\n<{title}>\n{text}\n</{title}>\n" if text else ""


def cases_text(cases: Iterable[Case]) -> str:
    """Cases in a line or a few each: numbered ones that differ in their calls alone as one, what setups share once."""
    first_names: dict[str, str] = {}
    texts = []
    # Those of one kind have one name less their numbers. A script's command line is the call itself.
    bare = {"script": None}
    for _, group in groupby(
        cases,
        lambda case: (case.name.rstrip(string.digits), case.setup, case.world.model_copy(update=bare), case.effects),
    ):
        case, *others = group
        setup = case.setup.strip()
        first = first_names.setdefault(setup, case.name)
        is_again = first != case.name and len(setup) > LONGEST_REPEATED
        lines = [f"  after the setup of {first}"] if is_again else _setup(_shortened(setup, case.name, first_names))
        texts.append(case_text(case, *others, setup="\n".join(lines)))
    return "\n".join(texts)


def _shortened(setup: str, name: str, shown: dict[str, str]) -> str:
    """A case's setup, with a comment in place of each long statement that an earlier case has, as `shown` by its text.

    Test authors write the same helpers into many setups. A statement in one line is said as shortly as its comment.
    """
    lines = lines_of(setup)
    for node in reversed(statements_of(setup)):
        begins, text = first_line(node) - 1, "\n".join(lines[first_line(node) - 1 : node.end_lineno])
        first = shown.setdefault(text, name)
        if first != name and len(text) > LONGEST_REPEATED and "\n" in text:
            lines[begins : node.end_lineno] = [f"# as in {first}: {lines[node.lineno - 1]}"]
    return "\n".join(lines)


def call_text(call: Call) -> str:
    """A call in a line or a few, with its situation and without a word on what must come of it."""
    return visible("\n".join([f"`{call.text}`", *_situation(call)]))


def case_text(case: Case, *others: Case, setup: str = "") -> str:
    """One case in a line or a few: its situation, its call and what must be observed; `setup` in place of its own.

    `others` differ from it in their calls alone.
    """
    stem = case.name.rstrip(string.digits)
    names = ", ".join([case.name, *(f"_{other.name[len(stem) :]}" for other in others)])
    calls = ", ".join(f"`{one.done.text}`" for one in (case, *others))
    lines = [f"- {names}: {calls}{' each' * bool(others)} {_expected(case)}", *_situation(case.done, setup)]
    return visible("\n".join([*lines, *observed_text(case)]))


def outcome_text(case: Case) -> str:
    """All that must be observed of a case's call, in one line and without the call."""
    return visible("; ".join([_expected(case), *(line.strip() for line in observed_text(case))]))


def outcomes_text(case: Case, outcomes: Mapping[str, str]) -> str:
    """A case as a question: its call and situation, and below them what may be right, each under its letter."""
    lines = [f"- {case.name}: `{case.done.text}`", *_situation(case.done)]
    return visible("\n".join([*lines, *(f"  {letter}: {outcome}" for letter, outcome in outcomes.items())]))


def observed_text(case: Case) -> list[str]:
    """What must be observed beside what the call gives, a line each."""
    printed = {"stdout": case.stdout, "stderr": case.stderr}
    lines = []
    for where, asked in printed.items():  # its name always stands there, as nothing is said of the other stream
        if isinstance(asked, Pattern):
            lines.append(f"  and prints to {where} a text in which {asked.match!r} is found")
        elif asked is not None:
            lines.append(f"  and prints to {where} {_text(asked)}" if asked else f"  and prints nothing to {where}")
    for path, text in case.files.items():
        left = "must not exist" if text is None else f"holds {_text(text) or 'nothing'}"
        lines.append(f"  and afterwards the file {path!r} {left}")
    if case.logs is not None:
        records = [f"{record.level} {record.message!r} by {record.logger!r}" for record in case.logs]
        lines.append(f"  and logs {', then '.join(records) or 'nothing'}")
    return [*lines, *(f"  and afterwards `{after.expression}` gives `{after.source}`" for after in case.after)]


def _text(text: str | bytes) -> str:
    """A text or bytes as a literal, a long one by its beginning and its length; empty for an empty one."""
    if len(text) <= LONGEST_TEXT:
        return repr(text) if text else ""
    return f"{text[:LONGEST_TEXT]!r}, … {len(text):,} {'characters' if isinstance(text, str) else 'bytes'} in all"


def example_text(case: Case) -> str:
    """A case without its name, in a line or a few: its call and what must be observed, then its situation."""
    return visible("\n".join([f"`{case.done.text}` {_expected(case)}", *observed_text(case), *_situation(case.done)]))


def claim_text(case: Case) -> str:
    """What is called and what it must give, without the rest of its situation."""
    return visible(f"`{case.done.text}` {_expected(case)}")


def _situation(call: Call, setup: str = "") -> list[str]:
    return [*([setup] if setup else _setup(call.setup.strip())), *(f"  with {text}" for text in _world(call.world))]


def _setup(source: str) -> list[str]:
    """A setup of one line in line, a longer one as the block of code that it is."""
    if not source:
        return []
    lines = source.splitlines()
    return (
        [f"  after setup: `{source}`"] if len(lines) == 1 else ["  after setup:", *(f"      {line}" for line in lines)]
    )


def _expected(case: Case) -> str:
    match case.expectation:
        case Value(source=source, tolerance=tolerance):
            near = (
                "" if tolerance == Tolerance() else f" (within {tolerance.rel:g} relative, {tolerance.abs:g} absolute)"
            )
            return f"returns `{source}`{near}"
        case ExpectedException(type=name, match=pattern):
            return f"raises {name}" + (f" with a message that matches {pattern!r}" if pattern else "")
        case Check(source=source):
            return f"returns a result for which `{source}` holds"
        case Exits(code=code):
            return f"ends with exit code {code}"


def _world(world: World) -> list[str]:
    parts = [f"the file {path!r}: {_text(text) or 'empty'}" for path, text in world.files.items()]
    if world.stdin is not None:
        parts.append(f"stdin {_text(world.stdin) or 'empty'}")
    parts += [f"the environment variable {name}={value!r}" for name, value in world.environment.items()]
    if world.clock is not None:
        parts.append(f"the clock standing at {world.clock}")
    if world.seed is not None:
        parts.append(f"random.seed({world.seed})")
    return parts
