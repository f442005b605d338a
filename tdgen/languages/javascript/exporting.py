"""What the user gets: the module with its exports, its tests for `node --test`, and a package.json."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence

from tdgen.languages.files import Unsayable, code_of, summary, tests_of
from tdgen.languages.javascript.writing import NATIVE, class_names, exceptions, literal
from tdgen.source.syntax import expression_or_none
from tdgen.types import Case, ExpectedException, Plan, Suite, Value


def module_text(plan: Plan, sources: Mapping[str, str], prelude: str) -> str:
    """The module's file: its summary, the plan's classes, the functions and what is exported."""
    names = ", ".join([*class_names(plan), *(spec.name for spec in plan.functions if not spec.name.startswith("_"))])
    return f"/** {summary(plan)} */\n\n{prelude}{code_of(sources)}\n\nexport {{ {names} }};\n"


def package_text(name: str, least: tuple[int, int]) -> str:
    """What `npm test` needs; `least` is the oldest Node."""
    package = {
        "name": name.replace("_", "-"),
        "type": "module",
        "private": True,
        "engines": {"node": f">={least[0]}.{least[1]}"},
        "scripts": {"test": "node --test"},
    }
    return json.dumps(package, indent=2) + "\n"


def tests_text(plan: Plan, suites: Sequence[Suite], module: str, equality: str) -> str:
    """The tests of all suites, as a file; `equality` is the function by which they compare."""
    tests, left = tests_of(suites, lambda case: _test(case, plan))
    said = (
        f"// {left} more case{'s' * (left != 1)} can't be said in JavaScript alone: `tdgen verify` tries them.\n"
        * bool(left)
    )
    return f"{_head(plan, module)}\n\n{equality}{said}\n" + "\n\n".join(tests) + "\n"


def _head(plan: Plan, module: str) -> str:
    names = [*class_names(plan), *(spec.name for spec in plan.functions if not spec.name.startswith("_"))]
    lines = [
        'import assert from "node:assert/strict";',
        'import test from "node:test";',
        f'import {{ {", ".join(names)} }} from "./{module}";',
    ]
    return "\n".join(lines)


def _test(case: Case, plan: Plan) -> str:
    """One case as a test; Unsayable where it does more than to call with plain data and to expect such, or an error."""
    effects = case.effects
    if case.setup or case.after or effects.stdout is not None or effects.stderr is not None or effects.files:
        raise Unsayable(case.name)
    if case.world != type(case.world)() or plan.spec(case.function).is_async or effects.logs is not None:
        raise Unsayable(case.name)
    call = literal(_positional(case, plan), _callable(plan))
    return f"test({json.dumps(f'{case.function}: {case.name}')}, () => {{\n{''.join(_checks(case, call, plan))}}});"


def _callable(plan: Plan) -> dict[str, str]:
    records = {one.name: f"new {one.name}" for one in plan.types}
    return records | {spec.name: spec.name for spec in plan.functions}


def _positional(case: Case, plan: Plan) -> str:
    """The case's call with its arguments by their places; Unsayable where one in between is left out."""
    call = expression_or_none(case.expression)
    if isinstance(call, ast.Call) and call.keywords and isinstance(call.func, ast.Name):
        names = [one.name for one in plan.spec(case.function).parameters if one.name != "*"]
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        wanted = names[len(call.args) : len(call.args) + len(given)]
        if set(wanted) != set(given) or call.func.id != case.function:
            raise Unsayable(case.name)
        call = ast.Call(call.func, [*call.args, *(given[name] for name in wanted)], [])
    return case.expression if call is None else ast.unparse(call)


def _checks(case: Case, call: str, plan: Plan) -> Iterator[str]:
    asked = case.expectation
    if isinstance(asked, Value):
        expected = literal(asked.source, _callable(plan))
        if plan.spec(case.function).returns.unordered:
            raise Unsayable(case.name)
        yield f"  const actual = {call};\n  const expected = {expected};\n"
        yield "  if (!same(actual, expected)) assert.deepEqual(actual, expected);\n"
        yield "  assert.ok(same(actual, expected));\n"
    elif isinstance(asked, ExpectedException):
        name = asked.type.rpartition(".")[2]
        if name not in exceptions(plan) and name not in NATIVE:
            raise Unsayable(case.name)
        yield f"  assert.throws(() => {call}, {name});\n"
    else:
        raise Unsayable(case.name)
