"""The instruction as text, and modules with functions that nobody has written yet.

Examples that it spells out as code are read without a model: doctests, arrows, equations, table rows.

Only what can mean one thing is read: a call of a function on literals (or on such calls), and one literal, or an
exception, that comes of it. What stands in a sentence with a condition or a denial is left to the planner, and so is a
test that does more than assert: it may change what surrounds its calls.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from typing import Literal, NamedTuple

from tdgen.errors import InputError
from tdgen.source.syntax import Function, expression_or_none, is_constant, literal_or, parse, statements_of
from tdgen.source.trees import import_lines
from tdgen.types import FunctionSpec, Instruction

_CONSTRUCTOR = "    def __init__(self, *args: object, **kwargs: object) -> None:\n"


def stub(spec: FunctionSpec) -> str:
    """The source of a unit that raises NotImplementedError whenever it is called, with what its signature names."""
    docstring = " ".join(spec.purpose.split()).partition(". ")[0].rstrip(".").replace("\\", "\\\\").replace('"', '\\"')
    head = f'{spec.signature}:\n    """{docstring}."""\n' if docstring else f"{spec.signature}:\n"
    source = f'{head}    raise NotImplementedError("{spec.name} is not written yet")\n'
    if spec.interface:
        body = source.removeprefix(head).replace("    raise", "        raise")
        lines = (head.replace(spec.signature, f"class {spec.name}"), _CONSTRUCTOR, body)
        source = "".join(lines)
    return "\n".join([*import_lines([source]), "", source])


def unwritten(source: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the functions that a module does not define, or only without a body; none where it is no Python."""
    try:
        defined = {node.name: node for node in parse(source).body if isinstance(node, Function | ast.ClassDef)}
    except (SyntaxError, ValueError):
        return ()
    return tuple(name for name in names if name not in defined or is_open(defined[name]))


def is_open(function: Function | ast.ClassDef) -> bool:
    """Whether a function has no body yet: a docstring, `...`, `pass`, or NotImplementedError alone.

    A class is open where all of its methods are.
    """
    if isinstance(function, ast.ClassDef):
        methods = [node for node in function.body if isinstance(node, Function)]
        return bool(methods) and all(map(is_open, methods))
    return all(
        isinstance(node, ast.Pass)
        or is_constant(node)
        or (isinstance(node, ast.Raise) and node.exc is not None and "NotImplementedError" in ast.unparse(node.exc))
        for node in function.body
    )


MAX_CHARACTERS = 100_000

# What must stay as it is written: fenced code, inline code, doctest lines, and quoted text on one line.
_VERBATIM = re.compile(
    r"""(```.*?```|~~~.*?~~~|`[^`\n]+`|^[ \t]*(?:>>>|\.\.\.)[^\n]*$|"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w))""",
    re.DOTALL | re.MULTILINE,
)

# A path has no character of a call, a quote or a sentence, whatever the script it is written in.
_ONE_WORD = re.compile(r"[^\s()\[\]{}<>\"'`,;=|?!*，。：；（）「」、？！]+")
_HAS_A_SUFFIX = re.compile(r"\w\.[A-Za-z][A-Za-z0-9]{0,7}$")


def read_instruction(text: str) -> Instruction:
    """The instruction in `text`; InputError where it is blank, binary, a mere path, or too long to be one."""
    if not text.strip():
        raise InputError("the instruction is empty: say in a sentence or more what the functions should do")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the instruction has {len(text):,} characters, at most {MAX_CHARACTERS:,} can be planned at once: "
            "split it, or point to one part of it"
        )
    if is_path(text):
        raise InputError(
            f"the instruction is only the name of a file, {text.strip()}: give what the file says, a sentence or more"
        )
    strange = next((c for c in text if unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n\r\f"), None)
    if strange is not None:
        raise InputError(f"the instruction is not text: it holds the character U+{ord(strange):04X}")
    return Instruction(text=text, normalised=normalise(text))


def is_path(text: str) -> bool:
    """Whether a text is one word with the form of a path: `spec.md`, `docs/spec`."""
    word = text.strip()
    if not _ONE_WORD.fullmatch(word) or "://" in word:
        return False
    return "/" in word or "\\" in word or _HAS_A_SUFFIX.search(word) is not None


def is_finished_code(text: str) -> bool:
    """Whether a text is Python code in which no function is left to be written."""
    nodes = [node for statement in statements_of(text) for node in ast.walk(statement)]
    functions = [node for node in nodes if isinstance(node, Function)]
    defines = functions or any(isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom) for node in nodes)
    return bool(defines) and not any(map(is_open, functions))


def normalise(text: str) -> str:
    """`text` with white space folded and Unicode composed, except in code and quotes, where each character counts."""
    pieces = _VERBATIM.split(text.replace("\r\n", "\n").strip())
    folded = [
        piece if index % 2 else re.sub(r"\s+", " ", unicodedata.normalize("NFC", piece))
        for index, piece in enumerate(pieces)
    ]
    return "".join(folded).strip()


_CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\(")
_SAYS = re.compile(
    r"[`*]*\s*(?:->|=>|==+|=|→|⇒|↦|⟶|is\b"
    r"|(?:should |must |will |shall )?(?:returns?|gives?|yields?|be|equals?|evaluates to)\b)\s*:?\s*[`*]*"
)
_RAISES = re.compile(
    r"[`*]*\s*(?:->|=>|→|⇒)?\s*(?:should |must |will |shall )?(?:raises?|throws?)(?: an?)?\s+[`*]*"
    r"([A-Z]\w*(?:Error|Exception|Interrupt|Exit|Iteration|Warning))\b"
)
_DOUBT = re.compile(
    r"\b(?:not|never|wrong|wrongly|instead|bug|incorrect|incorrectly|unlike|currently|today|invalid|bad|mistake|if|"
    r"when|unless|otherwise|after|before|depending|else|while|without|suppose|assuming|old|previously|used to|would)"
    r"\b|n't\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s*(?:$|[`*]*(?:$|[.;:)!|`]|,(?!\s*[-\d\"'\[({])|\s+(?:and|as|for|since|because|but|while)\b|\s*(?:#|//|\(|—|–)))"
)
_TRACEBACK = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)")
_RESULTS = re.compile(r"\b(?:output|outputs|result|results|returns?|expected|value|gives?)\b", re.IGNORECASE)
_TEST = re.compile(r"(?P<indent>[ \t]*)(?:async )?def test\w*\((?:self\s*,?)?\s*(?P<takes>[^)\s]*)")
_ASSERTS = re.compile(r"""\s*(?:$|\#|["'](?:.*["'])?$|assert\b(?!.*\b(?:or|and)\b))""")
"""What a line of a test is that says what a call gives, or nothing: a blank, a comment, a docstring, an assert."""
_LONGEST = 2000
_NEAR = 200
"""How much of the text before a call is looked at: all of it would take quadratic time."""
_MOST_TRIES = 400


class FoundExample(NamedTuple):
    """A call that the text spells out and what comes of it, as Python source, with the words that say so."""

    function: str
    call: str
    expect: Literal["value", "raises"]
    value: str
    quote: str


def examples_in(text: str) -> tuple[FoundExample, ...]:
    """The examples that `text` spells out, in its order, each once."""
    lines = text.splitlines()
    left_out = _in_doing_tests(lines)
    examples: list[FoundExample] = []
    skip = 0
    for number, line in enumerate(lines):
        if number < skip or number in left_out:
            continue
        if line.lstrip("> \t").startswith(">>>") or line.lstrip().startswith(">>>"):
            example, skip = _doctest(lines, number)
            examples += [example] if example else []
        elif line.count("|") > 1 and line.lstrip().startswith("|"):
            examples += _row(lines, number)
        else:
            examples += _in_line(line)
    by_call: dict[tuple[str, str], FoundExample] = {}
    for example in examples:
        by_call.setdefault((example.call, example.value), example)
    return tuple(by_call.values())


def _in_doing_tests(lines: list[str]) -> set[int]:
    """The places of the lines of tests that take something, or whose body has more than asserts of one thing each."""
    rows = set[int]()
    for number, line in enumerate(lines):
        test = _TEST.match(line)
        if test is None:
            continue
        deeper = (place for place in range(number + 1, len(lines)) if lines[place].strip())
        ends = (place for place in deeper if len(lines[place]) - len(lines[place].lstrip()) <= len(test["indent"]))
        body = range(number + 1, next(ends, len(lines)))
        if test["takes"] or not all(_ASSERTS.match(lines[place]) for place in body):
            rows.update(body)
    return rows


def _doctest(lines: list[str], number: int) -> tuple[FoundExample | None, int]:
    """The doctest that begins on a line, where it is an example, and the line after it."""
    start = number
    source = lines[number].partition(">>>")[2].strip()
    number += 1
    while number < len(lines) and lines[number].strip().startswith("..."):
        source += "\n" + lines[number].strip()[3:].removeprefix(" ")
        number += 1
    asked = number
    shown = []
    while number < len(lines) and lines[number].strip() and not lines[number].strip().startswith((">>>", "```")):
        shown.append(lines[number].strip())
        number += 1
    call = _plain_call(source)
    if call is None or not shown:
        return None, asked
    quote = "\n".join(line.strip() for line in lines[start:number])
    if shown[0].startswith("Traceback (most recent call last)"):
        raised = _TRACEBACK.match(shown[-1])
        return (FoundExample(*call, "raises", raised[1], quote) if raised else None), number
    value = " ".join(shown)
    return (FoundExample(*call, "value", value, quote), number) if _is_literal(value) else (None, asked)


def _in_line(line: str) -> Iterator[FoundExample]:
    """The examples of a line of prose or code."""
    end = 0
    doubts = [match.span() for match in _DOUBT.finditer(line)]
    for opening in _CALL.finditer(line):
        if opening.start() < end or not _stands_alone(line, opening.start()):
            continue
        closed = _closing(line, opening.start(), opening.end())
        call = _plain_call(line[opening.start() : closed])
        if call is None:
            continue
        at = opening.start()
        begin = max(line.rfind(". ", 0, at), line.rfind("; ", 0, at), line.rfind("! ", 0, at), -1) + 1
        doubt = bisect_left(doubts, (begin,))
        is_doubted = doubt < len(doubts) and doubts[doubt][1] <= opening.start()
        outcome = None if is_doubted else _example_outcome(line[closed : closed + _LONGEST])
        if outcome:
            expect, value, length = outcome
            end = closed + length
            if not _DOUBT.match(line[end:].lstrip(" ,;`")):
                yield FoundExample(*call, expect, value, line[opening.start() : end].strip())


def _example_outcome(rest: str) -> tuple[Literal["value", "raises"], str, int] | None:
    """What a text after a call says that comes of it, and how far it says so."""
    if raised := _RAISES.match(rest):
        return "raises", raised[1], raised.end()
    says = _SAYS.match(rest)
    if not says:
        return None
    value = _literal_at(rest[says.end() :])
    return ("value", value, says.end() + len(value)) if value else None


def _row(lines: list[str], number: int) -> Iterator[FoundExample]:
    """The example of a table's row: a call in a cell, a literal in the next, whose column is headed as results are."""
    first = number
    while first > 0 and lines[first - 1].lstrip().startswith("|"):
        first -= 1
    heads, cells = _cells(lines[first]), _cells(lines[number])
    for head, asked, said in zip(heads[1:], cells, cells[1:], strict=False):
        call, value = _plain_call(asked.strip("`* ")), said.strip("`* ")
        if call is None or not _RESULTS.search(head):
            continue
        if raised := re.fullmatch(r"(?:raises? )?`?([A-Z]\w*(?:Error|Exception))`?", value):
            yield FoundExample(*call, "raises", raised[1], lines[number].strip())
        elif _is_literal(value):
            yield FoundExample(*call, "value", value, lines[number].strip())


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _closing(line: str, head: int, start: int) -> int:
    """The place after the parenthesis that closes the call whose name begins at `head` and whose arguments at `start`.

    `start` itself where none does.
    """
    for tries, match in enumerate(re.finditer(r"\)", line[start : start + _LONGEST])):
        if tries > _MOST_TRIES:
            break
        if expression_or_none(line[head : start + match.end()]) is not None:
            return start + match.end()
    return start


def _stands_alone(line: str, start: int) -> bool:
    """Whether a call is no part of a larger expression, as far as what stands before it tells."""
    before = re.sub(r"(?:(?<=\s)|^)(?:\*\*|`)+$", "", line[max(0, start - _NEAR) : start]).rstrip("` \t")
    if not before or re.fullmatch(r"\s*(?:[-*+>#]|\d+[.)])", before):
        return True
    if before[-1] == "(":
        return not re.match(r"[\w)\]]", before[-2:-1])
    return before.endswith(("->", "=>", ".")) or before[-1] not in "+-*/%=<>[{@&|^~!"


def _plain_call(source: str) -> tuple[str, str] | None:
    """The function's name and the call's source, where it is a call of a name on literals, or on calls of that kind."""
    call = expression_or_none(source)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not _is_plain(call):
        return None
    return call.func.id, ast.unparse(call)


def _is_plain(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return _is_literal(node)
    named = isinstance(node.func, ast.Name) and all(keyword.arg is not None for keyword in node.keywords)
    return named and all(map(_is_plain, (*node.args, *(keyword.value for keyword in node.keywords))))


def _literal_at(text: str) -> str | None:
    """The literal that a text begins with, where it ends there."""
    text = text[:_LONGEST]
    ends = [match.start() for match in re.finditer(r"(?<=\S)(?=\s|[.,;:)!|`*#]|$)", text)][:_MOST_TRIES]
    for end in reversed(ends):
        value = text[:end].strip()
        node = expression_or_none(value)
        if node is None or not _is_literal(node) or re.fullmatch(r"[-+]?\d+\.", value):
            continue
        is_bare = isinstance(node, ast.Tuple) and value[0] != "("
        if is_bare or node.end_col_offset != len(value.encode("utf-8", "surrogatepass")):
            continue
        return text[:end] if _ENDS.match(text[end:]) else None
    return None


def _is_literal(source: str | ast.expr) -> bool:
    """Whether it has a value; three dots stand for what is left out."""
    return literal_or(source, ...) is not Ellipsis
