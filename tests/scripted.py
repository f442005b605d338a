"""Instructions told with all of a model's answers, and a solver that solves them for real: sandbox, cache and all.

    double = write.function(
        "double(number: int) -> int",
        cases=[write.returns("double(2)", "4"), write.returns("double(0)", "0")],
        tries=["def double(number: int) -> int: return number", "def double(number: int) -> int: return 2 * number"],
    )
    solved = solver.solve(double)

The first try is what the model answers when it is asked to implement, the others when it is asked to repair.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

from tdgen.client import Generator, Handed
from tdgen.errors import ModelError
from tdgen.events import Event
from tdgen.models.scripted import Script, ScriptedAnswer, ScriptedModel
from tdgen.pipeline.testing import hold_out
from tdgen.protocols import Answer, Model, Request, Sandbox
from tdgen.sandbox.packages import Packages
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.testgen.reply import CaseReply, slug
from tdgen.types import FunctionResult


class Said(NamedTuple):
    """An answer word for word, where it is not just code."""

    text: str
    finish_reason: str = "stop"


@dataclass(frozen=True)
class Written:
    """One function: its contract as the planner answers it, and what test author and developer answer."""

    spec: dict[str, Any]
    cases: Sequence[Sequence[dict[str, Any]] | Said] = ()
    tries: Sequence[str | Said] = ()
    rival: str | Said | None = None
    also: Sequence[ScriptedAnswer] = ()

    @property
    def name(self) -> str:
        return self.spec["name"]

    @property
    def held_out(self) -> list[dict[str, Any]]:
        """Those of the cases that no prompt may show, as the test author wrote them."""
        cases = self.cases[-1]
        names = hold_out([CaseReply(**case).case(self.name) for case in cases])
        return [case for case in cases if slug(case["name"]) in names]

    def answers(self) -> Iterator[ScriptedAnswer]:
        for number, given in enumerate(self.cases, start=1):
            said = given if isinstance(given, Said) else Said(json.dumps({"cases": given}))
            # the second answer mends the first; the third and fourth are to a question for more cases
            key = {"attempt": number} if number <= 2 else {"variant": "more", "attempt": number - 2}
            yield _answer("cases", self.name, said=said, **key)
        for number, given in enumerate(self.tries, start=1):
            yield _answer("implement" if number == 1 else "repair", self.name, number, _code(given))
            if number > 1:  # a fresh attempt, if one is asked for in place of a repair
                yield from (_answer("implement", self.name, number, _code(given), line) for line in (1, 2))
        if self.rival is not None:
            yield _answer("implement", self.name, 1, _code(self.rival), 1)
        yield from (answer.model_copy(update={"subject": self.name}) for answer in self.also)


class Write:
    """Functions and cases in few words."""

    said = Said

    @staticmethod
    def function(
        signature: str,
        purpose: str = "It does as its cases say.",
        *,
        cases: Sequence[dict[str, Any]] | Said = (),
        mended_cases: Sequence[dict[str, Any]] | Said | None = None,
        tries: Sequence[str | Said] = (),
        rival: str | Said | None = None,
        also: Sequence[ScriptedAnswer] = (),
        uses: Sequence[str] = (),
        raises: Sequence[str] = (),
        **more: Any,
    ) -> Written:
        """A function by its `def` line without `def` and colon; `mended_cases` is the test author's second answer."""
        tree = ast.parse(
            f"{signature.replace('async ', 'async def ') if 'async ' in signature else 'def ' + signature}: 0"
        )
        node = tree.body[0]
        spec = {
            "name": node.name,
            "purpose": purpose,
            "parameters": list(_parameters(node.args)),
            "returns": ast.unparse(node.returns),
            "raises": [{"type": name, "when": "its cases say when"} for name in raises],
            "dependencies": list(uses),
            "is_async": isinstance(node, ast.AsyncFunctionDef),
        }
        answers = [cases] if mended_cases is None else [cases, mended_cases]
        return Written(spec | more, answers, tries, rival, also)

    @staticmethod
    def klass(
        skeleton: str,
        *,
        cases: Sequence[dict[str, Any]] | Said = (),
        mended_cases: Sequence[dict[str, Any]] | Said | None = None,
        tries: Sequence[str | Said] = (),
        also: Sequence[ScriptedAnswer] = (),
        uses: Sequence[str] = (),
        raises: Sequence[str] = (),
        **more: Any,
    ) -> Written:
        """A class by its source without bodies; each public method may raise what `raises` names."""
        (node,) = ast.parse(dedent(skeleton)).body
        attributes = [part for part in node.body if isinstance(part, ast.AnnAssign)]
        spec = {
            "name": node.name,
            "purpose": ast.get_docstring(node) or "It does as its cases say.",
            "bases": [ast.unparse(base) for base in node.bases],
            "attributes": [{"name": a.target.id, "type": ast.unparse(a.annotation)} for a in attributes],
            "methods": [
                _method(part, raises) for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
            ],
            "dependencies": list(uses),
        }
        answers = [cases] if mended_cases is None else [cases, mended_cases]
        return Written(spec | more, answers, tries, None, also)

    @staticmethod
    def settles(*answers: dict[str, Any], variant: str = "survivors", **key: int) -> ScriptedAnswer:
        """What the test author says of calls: see `gives` and `leaves_open`, in the order of the calls."""
        told = [answer | {"number": number} for number, answer in enumerate(answers, start=1)]
        return ScriptedAnswer(purpose="settle", variant=variant, text=json.dumps({"answers": told}), **key)

    @staticmethod
    def rules(*rulings: dict[str, Any], **key: Any) -> ScriptedAnswer:
        """What a trial says of cases, one vote."""
        return ScriptedAnswer(purpose="trial", text=json.dumps({"rulings": list(rulings)}), **key)

    @staticmethod
    def returns(call: str, value: str, **more: Any) -> dict[str, Any]:
        """A case in which the call returns a value."""
        return _case(call, "value", value, more)

    @staticmethod
    def raises(call: str, exception: str, **more: Any) -> dict[str, Any]:
        """A case in which the call raises an exception."""
        return _case(call, "raises", exception, {"kind": "error", **more})

    @staticmethod
    def holds(call: str, check: str, **more: Any) -> dict[str, Any]:
        """A case in which a check holds for the call's result."""
        return _case(call, "check", check, more)

    @staticmethod
    def exits(words: Sequence[str], code: int, **more: Any) -> dict[str, Any]:
        """A case in which the module, run as a script with these words, ends with an exit code."""
        name = "_".join(["script", *words, str(code)])
        return {"name": name, "arguments": list(words), "expect": "exits", "value": str(code), **more}

    @staticmethod
    def example(quote: str, call: str, value: str, expect: str = "value") -> dict[str, Any]:
        """An example that the planner found in the instruction."""
        return {"function": call.partition("(")[0], "quote": quote, "call": call, "value": value, "expect": expect}


def _parameters(arguments: ast.arguments) -> Iterator[dict[str, str]]:
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(arguments.args, defaults, strict=True):
        told = {"name": argument.arg, "type": ast.unparse(argument.annotation)}
        yield told | ({"default": ast.unparse(default)} if default else {})


_KINDS = {"classmethod": "class", "staticmethod": "static", "property": "property", "abstractmethod": "abstract"}


def _method(node: ast.FunctionDef | ast.AsyncFunctionDef, raises: Sequence[str]) -> dict[str, Any]:
    """A method as the planner answers it."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    kind = "setter" if any(d.endswith(".setter") for d in decorators) else _KINDS.get("".join(decorators), "instance")
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    is_async = isinstance(node, ast.AsyncFunctionDef)
    return {
        "signature": f"{'async ' * is_async}{node.name}({ast.unparse(node.args)}){returns}",
        "kind": kind,
        "purpose": ast.get_docstring(node) or "",
        "raises": [{"type": name, "when": "its cases say when"} for name in raises],
    }


def _case(call: str, expect: str, value: str, more: dict[str, Any]) -> dict[str, Any]:
    """A plain call is told by its arguments, as test authors do it, and gives the case its name."""
    tree = ast.parse(call, mode="eval").body
    is_plain = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id not in vars(builtins)
    plain = {"arguments": [ast.unparse(argument) for argument in tree.args]} if is_plain else {}
    how = plain if is_plain and not tree.keywords else {"call": call}
    name = re.sub(r"\W+", "_", call).strip("_").lower()
    return {"name": name, **how, "expect": expect, "value": value} | more


def _code(given: str | Said) -> Said:
    return given if isinstance(given, Said) else Said(f"Here it is.\n```python\n{dedent(given).strip()}\n```")


def _answer(purpose: str, subject: str, attempt: int, said: Said, sample: int = 0, variant: str = "") -> ScriptedAnswer:
    return ScriptedAnswer(
        purpose=purpose,
        subject=subject,
        attempt=attempt,
        sample=sample,
        variant=variant,
        text=said.text,
        finish_reason=said.finish_reason,
    )


class Obliging(ScriptedModel):
    """A scripted model that leaves every call open, rules on no case and knows no property, unless its script does."""

    def ask(self, request: Request) -> Answer:
        try:
            return super().ask(request)
        except ModelError:
            if request.purpose not in ("settle", "trial", "properties"):
                raise
            calls = re.findall(r"^(\d+)\. ", text_of(request).rpartition("<calls>")[2], re.MULTILINE)
            said = {"answers": [{"number": int(n), "expect": "open"} for n in calls], "rulings": [], "properties": []}
            return Answer(text=json.dumps(said))


class Gate:
    """A model that answers only while its gate is open; `waiting` is set when somebody stands before it.

    It is closed for a purpose, or for one about a function: `implement double`.
    """

    def __init__(self, inner: Model, closed_for: str) -> None:
        self.inner = inner
        self.name = getattr(inner, "name", "")
        self.closed_for = closed_for
        self.waiting = threading.Event()
        self.open = threading.Event()
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        if self.closed_for in (request.purpose, f"{request.purpose} {request.subject}"):
            self.waiting.set()
            assert self.open.wait(30.0), "nobody opened the gate"
        return self.inner.ask(request)


@dataclass
class Solved:
    """A solution, what was asked on the way to it, and what happened."""

    solution: Solution
    model: Any
    events: list[Event] = field(default_factory=list)

    def __getitem__(self, function: str) -> FunctionResult:
        return next(result for result in self.solution.results if result.function == function)

    def prompts(self, purpose: str, subject: str = "") -> list[str]:
        """What was asked for a purpose (about one function), each request as one text."""
        return [text_of(r) for r in self.model.asked if r.purpose == purpose and subject in ("", r.subject)]

    def happened(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


def text_of(request: Request) -> str:
    return "\n".join(message.content for message in request.messages)


def with_answer(model, purpose, text, **key):
    """The same model with one answer more."""
    script = Script(answers=(*model._script.answers, ScriptedAnswer(purpose=purpose, text=text, **key)))
    return type(model)(script)


class Solver:
    """Makes generators that share a warm sandbox, and a cache folder of the test's own."""

    def __init__(self, sandbox: Sandbox, oracle: Sandbox, cache_dir: Path, packages: Packages | None = None) -> None:
        self.sandbox = sandbox
        self.oracle = oracle
        self.packages = packages
        self.cache_dir = cache_dir
        self.events: list[Event] = []
        self._generators: list[Generator] = []

    def model(
        self,
        *functions: Written,
        plan: dict[str, Any] | Said | None = None,
        readings: Sequence[str | Said] = (),
        **of_plan: Any,
    ) -> ScriptedModel:
        """A model that plans these functions, and answers what they say; `plan` is its whole answer instead.

        `readings` are its answers to the whole instruction, one after the other.
        """
        specs = [function.spec for function in functions]
        classes = [spec for spec in specs if "methods" in spec]
        told = {"module": "kit", "functions": [spec for spec in specs if spec not in classes], **of_plan}
        told |= {"classes": classes} if classes else {}
        said = plan if isinstance(plan, Said) else Said(json.dumps(plan or told))
        answers = [answer for function in functions for answer in function.answers()]
        answers += [_answer("reading", "", 1, _code(given), sample) for sample, given in enumerate(readings)]
        return Obliging(Script(answers=(_answer("plan", "", 1, said), *answers)))

    def generator(self, model: Model | None = None, executor: Executor | None = None, /, **settings: Any) -> Generator:
        """A generator at trust level quick, unless said otherwise."""
        chosen = Settings(**{"trust": "quick", "search_seconds": 0, "cache_dir": str(self.cache_dir)} | settings)
        made = Generator(chosen, on_event=self.events.append, model=model, executor=executor)
        vars(made._runtime).update(sandbox=self.sandbox, oracle=self.oracle, _packages=self.packages)
        self._generators.append(made)
        return made

    def solve(
        self,
        *functions: Written,
        text: str = "Write what is needed.",
        handed: Handed = Handed(),  # noqa: B008 - immutable
        model: Model | None = None,
        settings: dict[str, Any] | None = None,
        **of_plan: Any,
    ) -> Solved:
        """An instruction solved by a model that answers what the functions say."""
        answering = model or self.model(*functions, **of_plan)
        self.events.clear()
        solution = self.generator(answering, **settings or {}).solve(text, handed)
        return Solved(solution, answering, list(self.events))

    def close(self) -> None:
        for generator in self._generators:
            generator.close()
