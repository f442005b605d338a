"""What reading finds in Python code: bugs, dangerous calls, imports that are not allowed, cases that are looked up.

Code is memorized where it looks the shown cases up: literal results for literal arguments.

An *entry* is a place where code gives a literal for literal arguments: a dict's key, or a branch on equality with
parameters (`==`, `in` a container). It is a *hit* where a visible case has these arguments and expects that result.
Each dict is a group of entries, all branches together are another. A group is reported where more than half of its
entries are hits, and at least three where all give True, False or None. Entries for small arguments (None, truth
values, numbers up to 3, one letter, empty containers) are left out: contracts name them, and recursion ends with them.

So neither a table of months of which the cases show a few is reported, nor `if n == 0: return 1`. A contract may ask
for just the table that is found here: a finding is a reason to refuse only where a case fails that was never shown.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from tdgen.files.ruff import lint
from tdgen.impl.developer import OBJECTIONS
from tdgen.language import Findings
from tdgen.source.names import STDLIB
from tdgen.source.syntax import is_literal, literal, parse
from tdgen.types import Case, ExpectedException, Value, argument_value

BLOCKING = {
    "S301": "unpickling is not allowed",
    "S302": "marshal is not allowed",
    "S602": "starting a shell is not allowed",
    "S604": "starting a shell is not allowed",
    "S605": "starting a shell is not allowed",
    "S606": "starting a process is not allowed",
    "S607": "starting a process is not allowed",
    "F821": "",
}
STARTING = ("S606", "S607")
ADVICE = (
    "B006",
    "B008",
    "B012",
    "B015",
    "B018",
    "B023",
    "B035",
    "B904",
    "F601",
    "F632",
    "F811",
    "F823",
    "PLE",
    "RUF033",
)
_WORDED = BLOCKING | OBJECTIONS


def lint_findings(
    module: str,
    first: int,
    last: int,
    *,
    python: str = "",
    allowed: Collection[str] = (),
    within: Collection[range] = (),
) -> Findings:
    """What ruff finds in lines `first` to `last` of a module, its line numbers counted from `first`.

    Only those `within` some of the lines, counted so, where there are any. That a process is started is no finding
    where `allowed` has the module for it.
    """
    rules = [rule for rule in _WORDED | dict.fromkeys(ADVICE) if rule not in STARTING or "subprocess" not in allowed]
    lines = [range(first + part.start - 1, first + part.stop - 1) for part in within] or [range(first, last + 1)]
    remarks = [r for r in lint(module, rules, python=python) if any(r.line in part for part in lines)]
    worded = [(r.code, f"line {r.line - first + 1}: {_WORDED.get(r.code) or r.message}") for r in remarks]
    return Findings(
        blocking=tuple(text for code, text in worded if code in BLOCKING),
        advice=tuple(text for code, text in worded if code not in _WORDED),
        objections=tuple(text for code, text in worded if code in OBJECTIONS),
    )


# Of the standard library, what a function has no business with; settings add to these or allow them.
_FORBIDDEN = (
    "subprocess multiprocessing socket socketserver ssl ctypes pty fcntl resource signal mmap "
    "importlib imp runpy code codeop pdb bdb trace gc inspect sys._getframe pickle marshal shelve dbm "
    "urllib.request http.client http.server ftplib smtplib poplib imaplib telnetlib xmlrpc webbrowser "
    "tkinter turtle idlelib ensurepip venv pip unittest pytest doctest builtins"
)
FORBIDDEN = frozenset(_FORBIDDEN.split())


def import_findings(
    source: str, *, packages: Collection[str], allowed: Collection[str], forbidden: Collection[str]
) -> tuple[str, ...]:
    """Imports beyond the standard library (less what is forbidden) and the plan's packages that are allowed."""
    banned = (FORBIDDEN | frozenset(forbidden)) - frozenset(allowed)
    findings: list[str] = []
    for node in ast.walk(parse(source)):
        for module in _modules(node):
            top = module.split(".")[0]
            if is_under(module, banned):
                findings.append(f"line {node.lineno}: importing {module} is not allowed")  # type: ignore[attr-defined]
            elif top not in STDLIB and top not in packages:
                findings.append(f"line {node.lineno}: {top} is not among the packages that may be imported")  # type: ignore[attr-defined]
    return tuple(findings)


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level:
            return ["." * node.level + (node.module or "")]
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def is_under(module: str, banned: Collection[str]) -> bool:
    """Whether a dotted name, or one that it is part of, is among `banned`."""
    parts = module.split(".")
    return any(".".join(parts[:length]) in banned for length in range(1, len(parts) + 1))


_LEAST_TRUTHS = 3
_TRUTHS = frozenset({"True", "False", "None"})
_RAISES = "raise "

_Keys = tuple[ast.expr, ...]


class _Entry(NamedTuple):
    """Arguments that the code spells out, and what it gives for them, as texts that can be compared; the line."""

    arguments: tuple[str, ...]
    gives: str
    line: int
    is_small: bool


class _Shown(NamedTuple):
    """A visible case: its arguments, each by itself and all as one tuple, and its result."""

    case: Case
    arguments: tuple[str, ...]
    together: str
    expected: str
    is_small: bool


def memorized(source: str, function: str, cases: Sequence[Case]) -> tuple[str, ...]:
    """One sentence for each of the (visible) cases that the source looks up; empty where it looks none up.

    SyntaxError where the source is no Python.
    """
    shown, sentences = _shown(function, cases), dict[str, str]()
    for group in _groups(parse(source)):
        pairs = [(entry, case) for entry in group for case in shown if entry.gives == case.expected]
        hits = [(entry, case) for entry, case in pairs if entry.arguments in (case.arguments, (case.together,))]
        small = {entry for entry, case in hits if case.is_small}.union(entry for entry in group if entry.is_small)
        hits = [(entry, case) for entry, case in hits if entry not in small]
        known, others = {entry for entry, _ in hits}, set(group) - small
        only_truths = all(entry.gives in _TRUTHS for entry in known)
        if 2 * len(known) > len(others) and (len(known) >= _LEAST_TRUTHS or not only_truths):
            for entry, shown_case in hits:
                sentences.setdefault(shown_case.case.name, _sentence(entry, shown_case.case))
    return tuple(sentences.values())


def _groups(tree: ast.Module) -> Iterator[list[_Entry]]:
    """Each dict of a module, and then all its branches as one."""
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    branches: list[_Entry] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            yield [_entry((key,), _text(value), key.lineno) for key, value in pairs if key is not None]
        elif isinstance(node, ast.If):
            asked = _asked(node.test, parameters)
            given = [(text, n.lineno) for n in node.body if (text := _given(n))]
            branches += [_entry(keys, *gives) for gives in given for keys in asked]
        elif isinstance(node, ast.IfExp):
            branches += [_entry(keys, _text(node.body), node.lineno) for keys in _asked(node.test, parameters)]
    yield branches


def _given(node: ast.stmt) -> str:
    """What a statement returns, or that it raises, and what; nothing for any other."""
    match node:
        case ast.Return(value=ast.expr() as value):
            return _text(value)
        case ast.Raise(exc=ast.Call(func=raised)) | ast.Raise(exc=ast.expr() as raised):
            return _RAISES + ast.unparse(raised).rpartition(".")[2]
    return ""


def _asked(test: ast.expr, parameters: set[str]) -> tuple[_Keys, ...]:
    """The literals that a condition compares parameters with, one tuple for each way to fulfil it."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            return tuple(chain.from_iterable(_asked(value, parameters) for value in values))
        case ast.BoolOp(op=ast.And(), values=values):
            every = [ways_in[0] for value in values if len(ways_in := _asked(value, parameters)) == 1]
            return (tuple(chain.from_iterable(every)),) if every else ()
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            ways = [(b,) for a, b in ((left, right), (right, left)) if _is_input(a, parameters)]
            return tuple(ways[:1])
        case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.List() | ast.Tuple() | ast.Set() as among]):
            return tuple((item,) for item in among.elts) if _is_input(left, parameters) else ()
    return ()


def _is_input(node: ast.expr, parameters: set[str]) -> bool:
    if isinstance(node, ast.Tuple | ast.List):
        return all(_is_input(item, parameters) for item in node.elts)
    return isinstance(node, ast.Name) and node.id in parameters


def _entry(keys: _Keys, gives: str, line: int) -> _Entry:
    return _Entry(tuple(map(_text, keys)), gives, line, _are_small(keys))


def _text(node: ast.expr) -> str:
    """A text that two expressions share where they are equal literals, or the same code."""
    return _canonical(literal(node)) if is_literal(node) else ast.dump(node)


def _canonical(value: Any) -> str:
    """Lists are written as tuples, as code looks them up so, and 2.0 as 2."""
    if isinstance(value, list | tuple):
        return f"({', '.join(map(_canonical, value))})"
    return repr(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)


def _are_small(nodes: Sequence[ast.expr]) -> bool:
    return all(is_literal(node) and _is_small(literal(node)) for node in nodes)


def _is_small(value: Any) -> bool:
    """Whether it is such a value as contracts name: None, a truth value, a small number, a letter, one of these."""
    if isinstance(value, int | float | complex):
        return abs(value) <= 3
    if isinstance(value, list | tuple | set | dict):
        return not value or (len(value) == 1 and all(map(_is_small, value)))
    return value is None or (isinstance(value, str | bytes) and len(value) < 2)


def _shown(function: str, cases: Sequence[Case]) -> list[_Shown]:
    calls = [(case, arguments) for case in cases if (arguments := _arguments(case, function))]
    shown_cases = []
    for case, arguments in calls:
        row = tuple(map(_text, arguments))
        match case.expectation:
            case Value(source=source):
                expected = _text(_expression(source))
            case ExpectedException(type=name):
                expected = _RAISES + name.rpartition(".")[2]
            case _:
                continue
        shown_cases.append(_Shown(case, row, f"({', '.join(row)})", expected, _are_small(arguments)))
    return shown_cases


def _arguments(case: Case, function: str) -> list[ast.expr]:
    """The arguments that a case's call gives to the function."""
    if not case.call:
        return [_expression(argument_value(argument)) for argument in case.arguments]
    calls = [node for node in ast.walk(_expression(case.call)) if isinstance(node, ast.Call)]
    ours = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == function]
    return [*ours[0].args, *(keyword.value for keyword in ours[0].keywords)] if len(ours) == 1 else []


def _expression(source: str) -> ast.expr:
    body = parse(source.strip()).body
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else ast.Constant(value=...)


def _sentence(entry: _Entry, case: Case) -> str:
    gives, source = case.expectation, getattr(case.expectation, "source", "")
    given = f"raises `{gives.type}`" if isinstance(gives, ExpectedException) else f"gives `{source}`"
    return f"line {entry.line} spells out the input of the case {case.name!r}, `{case.expression}`, and {given} for it"
