"""Which examples of a plan are pinned, and which its own contracts forbid.

Pinned are those that the planner quoted and whose quote says it, and those in the text that it overlooked: what is
quoted must be in the instruction, and what is expected must be in the quote.

Of an example beside its function's signature only what is plain is told: an argument that its parameter does not take,
a result of another type. An int is a float, a bool an int; a float is no int, even a whole one, and a list no tuple:
what the judge tells apart, the contract must say. Values of shared types, and those that are no literals, are left to
the run that tries each example.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tdgen.prompts.context import folded, is_quoted
from tdgen.source.syntax import expression, expression_or_none, literal_or
from tdgen.source.trees import free_names, plain_call
from tdgen.specs.instruction import FoundExample, examples_in
from tdgen.types import Example, FunctionSpec, Parameter, Plan
from tdgen.values.shapes import Shape, fits, shape_of


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
    for data in (content for content in held if isinstance(content, bytes)):
        plain = re.sub(r"0x|\W|_", "", example.quote.casefold())  # in hex, however the bytes are set apart
        if repr(data)[2:-1] not in example.quote and data.hex() not in plain:
            return repr(data)
    lines = [line.strip() for text in held if isinstance(text, str) for line in text.splitlines() if line.strip()]
    if missing := next((line for line in lines if line not in example.quote), None):
        return missing
    if example.expect == "exits" and example.value.strip() == "0":
        return None
    if example.expect == "raises":
        return None if _names(example.quote, example.value) else example.value
    # The strings and numbers that it spells out; truth values and None are said in many ways.
    tree = expression_or_none(example.value)
    values = [node.value for node in (ast.walk(tree) if tree else ()) if isinstance(node, ast.Constant)]
    literals = [v for v in values if isinstance(v, str | int | float) and not isinstance(v, bool) and v != ""]
    return next((literal for literal in literals if not _holds(example.quote, literal)), None)


def _names(quote: str, exception: str) -> bool:
    """Whether a quote names an exception: `ValueError`, a value error, for Exception any error."""
    name = exception.strip().rpartition(".")[2]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()
    return name.casefold() in folded(quote) or words in folded(quote) or (name == "Exception" and "error" in quote)


_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+")
_GROUPED = re.compile(r"\d{1,3}(?:[,_ ]\d{3})+(?:\.\d+)?")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _holds(quote: str, literal: str | int | float) -> bool:
    if isinstance(literal, str):
        escaped = literal.encode("unicode_escape").decode("ascii")
        said = folded(literal)
        return (said in folded(quote) if said else literal in quote) or escaped in quote
    words = set(re.findall("[a-z]+", quote.casefold()))
    if literal in {number for number, word in enumerate(_WORDS) if word in words}:
        return True
    grouped = [re.sub("[,_ ]", "", number) for number in _GROUPED.findall(quote)]
    numbers = [*_NUMBER.findall(quote), *grouped]
    return any((int(n) if n.isdigit() and len(n) < 4000 else float(n)) == literal for n in numbers)


_ONE_BY_ONE = re.compile(r"(?:\w+\.)*(?:Async)?(?:Iterator|Generator|Iterable)\b")


def lawful(plan: Plan, text: str) -> Plan:
    """The plan with its examples as pinned cases, `text` being the instruction.

    What the quote does not say is the planner's reading: tried as such, not pinned. What the text spells out as code
    (`f(2) -> 4`) for a planned function is added where it was overlooked, and stands where the planner read something
    else out of it.
    """
    specs = {spec.name: spec for spec in plan.functions}
    examples = _of_one_kind([e for stated in examples_in(text) if (e := _example(stated, specs))])
    spelled = {_asked(example) for example in examples}
    quoted = []
    for example in plan.examples:
        same = [one for one in examples if _asked(one) == _asked(example) and is_quoted(one.quote, example.quote)]
        # it is misread where the very words that it quotes spell out another result of its call
        is_misread = bool(same) and _outcome(example) not in map(_outcome, same)
        if unsaid(example) is None and not is_misread:
            quoted.append(example)
    known = {(_asked(example), _outcome(example)) for example in quoted}
    added = [
        example
        for example in examples
        if (_asked(example), _outcome(example)) not in known and not _is_told_whole(example, plan.examples)
    ]
    read = [example for example in plan.examples if unsaid(example) is not None and _asked(example) not in spelled]
    return plan.model_copy(update={"examples": (*quoted, *added), "read_examples": tuple(read)})


def _example(example: FoundExample, specs: Mapping[str, FunctionSpec]) -> Example | None:
    """A found example as a plan has it.

    None where a function of it isn't planned, where its function gives its result piece by piece, or raises what the
    contract doesn't know. `parse() returns None` speaks of the function where that takes arguments: it is no example.
    """
    spec = specs.get(example.function)
    if spec is None or spec.interface or _ONE_BY_ONE.match(spec.returns.type):
        return None
    name = example.value.rpartition(".")[2]
    of_contract = {raised.type.rpartition(".")[2] for raised in spec.raises}
    if example.expect == "raises" and not hasattr(builtins, name) and name not in of_contract:
        return None
    needs_some = any(one.default is None and not one.name.startswith("*") for one in spec.parameters)
    if needs_some and example.call.replace(" ", "") == f"{spec.name}()":
        return None
    called = free_names(expression(example.call))
    if not called <= specs.keys() or (len(called) > 1 and any(specs[name].is_async for name in called)):
        return None
    call = f"asyncio.run({example.call})" if spec.is_async else example.call
    return Example(
        function=example.function, quote=example.quote, call=call, expect=example.expect, value=example.value
    )


def _is_told_whole(example: Example, examples: Sequence[Example]) -> bool:
    """Whether the planner tells the same call from the same place with the files or the input that are there."""
    same = (one for one in examples if _asked(one)[:2] == _asked(example)[:2] and _outcome(one) == _outcome(example))
    return any(one.world != example.world and is_quoted(example.quote, one.quote) for one in same)


def _of_one_kind(examples: Sequence[Example]) -> list[Example]:
    """The examples of functions that give values of one kind throughout.

    Where one text has `tri(3) = 8` and `tri(3) == [1, 3, 2, 8]`, not all of it is code: the planner must tell.
    """
    kinds: dict[str, set[str]] = {}
    for example in examples:
        value = _value(expression_or_none(example.value) if example.expect == "value" else None)
        kind = type(value).__name__ if value is not _NONE else ""
        kinds.setdefault(example.function, set()).add("number" if kind in ("int", "float") else kind)
    mixed = {name for name, types in kinds.items() if len(types - {"", "NoneType"}) > 1}
    return [example for example in examples if example.function not in mixed]


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
    value = literal_or(tree, _NONE) if tree else example.value
    if value is _NONE:
        return "value", ast.dump(tree) if tree else example.value
    whole = isinstance(value, float) and value.is_integer()
    return "value", repr(int(value) if whole else value)


_DECLARED = ("record", "enum", "typed_dict")
_NONE: Any = object()


def misfits(example: Example, plan: Plan) -> Iterator[str]:
    """Where an example and its function's signature can't both be right, with the user's words.

    Nothing for an example of an exception: what a contract forbids may be what raises it.
    """
    spec = next((spec for spec in plan.functions if spec.name == example.function), None)
    call = plain_call(expression_or_none(example.call), example.function)
    if spec is None or call is None or example.expect == "raises":
        return
    words = " ".join(example.quote.split())
    bound = _bound(call, spec.parameters)
    if isinstance(bound, str):
        yield f"the user's example {words!r} does not fit `{spec.signature}`: {bound}"
        return
    told: list[tuple[ast.expr | None, str, str, str]] = [
        (value, parameter.type, f"passes `{ast.unparse(value)}` for {parameter.name.lstrip('*')!r} of", "type")
        for parameter, value in bound
    ]
    told.append(
        (expression_or_none(example.value), spec.returns.type, f"expects `{example.value.strip()}` of", "return type")
    )
    for node, annotation, use, mended in told:
        value, shape = _value(node), shape_of(annotation, plan.types)
        if not (value is _NONE or _is_declared(shape) or fits(value, shape)):
            yield (
                f"the user's example {words!r} {use} {spec.name!r}, whose type is `{annotation}`: the example is "
                f"pinned, so mend the {mended}"
            )


def _is_declared(shape: Shape) -> bool:
    """Whether it holds a shared type: an enum of strings equals a string, a named tuple a tuple."""
    return shape.kind in _DECLARED or any(map(_is_declared, shape.parts))


def _bound(call: ast.Call, parameters: Sequence[Parameter]) -> list[tuple[Parameter, ast.expr]] | str:
    """Each argument with its parameter; a sentence where the signature does not take them."""
    plain = [p for p in parameters if not p.name.startswith("*")]
    star = next((n for n, p in enumerate(parameters) if p.name.startswith("*") and not p.name.startswith("**")), None)
    positional = [p for p in plain if not p.keyword_only] if star is None else list(parameters[:star])
    rest = parameters[star] if star is not None else None
    more = next((p for p in parameters if p.name.startswith("**")), None)
    if len(call.args) > len(positional) and rest is None:
        return f"it passes {len(call.args)} arguments, and {len(positional)} are taken"
    bound = list(zip(positional, call.args, strict=False))
    bound += [(rest, value) for value in call.args[len(positional) :]] if rest else []
    by_name = {p.name: p for p in plain}
    for word in call.keywords:
        parameter = by_name.get(word.arg or "", more)
        if parameter is None:
            return f"no parameter is named {word.arg!r}"
        bound.append((parameter, word.value))
    given = {parameter.name for parameter, _ in bound}
    missing = [p.name for p in plain if p.default is None and p.name not in given]
    return f"it passes nothing for {', '.join(map(repr, missing))}" if missing else bound


def _value(node: ast.expr | None) -> Any:
    return _NONE if node is None else literal_or(node, _NONE)
