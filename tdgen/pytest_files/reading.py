"""The user's own pytest file, read without running it: what its asserts say, as cases.

A test is read whole or not at all. Read are asserts on a call (`==` on either side, `is`, approx, isclose, any other
predicate as a check), numpy's and pandas' own assertions, `pytest.raises`, local assignments, and `parametrize` tables
of literals. What is not read (fixtures, classes, loops, patching) is not lost: it is named, and the file itself, run as
it is, stays a veto.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from tdgen.errors import InputError
from tdgen.protocols import ReadTests
from tdgen.pytest_files.bodies import Claim, read_body
from tdgen.pytest_files.claims import read_rows
from tdgen.pytest_files.origins import Origins, needs_of, read_origins, substituted
from tdgen.source.syntax import parse
from tdgen.source.trees import Unread, bound_names
from tdgen.types import Case, Check, ExpectedException

_HOOKS = re.compile(r"(setup|teardown)(_module|_function)?|pytest_\w+")


def read_tests(
    source: str,
    functions: Collection[str] | None = None,
    packages: Collection[str] = (),
    *,
    name: str = "your test file",
) -> ReadTests:
    """The cases that the pytest file `source` states, all of provenance `user`.

    The functions under test are `functions`, or where that is None those that the tests call from the module that they
    import. `name` is what messages call the file. Of numpy and pandas a case can name what `packages`, the plan's, has.
    Nothing is run. InputError where the source is not Python or has no tests in it.
    """
    tree = _parsed(source, name)
    origins = read_origins(tree, functions, packages)
    tests = list(_tests(tree))
    if not tests:
        raise InputError(f"{name} has no test in it: no function in it is named test_…")
    surroundings, fixtures = _has_surroundings(tree), _plain_fixtures(tree)
    cases: list[Case] = []
    unread: list[str] = []
    for test, node in tests:
        try:
            if surroundings or not isinstance(node, ast.FunctionDef) or "::" in test:
                raise Unread("more than its own body decides what it does")
            cases.extend(_cases(node, origins, fixtures))
        except Unread:
            unread.append(test)
    merged = _unique(_merged(cases))
    needs = needs_of(tree, tests, origins)
    brought = {n for n in origins.imported if not n.lstrip("_")[:1].isupper()} if functions is None else set()
    return ReadTests(
        cases=merged,
        unread=tuple(unread),
        needs={test: needs[test] for test in unread},
        functions=tuple(sorted(brought.union(origins.called))),
        module=origins.module,
    )


def _parsed(source: str, name: str) -> ast.Module:
    try:
        return parse(source)
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        raise InputError(f"{name} is not Python: {where}{error.msg}") from None


def _tests(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Each test by its name as pytest has it, in the file's order."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef) and member.name.startswith("test"):
                    yield f"{node.name}::{member.name}", member


def _has_surroundings(tree: ast.Module) -> bool:
    """Whether the file does something around its tests: fixtures for all, set-up functions, statements that act."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if _HOOKS.fullmatch(node.name) or any("autouse" in ast.dump(d) for d in node.decorator_list):
                return True
        elif not _is_still(node) or "pytestmark" in bound_names(node):
            return True
    return False


def _is_still(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.If):
        return "__name__" in ast.unparse(node.test)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign | ast.ClassDef | ast.Pass)


def _plain_fixtures(tree: ast.Module) -> dict[str, ast.expr]:
    """What each fixture gives that takes nothing, and does nothing but return it."""
    values = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name, args=ast.arguments(args=[]), body=[ast.Return(value=ast.expr() as made)]):
                if [ast.unparse(decorator) for decorator in node.decorator_list] == ["pytest.fixture"]:
                    values[name] = made
    return values


def _cases(test: ast.FunctionDef, origins: Origins, fixtures: Mapping[str, ast.expr]) -> Iterator[Case]:
    rows = read_rows(test, origins, fixtures)
    taken = [argument.arg for argument in test.args.args if argument.arg in fixtures]
    first: list[ast.stmt] = [parse(f"{name} = {ast.unparse(fixtures[name])}").body[0] for name in taken]
    base = test.name.removeprefix("test").strip("_") or "test"
    for row in rows:
        body = [substituted(origins.renamed(statement), row.values) for statement in (*first, *test.body)]
        claims = read_body(body, origins)
        for number, claim in enumerate(claims, start=1):
            parts = [base, row.label, str(number) if len(claims) > 1 else ""]
            yield _case("_".join(filter(None, parts)), claim, origins)


def _case(name: str, claim: Claim, origins: Origins) -> Case:
    function = origins.subject(claim.call)
    arguments = _arguments(claim.call, function)
    return Case(
        name=name,
        function=function,
        kind="error" if isinstance(claim.expectation, ExpectedException) else "normal",
        provenance="user",
        setup="\n".join(ast.unparse(statement) for statement in claim.setup),
        arguments=arguments or (),
        call="" if arguments is not None else ast.unparse(claim.call),
        expectation=claim.expectation,
        why=claim.why,
    )


def _arguments(call: ast.expr, function: str) -> tuple[str, ...] | None:
    """The arguments' sources where `call` is the plain call of the function, else None."""
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function):
        return None
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    by_name = (f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in call.keywords)
    return (*(ast.unparse(argument) for argument in call.args), *by_name)


def _merged(cases: list[Case]) -> Iterator[Case]:
    """The cases with those that do the same joined: a value says more than checks, and checks are said together."""
    together: dict[str, list[Case]] = {}
    for case in cases:
        together.setdefault(case.call_key, []).append(case)
    for group in together.values():
        checks = [case.expectation.source for case in group if isinstance(case.expectation, Check)]
        stated = [case for case in group if not isinstance(case.expectation, Check)]
        kept = {case.expectation: case for case in reversed(stated)}
        if kept:
            yield from reversed(kept.values())
        elif len(set(checks)) == 1:
            yield group[0]
        else:
            source = "\n".join(f"assert {check}" for check in dict.fromkeys(checks))
            yield group[0].model_copy(update={"expectation": Check(source=source)})


def _unique(cases: Iterator[Case]) -> tuple[Case, ...]:
    """The cases, each under a name of its own."""
    taken: set[str] = set()
    named: list[Case] = []
    for case in cases:
        name, number = case.name, 1
        while name in taken:
            number += 1
            name = f"{case.name}_{number}"
        taken.add(name)
        named.append(case.model_copy(update={"name": name}))
    return tuple(named)
