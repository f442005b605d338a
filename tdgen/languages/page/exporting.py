"""What the user gets beside the module: its tests for `node --test`, and `page.mjs`, by which they open pages.

A test says what its case does in Playwright's words for JavaScript, and runs in whatever Chrome or Chromium is there.
What reads a page, and what is in it beside the code, are the very texts by which cases are judged.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

from tdgen.languages.files import Unsayable, must_be_plain, tests_of
from tdgen.languages.javascript.exporting import same_lines
from tdgen.languages.javascript.saying import Scope
from tdgen.languages.page import dom, driver
from tdgen.languages.shapes import DOM
from tdgen.source.syntax import expression_or_none, literal, statements_of
from tdgen.types import Case, ExpectedException, Plan, Suite, Value

_OPTIONS: Final = {"get_by_role": ("role", "name"), "get_by_label": ("text",), "get_by_text": ("text",)}


def tests_text(plan: Plan, suites: Sequence[Suite], module: str, equality: str, served_by: str) -> str:
    """The tests of all suites, as a file; `equality` is the function by which they compare.

    Where they name what makes a service, `served_by`, that is what `started()` of the file starts; empty for none.
    """
    tests, left = tests_of(suites, lambda case: _test(case, plan, served_by))
    said = f"// {left} more case{'s' * (left != 1)} can't be said here: `tdgen verify` tries them.\n" * bool(left)
    head = [
        'import assert from "node:assert/strict";',
        'import test from "node:test";',
        'import { open } from "./page.mjs";',
    ]
    return "\n".join(head) + f"\n\n{equality}{said}\n" + "\n\n".join(tests) + "\n"


def opener_text(text: str, module: str, inner: str, reader: str) -> str:
    """`page.mjs` for a module: `text` with what it opens pages by."""
    values = {
        "inner": inner,
        "reader": reader,
        "flags": driver.FLAGS,
        "alone": driver.ALONE,
        "tab": driver.TAB,
        "csp": driver.CSP,
        "blank": driver.BLANK,
        "keys": dom.KEYS,
        "modifiers": dom.MODIFIERS,
        "reading": dom.READING,
    }
    filled = re.sub(r"\$(\w+);", lambda match: f"{json.dumps(values[match[1]])};", text)
    return filled.replace("$file", module)


def _test(case: Case, plan: Plan, served_by: str) -> str:
    """One case as a test; Unsayable where it looks at more than a page, values and errors."""
    must_be_plain(case, plan)
    said = _Said(plan, served_by)
    for node in statements_of(case.setup):
        said.statement(node)
    asked, call = case.expectation, _tree(case.expression)
    if isinstance(asked, ExpectedException):
        name = asked.type.rpartition(".")[2]
        said.lines.append(f"await assert.rejects(async () => {said.value(call)}, {{ name: {json.dumps(name)} }});")
    elif isinstance(asked, Value):
        said.compare(call, _tree(asked.source))
    else:
        raise Unsayable(case.name)
    for after in case.after:
        said.compare(_tree(after.expression), _tree(after.source))
    opening = [] if said.page else ["const page = await open();"]  # where the case opens none itself
    body = "".join(f"  {line}\n" for line in (*opening, *said.lines))
    return f"test({json.dumps(f'{case.function}: {case.name}')}, async () => {{\n{body}}});"


def _tree(source: str) -> ast.expr:
    tree = expression_or_none(source)
    if tree is None:
        raise Unsayable(source)
    return tree


class _Said:
    """A case's statements in JavaScript, as far as they are said.

    `queries` are variables that hold a page, or elements of one.
    """

    def __init__(self, plan: Plan, served_by: str = "") -> None:
        self._served_by, self._services = served_by, set[str]()
        self._plan, self._scope = plan, Scope.of(plan)
        self._units = {spec.name for spec in plan.functions if not spec.interface}
        self.lines: list[str] = []
        self.queries: set[str] = set()
        self.page = ""
        self._plain: dict[str, ast.expr] = {}

    def statement(self, node: ast.stmt) -> None:
        """Say one statement of a setup."""
        match node:
            case ast.Import() | ast.ImportFrom():
                return
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=of)))) if (
                of == DOM
            ):
                arguments = ", ".join(_plain(one) for one in node.value.args)  # type: ignore[attr-defined]
                self.lines.append(f"{'' if name in self.queries else 'let '}{name} = await open({arguments});")
                self.queries.add(name)
                self.page = self.page or name
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._service(value):
                self.lines.append(f"const {name} = {self._service(value)};")
                self._services.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if query := self.query(value):
                    self.lines.append(f"{'' if name in self.queries else 'let '}{name} = {query};")
                    self.queries.add(name)
                elif self._calls(value):
                    raise Unsayable(ast.unparse(node))
                else:
                    self._plain[name] = self._filled(value)
            case ast.Expr(value=ast.Call() as call):
                self.lines.append(f"{self.value(call)};")
            case _:
                raise Unsayable(ast.unparse(node))

    def compare(self, call: ast.expr, expected: ast.expr) -> None:
        """Say that a call gives what is expected."""
        if isinstance(expected, ast.Constant) and expected.value is None and self._calls(call):
            self.lines.append(f"{self.value(call)};")
        else:
            self.lines += same_lines(self.value(call), _plain(self._filled(expected)))

    def value(self, node: ast.expr) -> str:
        """What a planned call gives, or what is read of the page, alone or in a list."""
        match node:
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return f"[{', '.join(self.value(one) for one in items)}]"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr="run"), args=[inner], keywords=[]):
                return self.value(inner)
            case ast.Call(func=ast.Name(id=name)) if name in self._units:
                return self._planned(node)
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if query := self.query(owner):
                if name == "serve" and len(node.args) == 1:
                    return f"{query}.serve({self._service(node.args[0])})"
                if name == "route":
                    named = dict(zip(("path", "json"), node.args, strict=False)) | {
                        one.arg: one.value for one in node.keywords
                    }
                    if (path := named.pop("path", None)) is not None:
                        options = ", ".join(f"{key}: {_plain(self._filled(one))}" for key, one in named.items())
                        return f"{query}.route({_plain(self._filled(path))}, {{ {options} }})"
                if name in (*dom.READING, *dom.ACTING, *dom.OF_PAGE, "wait_for_timeout"):
                    return f"await {query}.{camel(name)}({self._given(node)})"
        raise Unsayable(ast.unparse(node))

    def query(self, node: ast.expr) -> str:
        """A page, or elements that are looked for, in JavaScript; empty for all else."""
        match node:
            case ast.Name(id=name) if name in self.queries:
                return name
            case ast.Attribute(value=owner, attr="first" | "last" as name) if of := self.query(owner):
                return f"{of}.{name}()"
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in dom.QUERIES and (
                of := self.query(owner)
            ):
                return f"{of}.{camel(name)}({self._looked_for(node, name)})"
        return ""

    def _planned(self, call: ast.Call) -> str:
        """A call of the code within the page, with the elements that it is given."""
        elements: list[str] = []

        def element(node: ast.expr) -> ast.expr:
            if not (query := self.query(node)):
                return self._filled(node)
            elements.append(query)
            return ast.Name(id=f"element{len(elements)}")

        args = [element(one) for one in call.args]
        named = [ast.keyword(arg=one.arg, value=element(one.value)) for one in call.keywords]
        names = [f"element{place + 1}" for place in range(len(elements))]
        scope = self._scope._replace(variables=frozenset(names))
        said = scope.said(ast.unparse(ast.Call(func=call.func, args=args, keywords=named)))
        given = ", ".join([f"({', '.join(names)}) => {said}", *elements])
        return f"await {self.page or 'page'}.evaluate({given})"

    def _service(self, node: ast.expr) -> str:
        """A service that is started, or was; empty for all else."""
        match node:
            case ast.Name(id=name) if name in self._services:
                return name
            case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name and name == self._served_by:
                return "await started()"
        return ""

    def _looked_for(self, node: ast.expr, name: str) -> str:
        assert isinstance(node, ast.Call)
        places = _OPTIONS.get(name, ())
        by_name = dict(zip(places, node.args, strict=False)) | {one.arg: one.value for one in node.keywords}
        if not places:
            return self._given(node)
        first = by_name.pop(places[0], None)
        if first is None or None in by_name:
            raise Unsayable(ast.unparse(node))
        options = ", ".join(f"{key}: {_plain(self._filled(value))}" for key, value in by_name.items())
        return _plain(self._filled(first)) + (f", {{ {options} }}" if options else "")

    def _given(self, node: ast.Call) -> str:
        if node.keywords:
            raise Unsayable(ast.unparse(node))
        return ", ".join(_plain(self._filled(one)) for one in node.args)

    def _calls(self, node: ast.expr) -> bool:
        return any(isinstance(one, ast.Name) and one.id in self._units for one in ast.walk(node))

    def _filled(self, node: ast.expr) -> ast.expr:
        """An expression with the plain values of variables in their place."""
        known = self._plain

        class Fill(ast.NodeTransformer):
            def visit_Name(self, name: ast.Name) -> ast.expr:
                return known.get(name.id, name)

        filled = Fill().visit(deepcopy(node))
        assert isinstance(filled, ast.expr)
        return filled


def camel(name: str) -> str:
    """A name of Playwright's for Python as it is for JavaScript."""
    first, *others = name.split("_")
    return first + "".join(one.capitalize() for one in others)


def _plain(node: ast.expr) -> str:
    """Plain data as JSON; Unsayable for all else."""
    try:
        value: Any = literal(node)
        return json.dumps(value)
    except (ValueError, TypeError, SyntaxError):
        raise Unsayable(ast.unparse(node)) from None
