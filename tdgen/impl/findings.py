"""What reading alone finds in generated code: imports that are not allowed, dangerous calls, and real bugs."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import NamedTuple

from tdgen.impl.accidents import ACCIDENT
from tdgen.ruff import lint
from tdgen.syntax import parse

# Of the standard library, what a function has no business with; settings add to these or allow them.
_FORBIDDEN = (
    "subprocess multiprocessing socket socketserver ssl ctypes pty fcntl resource signal mmap "
    "importlib imp runpy code codeop pdb bdb trace gc inspect sys._getframe pickle marshal shelve dbm "
    "urllib.request http.client http.server ftplib smtplib poplib imaplib telnetlib xmlrpc webbrowser "
    "tkinter turtle idlelib ensurepip venv pip unittest pytest doctest builtins"
)
FORBIDDEN = frozenset(_FORBIDDEN.split())
OBJECTIONS = {
    "S102": "exec is not allowed",
    "S307": "eval is not allowed: parse the text instead",
}
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


class Findings(NamedTuple):
    """What stands against the code, and what is worth saying only when it fails.

    `objections` stand against it until its author was told of them and comes back with the same.
    """

    blocking: tuple[str, ...]
    advice: tuple[str, ...]
    objections: tuple[str, ...] = ()


def import_findings(
    source: str, *, packages: Collection[str], allowed: Collection[str], forbidden: Collection[str]
) -> tuple[str, ...]:
    """Imports beyond the standard library (less what is forbidden) and the plan's packages that are allowed."""
    from tdgen.values.names import STDLIB

    banned = (FORBIDDEN | frozenset(forbidden)) - frozenset(allowed)
    found: list[str] = []
    for node in ast.walk(parse(source)):
        for module in _modules(node):
            top = module.split(".")[0]
            if is_under(module, banned):
                found.append(f"line {node.lineno}: importing {module} is not allowed")  # type: ignore[attr-defined]
            elif top not in STDLIB and top not in packages:
                found.append(f"line {node.lineno}: {top} is not among the packages that may be imported")  # type: ignore[attr-defined]
    return tuple(found)


def lint_findings(module: str, first: int, last: int, *, python: str = "", allowed: Collection[str] = ()) -> Findings:
    """What ruff finds in lines `first` to `last` of a module, its line numbers counted from `first`.

    That a process is started is no finding where `allowed` has the module for it.
    """
    rules = [rule for rule in _WORDED | dict.fromkeys(ADVICE) if rule not in STARTING or "subprocess" not in allowed]
    remarks = [r for r in lint(module, rules, python=python) if first <= r.line <= last]
    told = [(r.code, f"line {r.line - first + 1}: {_WORDED.get(r.code) or r.message}") for r in remarks]
    return Findings(
        blocking=tuple(text for code, text in told if code in BLOCKING),
        advice=tuple(text for code, text in told if code not in _WORDED),
        objections=tuple(text for code, text in told if code in OBJECTIONS),
    )


def objected(finding: str) -> str:
    """What a finding objects to: `eval`, `exec`, or an exception by accident; empty where it is no objection."""
    text = finding.partition(": ")[2]
    if text in OBJECTIONS.values():
        return text.split()[0]
    return ACCIDENT if f" {ACCIDENT}, " in text else ""


def insistence(objection: str) -> str:
    """What the user is told of an author who was objected to and came back with the same."""
    if objection == ACCIDENT:
        return "an exception that its cases expect comes of no check; its author was asked, and means it so"
    return f"it calls {objection}, and did so again when told not to: never give it text that others wrote"


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
