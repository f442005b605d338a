"""What a prompt is made of: the templates of the stages, and an instruction's passages by number.

Prompts are Markdown files beside the stage that uses them, filled strictly: nothing missing, nothing left over.

A template is a `string.Template`: `$name` or `${name}` is filled, `$$` is a dollar. Values go in word for word; a
dollar inside a value is only a dollar. A line `---user---` parts what the system says from what the user says.

Passages are sentences, list items, table rows and blocks of code, by the number that a plan names.

The planner says by number which passages bind which function. So each function knows the user's words that it must
hold to, and what no function was assigned is found by counting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import accumulate
from string import Template

from tdgen.protocols import Message

USER_PART = "---user---"


def render(package: str, name: str, /, **variables: str) -> str:
    """The template `prompts/<name>.md` of `package`, filled; ValueError where template and variables don't match."""
    template = _read(package, name)
    _must_match([template], variables, f"{package}/prompts/{name}.md")
    return template.substitute(variables).strip()


def conversation(package: str, name: str, /, **variables: str) -> tuple[Message, ...]:
    """A system and a user message from a template that `---user---` parts; one user message where nothing does.

    ValueError where template and variables don't match. The parting line counts in the file alone, not in a value.
    """
    system, parted, user = _part(_read(package, name).template)
    templates = [Template(system), Template(user)]
    _must_match(templates, variables, f"{package}/prompts/{name}.md")
    first, second = (template.substitute(variables).strip() for template in templates)
    if not parted:
        return (Message(role="user", content=first),)
    return (Message(role="system", content=first), Message(role="user", content=second))


def _read(package: str, name: str) -> Template:
    path = resources.files(package).joinpath("prompts", f"{name}.md")
    try:
        return Template(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"there is no prompt {package}/prompts/{name}.md") from None


def _part(text: str) -> tuple[str, bool, str]:
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.strip() == USER_PART:
            return "".join(lines[:number]), True, "".join(lines[number + 1 :])
    if USER_PART in text:
        raise ValueError(f"{USER_PART} parts a prompt only on a line of its own")
    return text, False, ""


def _must_match(templates: list[Template], variables: dict[str, str], where: str) -> None:
    """ValueError unless the templates name exactly these variables, and nothing that only looks like one."""
    for template in templates:
        if not template.is_valid():
            raise ValueError(f"{where}: a literal dollar is written $$")
    named = {name for template in templates for name in template.get_identifiers()}
    if missing := named - variables.keys():
        raise ValueError(f"{where} wants a value for: {', '.join(sorted(missing))}")
    if unused := variables.keys() - named:
        raise ValueError(f"{where} has no place for: {', '.join(sorted(unused))}")


OPENING, CLOSING = "⟦", "⟧"
_MARK = re.compile(rf"{OPENING}\d+{CLOSING} ?")
_FENCE = re.compile(r"\s*(```|~~~)")
_PROMPT = re.compile(r"\s*>>>")
_OWN_LINE = re.compile(r"\s*(?:[-*+•]\s|\d+[.)]\s|#|\||>)")
_MARKER = re.compile(r"\s*(?:\d{1,3}|[A-Za-z])[.)]\s*")
_CODE = re.compile(r"`[^`]+`")
_SENTENCE_END = re.compile(
    r"(?<![Ee]\.g\.)(?<![Ii]\.e\.)(?<!\bcf\.)(?<!\bvs\.)(?<=[.!?])[\"'”’)\]`*]*\s+(?=[\"'“‘(\[`*_]*[A-Z0-9])"
)


def passages(text: str) -> tuple[str, ...]:
    """The passages of a text in its order, each as it stands there, less the white space around it."""
    passages = []
    for start, end, is_prose in _blocks(text):
        ends = [match.end() for match in _SENTENCE_END.finditer(text, start, end)] if is_prose else []
        ends = [cut for cut in ends if not _MARKER.fullmatch(text, start, cut)]
        code = [match.span() for match in _CODE.finditer(text, start, end)]
        cuts = [cut for cut in ends if not any(first < cut < last for first, last in code)]
        passages += [text[first:last].strip() for first, last in zip([start, *cuts], [*cuts, end], strict=True)]
    return tuple(words for words in passages if any(map(str.isalnum, words)))  # a table's rule says nothing


def numbered(text: str, marked: Sequence[str]) -> str:
    """The text with its number, from 1, before each of the passages: `⟦1⟧ Slugify a title. ⟦2⟧ Words are …`.

    `marked` are in the text's order; one that stands in it twice is marked where it comes after the one before it.
    """
    parts, done = [], 0
    for number, passage in enumerate(marked, start=1):
        start = text.find(passage, done)
        if start >= 0:
            parts += [text[done:start], f"{OPENING}{number}{CLOSING} ", passage]
            done = start + len(passage)
    return "".join([*parts, text[done:]])


def unmarked(text: str) -> str:
    """A text that was copied out of a numbered one, without the numbers."""
    return _MARK.sub("", text)


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where each block begins and ends, and whether it is prose: else it is code, in a fence or as a doctest."""
    lines = text.splitlines(keepends=True)
    places = [0, *accumulate(map(len, lines))]
    number = 0
    while number < len(lines):
        first, line = number, lines[number]
        number += 1
        if not line.strip():
            continue
        is_prose = False
        if _FENCE.match(line):
            ends = (place + 1 for place in range(number, len(lines)) if _FENCE.match(lines[place]))
            number = next(ends, len(lines))
        elif _PROMPT.match(line):
            while number < len(lines) and lines[number].strip():
                number += 1
        else:
            is_prose, is_item = True, _OWN_LINE.match(line) is not None
            while number < len(lines) and _goes_on(lines[number], is_item=is_item):
                number += 1
        yield places[first], places[number], is_prose


def _goes_on(line: str, *, is_item: bool) -> bool:
    """Whether a line goes on with the paragraph, or with the list item, above it."""
    if not line.strip() or (is_item and line[0] not in " \t"):
        return False
    return not (_FENCE.match(line) or _PROMPT.match(line) or _OWN_LINE.match(line))
