"""The examples of a plan: read as calls with what they give, and pinned where the user's words spell them out.

Examples that an instruction spells out as code, read without a model: doctests, arrows, equations, table rows.

Only what can mean one thing is read: a call of a function on literals (or on such calls), and one literal, or an
exception, that comes of it. What stands in a sentence with a condition or a denial is left to the planner.

Examples as pinned cases: what is quoted must be in the instruction, and what is expected must be in the quote.

Which examples are pinned: those that the planner quoted and whose quote says it, and those that it overlooked.
"""

from __future__ import annotations

import ast
import builtins
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from tdgen.prompts.context import folded, is_quoted
from tdgen.source.syntax import expression, expression_or_none, literal
from tdgen.source.trees import free_names
from tdgen.types import Example, FunctionSpec, Plan

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
    found: list[FoundExample] = []
    skip = 0
    for number, line in enumerate(lines):
        if number < skip:
            continue
        if line.lstrip("> \t").startswith(">>>") or line.lstrip().startswith(">>>"):
            example, skip = _doctest(lines, number)
            found += [example] if example else []
        elif line.count("|") > 1 and line.lstrip().startswith("|"):
            found += _row(lines, number)
        else:
            found += _in_line(line)
    seen: dict[tuple[str, str], FoundExample] = {}
    for example in found:
        seen.setdefault((example.call, example.value), example)
    return tuple(seen.values())


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
    doubts = [found.span() for found in _DOUBT.finditer(line)]
    for opening in _CALL.finditer(line):
        if opening.start() < end or not _stands_alone(line, opening.start()):
            continue
        closed = _closing(line, opening.start(), opening.end())
        call = _plain_call(line[opening.start() : closed])
        if call is None:
            continue
        begin = _sentence_start(line, opening.start())
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
    for tries, found in enumerate(re.finditer(r"\)", line[start : start + _LONGEST])):
        if tries > _MOST_TRIES:
            break
        if expression_or_none(line[head : start + found.end()]) is not None:
            return start + found.end()
    return start


def _stands_alone(line: str, start: int) -> bool:
    """Whether a call is no part of a larger expression, as far as what stands before it tells."""
    before = re.sub(r"(?:(?<=\s)|^)(?:\*\*|`)+$", "", line[max(0, start - _NEAR) : start]).rstrip("` \t")
    if not before or re.fullmatch(r"\s*(?:[-*+>#]|\d+[.)])", before):
        return True
    if before[-1] == "(":
        return not re.match(r"[\w)\]]", before[-2:-1])
    return before.endswith(("->", "=>", ".")) or before[-1] not in "+-*/%=<>[{@&|^~!"


def _sentence_start(line: str, at: int) -> int:
    return max(line.rfind(". ", 0, at), line.rfind("; ", 0, at), line.rfind("! ", 0, at), -1) + 1


def _plain_call(source: str) -> tuple[str, str] | None:
    """The function's name and the call's source, where it is a call of a name on literals, or on calls of that kind."""
    call = expression_or_none(source)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not _is_plain(call):
        return None
    return call.func.id, ast.unparse(call)


def _is_plain(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return _is_literal_node(node)
    named = isinstance(node.func, ast.Name) and all(keyword.arg is not None for keyword in node.keywords)
    return named and all(map(_is_plain, (*node.args, *(keyword.value for keyword in node.keywords))))


def _literal_at(text: str) -> str | None:
    """The literal that a text begins with, where it ends there."""
    text = text[:_LONGEST]
    ends = [found.start() for found in re.finditer(r"(?<=\S)(?=\s|[.,;:)!|`*#]|$)", text)][:_MOST_TRIES]
    for end in reversed(ends):
        value = text[:end].strip()
        node = expression_or_none(value)
        if node is None or not _is_literal_node(node) or re.fullmatch(r"[-+]?\d+\.", value):
            continue
        is_bare = isinstance(node, ast.Tuple) and value[0] != "("
        if is_bare or node.end_col_offset != len(value.encode("utf-8", "surrogatepass")):
            continue
        return text[:end] if _ENDS.match(text[end:]) else None
    return None


def _is_literal(source: str) -> bool:
    node = expression_or_none(source)
    return node is not None and _is_literal_node(node)


def _is_literal_node(node: ast.expr) -> bool:
    try:
        return literal(node) is not Ellipsis
    except ValueError:
        return False


def quote_problem(example: Example, text: str) -> str | None:
    """Why the example's quote is none, or None: its words are not the user's."""
    if not example.quote.strip():
        return "it quotes nothing: copy the words of the instruction that give it"
    if not is_quoted(example.quote, text):
        return f"its quote {example.quote!r} is not in the instruction: copy the user's words exactly"
    return None


def unsaid(example: Example) -> str | int | float | None:
    """A part of the expected value, or the exception, that the quote does not say; None where it says all of it.

    Such an example ("eight hours" for 480, "is an error" for ValueError) is the model's reading of the user's words,
    and not pinned. Of what is printed or written each line must be there as it is; that a script ends well need not be.
    """
    held = [content for content in (example.stdout, example.stderr, *example.files.values()) if content]
    unsaid_bytes = (repr(data) for data in held if isinstance(data, bytes) and not _says_bytes(example.quote, data))
    if missing := next(unsaid_bytes, None):
        return missing
    lines = [line.strip() for text in held if isinstance(text, str) for line in text.splitlines() if line.strip()]
    if missing := next((line for line in lines if line not in example.quote), None):
        return missing
    if example.expect == "exits" and example.value.strip() == "0":
        return None
    if example.expect == "raises":
        return None if _names(example.quote, example.value) else example.value
    return next((literal for literal in _literals(example.value) if not _holds(example.quote, literal)), None)


def _says_bytes(quote: str, data: bytes) -> bool:
    """Whether a quote spells bytes out: as Python does, or in hex, however they are set apart."""
    plain = re.sub(r"0x|\W|_", "", quote.casefold())
    return repr(data)[2:-1] in quote or data.hex() in plain


def _names(quote: str, exception: str) -> bool:
    """Whether a quote names an exception: `ValueError`, a value error, for Exception any error."""
    name = exception.strip().rpartition(".")[2]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()
    return name.casefold() in folded(quote) or words in folded(quote) or (name == "Exception" and "error" in quote)


def _literals(source: str) -> list[str | int | float]:
    """The strings and numbers that a value's source spells out; truth values and None are said in many ways."""
    try:
        nodes = list(ast.walk(expression(source)))
    except SyntaxError:
        return []
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [v for v in values if isinstance(v, str | int | float) and not isinstance(v, bool) and v != ""]


_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+")
_GROUPED = re.compile(r"\d{1,3}(?:[,_ ]\d{3})+(?:\.\d+)?")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _holds(quote: str, literal: str | int | float) -> bool:
    if isinstance(literal, str):
        escaped = literal.encode("unicode_escape").decode("ascii")
        said = folded(literal)
        return (said in folded(quote) if said else literal in quote) or escaped in quote
    if literal in _spoken(quote):
        return True
    grouped = [re.sub("[,_ ]", "", found) for found in _GROUPED.findall(quote)]
    return any(_number(found) == literal for found in [*_NUMBER.findall(quote), *grouped])


def _spoken(quote: str) -> set[int]:
    words = set(re.findall("[a-z]+", quote.casefold()))
    return {number for number, word in enumerate(_WORDS) if word in words}


def _number(text: str) -> float | int:
    return int(text) if text.isdigit() and len(text) < 4000 else float(text)


_ONE_BY_ONE = re.compile(r"(?:\w+\.)*(?:Async)?(?:Iterator|Generator|Iterable)\b")


def lawful(plan: Plan, text: str) -> Plan:
    """The plan with its examples as pinned cases, `text` being the instruction.

    What the quote does not say is the planner's reading: tried as such, not pinned. What the text spells out as code
    (`f(2) -> 4`) for a planned function is added where it was overlooked, and stands where the planner read something
    else out of it.
    """
    specs = {spec.name: spec for spec in plan.functions}
    found = _of_one_kind([e for told in examples_in(text) if (e := _example(told, specs))])
    spelled = {_asked(example) for example in found}
    said = {(_asked(example), _outcome(example)) for example in found}
    quoted = [
        example
        for example in plan.examples
        if unsaid(example) is None and (_asked(example) not in spelled or (_asked(example), _outcome(example)) in said)
    ]
    known = {(_asked(example), _outcome(example)) for example in quoted}
    added = [
        example
        for example in found
        if (_asked(example), _outcome(example)) not in known and not _is_told_whole(example, plan.examples)
    ]
    read = [example for example in plan.examples if unsaid(example) is not None and _asked(example) not in spelled]
    return plan.model_copy(update={"examples": (*quoted, *added), "read_examples": tuple(read)})


def _example(found: FoundExample, specs: Mapping[str, FunctionSpec]) -> Example | None:
    """A found example as a plan has it.

    None where a function of it isn't planned, where its function gives its result piece by piece, or raises what the
    contract doesn't know. `parse() returns None` speaks of the function where that takes arguments: it is no example.
    """
    spec = specs.get(found.function)
    if spec is None or spec.interface or _ONE_BY_ONE.match(spec.returns.type) or not _is_known(found, spec):
        return None
    needs_some = any(one.default is None and not one.name.startswith("*") for one in spec.parameters)
    if needs_some and found.call.replace(" ", "") == f"{spec.name}()":
        return None
    called = free_names(expression(found.call))
    if not called <= specs.keys() or (len(called) > 1 and any(specs[name].is_async for name in called)):
        return None
    call = f"asyncio.run({found.call})" if spec.is_async else found.call
    return Example(function=found.function, quote=found.quote, call=call, expect=found.expect, value=found.value)


def _is_known(found: FoundExample, spec: FunctionSpec) -> bool:
    """Whether what is expected can be looked for: an exception of Python's, or of the contract."""
    name = found.value.rpartition(".")[2]
    of_contract = {raised.type.rpartition(".")[2] for raised in spec.raises}
    return found.expect == "value" or hasattr(builtins, name) or name in of_contract


def _is_told_whole(found: Example, told: Sequence[Example]) -> bool:
    """Whether the planner tells the same call from the same place with the files or the input that are there."""
    same = (one for one in told if _asked(one)[:2] == _asked(found)[:2] and _outcome(one) == _outcome(found))
    return any(one.world != found.world and is_quoted(found.quote, one.quote) for one in same)


def _of_one_kind(found: Sequence[Example]) -> list[Example]:
    """The examples of functions that give values of one kind throughout.

    Where one text has `tri(3) = 8` and `tri(3) == [1, 3, 2, 8]`, not all of it is code: the planner must tell.
    """
    kinds: dict[str, set[str]] = {}
    for example in found:
        kinds.setdefault(example.function, set()).add(_kind(example))
    mixed = {name for name, seen in kinds.items() if len(seen - {"", "NoneType"}) > 1}
    return [example for example in found if example.function not in mixed]


def _kind(example: Example) -> str:
    """What type of value is expected, numbers being one; empty where that can't be read."""
    tree = expression_or_none(example.value) if example.expect == "value" else None
    try:
        name = type(literal(tree)).__name__ if tree else ""
    except ValueError:
        return ""
    return "number" if name in ("int", "float") else name


def _asked(example: Example) -> tuple[str, str, str]:
    call = expression_or_none(example.call)
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "asyncio.run" and len(call.args) == 1:
        call = call.args[0]
    asked = ast.dump(call) if call else example.call
    return example.function, asked, f"{example.setup}{example.world!r}"


def _outcome(example: Example) -> tuple[str, Any]:
    """What is expected, comparable: `4` and `4.0` are one."""
    if example.expect == "raises":
        return "raises", example.value.strip().rpartition(".")[2]
    if example.expect == "exits":
        return "exits", example.value.strip()
    tree = expression_or_none(example.value)
    try:
        value = literal(tree) if tree else example.value
    except ValueError:
        return "value", ast.dump(tree) if tree else example.value
    whole = isinstance(value, float) and value.is_integer()
    return "value", repr(int(value) if whole else value)
