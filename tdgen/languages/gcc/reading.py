"""A developer's answer read as C or C++: its code out of the fences, and what must not be in it.

What code may reach is held by the sandbox. What is refused here is what would reach around the harness that it is
compiled with, or do what no contract of plain data asks for: files, processes, signals, the compiler's own means.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from tdgen.errors import ReplyError
from tdgen.replies.code import fenced_blocks
from tdgen.types import FunctionSpec, Plan

_TOP: Final = re.compile(r"\b([A-Za-z_]\w*)\s*(?:\(|\[|=|;)")
_QUIET: Final = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.DOTALL)
_RESERVED = """
auto bool break case char const continue default do double else enum extern float for goto if inline int long register
return short signed sizeof static struct switch typedef union unsigned void volatile while true false errno main NULL
"""
RESERVED: Final = frozenset(_RESERVED.split())
"""Names that nothing in C or C++ can have."""
_BEFORE_PARENTHESES = "if for while switch return do else case defined _Alignof _Static_assert"
WORDS: Final = frozenset(_BEFORE_PARENTHESES.split())
"""Keywords that stand before a parenthesis."""
_ALLOWED: Final = r"(?:builtin_(?:add|sub|mul)_overflow|extension__|int128)\b"
"""Of the compiler's own names those by which sums that overflow are told."""
FORBIDDEN: Final = {
    r"##|%:|\?\?": "pasted names, digraphs and trigraphs are not allowed",
    rf"\b__(?!{_ALLOWED})\w+": "names with two underscores in front are the compiler's: {}",
    r"\bmain\s*\(|#.*\bmain\b": "there is a main already: {}",
    r"\btdgen_\w*": "names of the harness are not the code's: {}",
    r"#\s*(?!(?:include|define|undef|if|ifdef|ifndef|else|elif|endif)\b)\w+": "this directive is not allowed: {}",
}
"""Patterns of what may not be in a line, and what is said of it. Checked arithmetic may be the compiler's own."""


class Grammar(NamedTuple):
    """What answers in a language are read by: fences, headers with what ends them, and words that may not be there."""

    name: str
    fences: Collection[str]
    others: Collection[str]
    headers: Collection[str]
    ending: str
    example: str
    forbidden: Mapping[str, str]


def code(text: str, name: str, grammar: Grammar) -> str:
    """The code of an answer that defines the name; ReplyError where there is none."""
    blocks = fenced_blocks(text)
    sources = [block.text for block in blocks if block.language in grammar.fences and defined(block.text, [name])]
    if sources:
        return max(sources, key=len).strip("\n") + "\n"
    if other := next((block.language for block in blocks if block.language in grammar.others), ""):
        raise ReplyError(f"the code is in {other}: write it in {grammar.name}, in one fenced block")
    if not blocks and defined(text, [name]):
        return text.strip("\n") + "\n"
    raise ReplyError(f"there is no code of {name} in the answer: give one fenced block of {grammar.name}")


def blanked(source: str) -> str:
    """The source with spaces for what is in its strings, characters and comments."""
    return _QUIET.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source.replace("\\\n", "  "))


def findings(source: str, spec: FunctionSpec, grammar: Grammar) -> Iterator[str]:
    """What in the lines of a source may not be there: headers, macros of other names, and what the grammar forbids."""
    whole, own = source.replace("\\\n", "  ").split("\n"), spec.name.strip("_")
    for number, text in enumerate(blanked(source).split("\n"), start=1):
        where, line = f"line {number}", whole[number - 1]
        if re.match(r"\s*#\s*include\b", text):
            header = re.fullmatch(rf'\s*#\s*include\s*[<"](\w+){grammar.ending}[>"]\s*(?://.*|/\*.*)?', line)
            if header is None or header[1] not in grammar.headers:
                told = f"only headers of the standard library may be included, such as {grammar.example}"
                yield f"{where}: {told}: {line.strip()}"
            continue
        macro = re.match(r"\s*#\s*define\s+(\w+)", text)
        if macro and not macro[1].lower().strip("_").startswith(own.lower()):
            yield f"{where}: the macro {macro[1]} is named as if it were another's: begin it with {own.upper()}_"
        for pattern, problem in grammar.forbidden.items():
            if match := re.search(pattern, text):
                yield f"{where}: {problem.format(match[0])}"


def own_names(names: Collection[str], spec: FunctionSpec, plan: Plan, there: Collection[str]) -> Iterator[str]:
    """What of the names that a source defines beside its function is another's, or may come to be."""
    own = spec.name.strip("_")
    taken = {other.name for other in plan.functions} | {*there}
    for name in sorted({*names} - {spec.name}):
        if name in taken:
            yield f"{name} is there already: use it, do not define it again"
        elif not name.lower().startswith((own.lower() + "_", f"_{own.lower()}")):
            yield f"{name} stands beside the {spec.unit}: name it {own}_{name.strip('_')}, and make it static"


def top_level(code: str) -> str:
    """Blanked code with spaces for what is within braces, parentheses and brackets, and without its directives."""
    depth, flat = 0, list[str]()
    for char in code:
        depth -= char in ")}]"
        flat.append(char if depth <= 0 or char == "\n" else " ")
        depth += char in "({["
    return re.sub(r"(?m)^\s*#.*$", "", "".join(flat))


def top_names(code: str) -> list[str]:
    """The functions, variables and macros that blanked code defines at its top level."""
    macros = re.findall(r"(?m)^\s*#\s*define\s+(\w+)", code)
    return [*(name for name in _TOP.findall(top_level(code)) if name not in WORDS), *macros]


def defined(source: str, names: Collection[str]) -> list[str]:
    """Those of the names that a source defines at its top level, with a body: functions, and classes."""
    code = blanked(source)
    kinds = (r"[A-Za-z_][^;{{}}()=]*\b{0}\s*\([^;{{}}]*\)", r"(?:class|struct)\s+{0}\b[^;{{}}()]*")
    return [name for name in names if any(re.search(rf"(?m)^{kind.format(name)}\s*\{{", code) for kind in kinds)]
