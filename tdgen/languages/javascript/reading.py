"""A developer's answer read as JavaScript: its code out of the fences, and what must not be in it."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from tdgen.errors import ReplyError
from tdgen.language import ReadCode
from tdgen.languages.javascript.writing import class_names
from tdgen.replies.code import fenced_blocks
from tdgen.types import FunctionSpec, Plan

_OTHERS: Final = {"python", "py", "c", "cpp", "c++", "java", "go", "rust"}
_EXPORT: Final = re.compile(
    r"^export[ \t]+(?:default[ \t]+)?(?=(?:async|function|class|const|let|type|interface)\b)", re.MULTILINE
)
_EXPORTED: Final = re.compile(r"^export[ \t]*(?:default[ \t]+\w+|\{[^}]*\})[ \t]*;?[ \t]*$", re.MULTILINE)
_TOP: Final = re.compile(
    r"(?:\basync\s+)?\bfunction\b\s*\*?\s*([\w$]+)|\bclass\s+([\w$]+)|\b(?:const|let|var|type|interface|enum|namespace)\s+([\w$]+)"
)
_FORBIDDEN: Final = {
    r"\bimport\b": "import is not allowed: the language's own globals are all that there is",
    r"\brequire\s*\(": "require is not allowed: the language's own globals are all that there is",
    r"\beval\b": "eval is not allowed",
    r"\bnew\s+Function\b": "new Function is not allowed",
    r"\bprocess\s*\.": "there is no process: give back what the contract says",
    r"\bglobalThis\b": "globalThis is not allowed",
    r"__proto__|\bsetPrototypeOf\b": "prototypes are not changed",
    r"\b\w+\.prototype\s*(?:\.\s*\w+|\[[^\]]*\])\s*=(?!=)": "prototypes are not changed",
}
_BEFORE_REGEX: Final = re.compile(
    r"(?:^|[(,=:\[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do))\s*$"
)


class Dialect(NamedTuple):
    """Which of the two languages an answer is in: its name, the fence that is asked for, and those that are taken."""

    name: str
    fence: str
    tags: frozenset[str]


def read(text: str, spec: FunctionSpec, plan: Plan, dialect: Dialect) -> ReadCode:
    """The code of an answer with what speaks against it; ReplyError where there is none."""
    source = without_exports(_code(text, spec.name, dialect)).strip("\n") + "\n"
    plain, found = blanked(source), list[str]()
    for pattern, problem in _FORBIDDEN.items():
        if match := re.search(pattern, plain):
            found.append(f"line {plain.count(chr(10), 0, match.start()) + 1}: {problem}")
    names = top_names(plain)
    if spec.name not in names:
        found.append(f"it defines no {spec.name}")
    taken = ({other.name for other in plan.functions} - {spec.name}) | set(class_names(plan))
    own = spec.name.strip("_")
    for name in names:
        is_own = name.startswith("_") and name.lower().replace("_", "").startswith(own.lower().replace("_", ""))
        if name in taken:
            found.append(f"{name} is there already: use it, do not define it again")
        elif name != spec.name and not is_own:
            found.append(f"{name} stands beside the function: name it _{own}_{name.strip('_')}")
    return ReadCode(source, tuple(found))


def _code(text: str, name: str, dialect: Dialect) -> str:
    blocks = fenced_blocks(text)
    own = [block.text for block in blocks if block.language in dialect.tags | {""}]
    defining = [block for block in own if name in top_names(blanked(block))]
    if defining:
        return max(defining, key=len) if len(defining) == 1 or len(own) == len(defining) else "\n\n".join(own)
    others = (_OTHERS | {"js", "javascript", "ts", "typescript"}) - dialect.tags
    if other := next((block.language for block in blocks if block.language in others), ""):
        raise ReplyError(f"the code is in {other}: write it in {dialect.name}, in one fenced block")
    if not blocks and name in top_names(blanked(text)):
        return text
    raise ReplyError(f"there is no code of {name} in the answer: give one fenced block of {dialect.name}")


def without_exports(source: str) -> str:
    """A source without its export statements, as it runs where there are no modules."""
    return _EXPORTED.sub("", _EXPORT.sub("", source))


def top_names(code: str) -> list[str]:
    """The names that blanked code defines at its top level."""
    depth, flat = 0, []
    for char in code:
        depth -= char in ")}]"
        flat.append(char if depth <= 0 or char == "\n" else " ")
        depth += char in "({["
    return [next(filter(None, names)) for names in _TOP.findall("".join(flat))]


def blanked(source: str) -> str:
    """The source with spaces for what is in its strings, comments and regular expressions, and in templates' text."""
    kept, place, open_braces = [], 0, list[int]()
    in_template = False
    while place < len(source):
        if in_template:
            end = _end_of_template(source, place)
            kept.append(re.sub(r"[^\n]", " ", source[place:end]))
            in_template = False
            if source.startswith("${", end):
                open_braces.append(0)
                end += 2
                kept.append("  ")
            else:
                end += 1
                kept.append(" ")
            place = end
            continue
        char = source[place]
        end = _end_of_quiet(source, place, "".join(kept[-40:]))
        if end > place:
            kept.append(re.sub(r"[^\n]", " ", source[place:end]))
            place = end
            continue
        if open_braces and char in "{}":
            if char == "}" and open_braces[-1] == 0:
                open_braces.pop()
                in_template, char = True, " "
            else:
                open_braces[-1] += 1 if char == "{" else -1
        elif char == "`":
            in_template, char = True, " "
        kept.append(char)
        place += 1
    return "".join(kept)


def _end_of_template(source: str, place: int) -> int:
    while place < len(source) and source[place] != "`" and not source.startswith("${", place):
        place += 2 if source[place] == "\\" else 1
    return min(place, len(source))


_QUIET: Final = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.DOTALL)
_REGEX: Final = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")


def _end_of_quiet(source: str, place: int, before: str) -> int:
    """Where a comment, a string or a regular expression ends that begins here; `place` where none does."""
    if match := _QUIET.match(source, place):
        return match.end()
    if source[place] == "/" and _BEFORE_REGEX.search(before) and (match := _REGEX.match(source, place)):
        return match.end()
    return place


def defined(source: str, names: Collection[str]) -> list[str]:
    """Those of the names that a file's source defines at its top level."""
    there = set(top_names(blanked(without_exports(source))))
    return [name for name in names if name in there]
