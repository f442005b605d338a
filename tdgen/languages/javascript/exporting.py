"""What the user gets: the module with its exports, its tests for `node --test`, and a package.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from tdgen.languages.files import Unsayable, code_of, must_be_plain, summary, tests_of
from tdgen.languages.javascript.saying import Scope
from tdgen.languages.javascript.writing import NATIVE, class_names, exceptions
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
    """One case as a test; Unsayable where it looks at more than values, errors, and what holds after the call."""
    must_be_plain(case, plan)
    lines, scope = Scope.of(plan).after(case.setup)
    lines += _checks(case, plan, scope)
    for after in case.after:
        lines += same_lines(scope.said(after.expression), scope.said(after.source))
    body = "".join(f"  {line}\n" for line in lines)
    head = "async () =>" if "await " in body else "() =>"
    return f"test({json.dumps(f'{case.function}: {case.name}')}, {head} {{\n{body}}});"


def _checks(case: Case, plan: Plan, scope: Scope) -> list[str]:
    asked, call = case.expectation, scope.said(case.expression)
    if isinstance(asked, Value):
        return same_lines(call, scope.said(asked.source))
    if isinstance(asked, ExpectedException):
        name = asked.type.rpartition(".")[2]
        if name in exceptions(plan) or name in NATIVE:
            if "await " in call:
                return [f"await assert.rejects(async () => {call}, {name});"]
            return [f"assert.throws(() => {call}, {name});"]
    raise Unsayable(case.name)


def same_lines(call: str, expected: str) -> list[str]:
    """That a call gives what is expected, in a block of its own."""
    return [
        "{",
        f"  const actual = {call};",
        f"  const expected = {expected};",
        "  if (!same(actual, expected)) assert.deepEqual(actual, expected);",
        "  assert.ok(same(actual, expected));",
        "}",
    ]
