"""What must hold for all inputs: the test author writes it as Hypothesis tests, from the contract alone.

Properties are the tests that no implementation can know by heart. A test runs in one process with what it tests, which
could forge it: a property never makes anything green, it finds the calls on which a green is not one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from pydantic import BaseModel, ConfigDict

from tdgen.errors import ReplyError
from tdgen.prompts import conversation
from tdgen.prompts.cases import cases_section
from tdgen.prompts.context import PromptContext, dependencies_section
from tdgen.protocols import Model, Promised, Request, suite_files
from tdgen.replies import ask_for
from tdgen.source.syntax import lines_of, parse
from tdgen.source.trees import bound_names, called_names, read_names
from tdgen.testgen.reply import slug
from tdgen.types import Case, FunctionSpec, Plan, Property

LONGEST = 6000
_DECORATORS = frozenset({"given", "example"})
_OURS = frozenset({"settings", "seed", "reproduce_failure"})
_IMPORTED = frozenset({"hypothesis", "hypothesis.strategies", "pytest"})

Try = Callable[[Sequence[Property]], Mapping[str, str]]
"""What running tells of properties where nothing is implemented: what is wrong with which, by name."""


class PropertyReply(BaseModel):
    """One property, as it is answered."""

    model_config = ConfigDict(extra="ignore")

    name: str = ""
    source: str
    why: str = ""


class PropertiesReply(BaseModel):
    """All properties of a function; perhaps none."""

    model_config = ConfigDict(extra="ignore")

    properties: list[PropertyReply]


def sound(promised: Promised, evaluate: Try) -> Promised:
    """Those of them in which running finds nothing wrong; the others are set aside."""
    failed = evaluate(promised.properties) if promised.properties else {}
    kept = tuple(one for one in promised.properties if one.name not in failed)
    return Promised(kept, {**promised.set_aside, **failed})


def write_properties(
    model: Model,
    context: PromptContext,
    *,
    cases: Sequence[Case],
    most: int = 4,
    evaluate: Try = lambda properties: {},
) -> Promised:
    """At most `most` properties of a function, checked by reading and then by `evaluate`; none is a good answer.

    `cases` are those that exist beside what is pinned. What is wrong goes back to the author once; of two answers the
    one with more sound properties counts, and its others are set aside. Nothing is raised for an answer that can't be
    read: BudgetSpent and ModelError pass through.
    """
    answers: list[Promised] = []

    def problems(reply: PropertiesReply) -> list[str]:
        promised = sound(read_properties(reply.properties[:most], context.spec, context.plan), evaluate)
        answers.append(promised)
        return [f"property {name!r}: {problem}" for name, problem in promised.set_aside.items()]

    with suppress(ReplyError):
        spec, known = context.spec, (context.spec.name, *context.spec.dependencies)
        others = (other for other in context.plan.functions if other.name not in known)
        ask_for(
            model,
            Request(
                purpose="properties",
                subject=spec.name,
                messages=conversation(
                    "tdgen.testgen",
                    "properties",
                    most=str(most),
                    function=spec.name,
                    context=context.text,
                    functions=dependencies_section("other_functions_of_the_plan", others),
                    cases=cases_section("cases_that_exist", [case for case in cases if not case.is_pinned]),
                ),
                schema_name="properties",
            ),
            PropertiesReply,
            problems,
        )
    return max(reversed(answers), key=lambda answer: len(answer.properties), default=Promised())


def functions_in(source: str, plan: Plan) -> frozenset[str]:
    """The plan's functions that a property names."""
    names = {node.id for node in ast.walk(parse(source)) if isinstance(node, ast.Name)}
    return frozenset(spec.name for spec in plan.functions if spec.name in names)


def read_sources(sources: Sequence[str], spec: FunctionSpec, plan: Plan) -> Promised:
    """The properties that come with cases, as sources alone."""
    return read_properties([PropertyReply(source=source) for source in sources], spec, plan)


def read_properties(replies: Iterable[PropertyReply], spec: FunctionSpec, plan: Plan) -> Promised:
    """The properties that reading finds sound, and what is wrong with the others."""
    good: list[Property] = []
    wrong: dict[str, str] = {}
    for place, one in enumerate(replies, start=1):
        try:
            prop = _property(one, spec, plan)
            if prop.name in {other.name for other in good} | wrong.keys():
                raise _Unsound("there is another one of that name")
            suite_files().render_properties([prop], spec, plan)
            good.append(prop)
        except ValueError as error:  # _Unsound is one, and so is what can't be rendered
            said = one.name or next(iter(re.findall(r"def (test_\w+)", one.source)), "")
            name = slug(said) if said else f"number_{place}"
            wrong[name if name not in wrong else f"{name}_{place}"] = str(error)
    return Promised(tuple(good), wrong)


class _Unsound(ValueError):
    """A property that can't be taken; the message says why."""


def _property(reply: PropertyReply, spec: FunctionSpec, plan: Plan) -> Property:
    if len(reply.source) > LONGEST:
        raise _Unsound(f"it is longer than {LONGEST} characters")
    try:
        body = parse(reply.source).body
    except SyntaxError as error:
        raise _Unsound(f"it is no Python: {error.msg}") from None
    tests = [node for node in body if not _is_import(node, plan)]
    test = tests[0] if len(tests) == 1 else None
    if not isinstance(test, ast.FunctionDef):
        raise _Unsound("its source must be one function with its decorators and nothing else")
    if not test.name.startswith("test_"):
        raise _Unsound(f"its function must be called test_…, not {test.name}")
    for name in (_name(node).rpartition(".")[2] for node in test.decorator_list):
        if name not in _DECORATORS | _OURS:
            raise _Unsound(f"it may be decorated with given and example alone, not {name or 'something else'}")
    drawn = [node for node in test.decorator_list if isinstance(node, ast.Call) and _name(node) == "given"]
    if len(drawn) != 1 or not (drawn[0].args or drawn[0].keywords):
        raise _Unsound("it must be decorated with one @given(...) that says what is drawn")
    _check_body(test, spec)
    why = reply.why or ast.get_docstring(test) or ""
    return Property(name=test.name, source=_source(reply.source, test), why=" ".join(why.split()))


def _is_import(node: ast.stmt, plan: Plan) -> bool:
    """Whether it imports what is there anyway: the rendered file has import lines of its own."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return False
    planned = {other.name for other in plan.functions} | {shared.name for shared in plan.types}
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and {alias.name for alias in node.names} <= planned:
        return True
    for module in modules:
        if module not in (*_IMPORTED, plan.module) and module.partition(".")[0] not in sys.stdlib_module_names:
            raise _Unsound(f"it may import nothing but hypothesis and the standard library, not {module}")
    return True


def _check_body(test: ast.FunctionDef, spec: FunctionSpec) -> None:
    within = ast.Module(body=test.body, type_ignores=[])
    if spec.name not in read_names(within):  # `map(f, xs)` calls it, too: on a stub it must fail
        raise _Unsound(f"it never names {spec.name!r}")
    if spec.name in bound_names(test):
        raise _Unsound(f"it gives the name {spec.name!r} to something else")
    if any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(within)):
        raise _Unsound("it must not import anything: the standard library is there")
    asserts = [node for node in ast.walk(within) if isinstance(node, ast.Assert)]
    if any(isinstance(node.test, ast.Constant) for node in asserts):
        raise _Unsound("it asserts a constant, which says nothing")
    if not asserts and "pytest.raises" not in set(called_names(within)):
        raise _Unsound("it asserts nothing")


def _source(source: str, test: ast.FunctionDef) -> str:
    """The function as it was written, or written anew where it brings settings of its own."""
    kept = [node for node in test.decorator_list if _name(node).rpartition(".")[2] not in _OURS]
    if len(kept) < len(test.decorator_list):
        test.decorator_list = kept
        return ast.unparse(test) + "\n"
    lines = lines_of(source)
    first = min([test.lineno, *(node.lineno for node in test.decorator_list)])
    return "\n".join(lines[first - 1 : test.end_lineno]) + "\n"


def _name(node: ast.expr) -> str:
    """The dotted name of a decorator, called or not."""
    called = node if isinstance(node, ast.Call) else ast.Call(func=node, args=[], keywords=[])
    return next(called_names(ast.Expr(called)), "")
