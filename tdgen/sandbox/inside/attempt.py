"""One probe on its way: a module executed afresh, its setup and arguments, the call, and what is looked at afterwards.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ast
import atexit
import io
import linecache
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any

from tdgen.sandbox.inside import raised, recorders, scratch
from tdgen.sandbox.inside.namespace import resolve
from tdgen.sandbox.inside.watching import Unwatched
from tdgen.sandbox.inside.world import Stage
from tdgen.values import encode, rebuild


class Candidate:
    """A module's source, compiled once and executed anew for each probe.

    `public` are the names of classes with those of what is told of their instances.
    """

    def __init__(self, name: str, source: str, public: dict[str, list[str]] | None = None) -> None:
        self.name, self.source, self.public = name, source, public or {}
        self.filename = f"{name}.py"
        whole = io.StringIO(source, newline="").readlines()  # not splitlines, which knows other ends than the parser
        self.lines = [line.rstrip("\r\n") for line in whole]
        self._code: types.CodeType | None = None
        linecache.cache[self.filename] = (len(source), None, whole, self.filename)

    def code(self) -> types.CodeType:
        """The module's code. Whatever compiling its source raises passes through."""
        if self._code is None:
            self._code = compile(self.source, self.filename, "exec", dont_inherit=True)
        return self._code

    def execute(self) -> types.ModuleType:
        """The module, fresh, and known to `import` under its name. Whatever its source raises passes through."""
        code = self.code()
        module = types.ModuleType(self.name)
        module.__file__ = self.filename
        self._place(module)
        exec(code, module.__dict__)  # noqa: S102 - this is what the sandbox is for
        return module

    def _place(self, module: types.ModuleType) -> None:
        """Make the module known to `import`, and the packages that its name says it is in."""
        sys.modules[self.name] = module
        above, _, name = self.name.rpartition(".")
        while above:
            package = types.ModuleType(above)
            package.__path__ = []
            setattr(package, name, module)
            sys.modules[above] = module = package
            above, _, name = above.rpartition(".")


class Attempt:
    """One probe on its way: module, setup, arguments, call, and what is looked at afterwards."""

    def __init__(self, candidate: Candidate, probe: dict[str, Any], stage: Stage) -> None:
        self.candidate, self._probe, self._stage = candidate, probe, stage
        self.watcher = Unwatched()
        self._namespace: dict[str, Any] = {}
        self._own: frozenset[str] = frozenset()
        self._arguments: dict[str, Any] = {}
        self._before: dict[str, Any] = {}

    def told(self) -> dict[str, Any]:
        """The observation as plain data, whatever the candidate does (short of ending the process)."""
        told: dict[str, Any] = {"status": "not_run"}
        try:
            doing = "the module could not be executed"
            self._stage.before_module(self._probe["world"])
            if self._probe["world"]["script"] is not None:
                self._stage.before_call(self._probe["world"])
                self.watcher.phase("setup")
                return self.surroundings(self._call(self._run_script))
            self._namespace = dict(self.candidate.execute().__dict__)
            doing = "the setup failed"
            self.watcher.phase("setup")
            self._prepare()
            doing = "an argument could not be evaluated"
            thunk = self._thunk()
        except BaseException as error:  # noqa: BLE001 - SystemExit and all
            told.update(raised=self._describe(error), detail=f"{doing}: {type(error).__name__}")
        else:
            told.update(self._call(thunk))
            told["after"] = [self._after(source) for source in self._probe["after"]]
        return self.surroundings(told)

    def surroundings(self, told: dict[str, Any]) -> dict[str, Any]:
        """`told`, with what was watched, what was printed and which files there are."""
        self.watcher.phase("end")
        told.update(self.watcher.told())
        try:
            told["stdout"], told["stderr"] = self._stage.printed()
            room = self._stage.room
            told["files"] = scratch.collect(self._stage.folder, room)
        except BaseException as error:  # noqa: BLE001 - a candidate may have put anything in their place
            told.update(status="unreadable", detail=f"its streams or files can't be read: {type(error).__name__}")
        return told

    def _run_script(self) -> None:
        """Run the module as the interpreter runs a script, to the end: threads, exit handlers, the last words.

        Versions of one candidate come as a setup: what it defines takes the place of the module's own before the
        module's last statement, which calls the entry.
        """
        filename, setup = self.candidate.filename, self._probe["setup"]
        sys.argv = [filename, *self._probe["world"]["script"]]
        module = types.ModuleType("__main__")
        module.__file__ = filename
        sys.modules["__main__"] = module
        try:
            if setup:
                tree = ast.parse(self.candidate.source)
                last = tree.body.pop()
                exec(compile(tree, filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
                exec(compile(setup, "<setup>", "exec", dont_inherit=True), module.__dict__)  # noqa: S102
                code = compile(ast.Module([last], []), filename, "exec", dont_inherit=True)
            else:
                code = self.candidate.code()
            exec(code, module.__dict__)  # noqa: S102 - this is what the sandbox is for
        except SystemExit as ending:
            if ending.code is not None and not isinstance(ending.code, int):
                sys.stderr.write(f"{ending.code}\n")
            raise
        finally:
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and not thread.daemon:
                    thread.join()
            atexit._run_exitfuncs()  # noqa: SLF001 - the interpreter's own name for what it does at its end

    def _prepare(self) -> None:
        """Bind what is given, set the world up, execute the setup."""
        given = {name: rebuild.rebuild(told, self._namespace) for name, told in self._probe["given"].items()}
        self._namespace.update(given)
        self._stage.before_call(self._probe["world"])
        self._own = frozenset(given)
        if not self._probe["setup"]:
            return
        setup = ast.parse(self._probe["setup"], "<setup>")
        nodes = list(ast.walk(setup))
        resolve(nodes, self._namespace, self.candidate.name, self._own)
        exec(compile(setup, "<setup>", "exec", dont_inherit=True), self._namespace)  # noqa: S102
        self._own |= {name for node in nodes for name in _bound(node)}

    def _thunk(self) -> Callable[[], Any]:
        """What is to be called, its arguments evaluated and told."""
        probe = self._probe
        if probe["call"]:
            code = self._compiled(ast.parse(probe["call"].strip(), "<call>", "eval"))
            return lambda: eval(code, self._namespace)  # noqa: S307
        function = self._evaluate(ast.parse(probe["function"], "<call>", "eval"))
        positional, keywords = self._evaluated(probe["arguments"])
        self._arguments = {**{str(place): value for place, value in enumerate(positional)}, **keywords}
        self._before = {name: _quietly(value) for name, value in self._arguments.items()}
        return lambda: function(*positional, **keywords)

    def _evaluated(self, sources: list[str]) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments, in the order that they are written."""
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        for source in sources:
            call: Any = ast.parse(f"_({source}\n)", "<argument>", "eval").body
            for node in call.args:
                if isinstance(node, ast.Starred):
                    positional.extend(self._evaluate(ast.Expression(node.value)))
                else:
                    positional.append(self._evaluate(ast.Expression(node)))
            for keyword in call.keywords:
                value = self._evaluate(ast.Expression(keyword.value))
                keywords.update(value if keyword.arg is None else {keyword.arg: value})
        return positional, keywords

    def _evaluate(self, tree: ast.Expression) -> Any:
        return eval(self._compiled(tree), self._namespace)  # noqa: S307

    def _compiled(self, tree: ast.Expression) -> types.CodeType:
        """The expression's code, once its well-known names are bound."""
        resolve(list(ast.walk(tree)), self._namespace, self.candidate.name, self._own)
        return compile(tree, "<call>", "eval", dont_inherit=True)

    def _call(self, thunk: Callable[[], Any]) -> dict[str, Any]:
        """Make the call: what it returned or raised, and which arguments it changed."""
        began = time.perf_counter()
        self.watcher.phase("call")
        log = recorders.Log() if self._probe["logs"] else None
        try:
            result = thunk()
            self._bind_outcome("result", result)
            value = encode.encode(result, public=self._public())
        except encode.Unencodable as error:
            told: dict[str, Any] = {"status": "unreadable", "detail": str(error)}
        except BaseException as error:  # noqa: BLE001 - SystemExit and all
            self._bind_outcome("error", error)
            told = {"status": "raised", "raised": self._describe(error)}
        else:
            told = {"status": "returned", "value": value}
        self.watcher.phase("called")
        told["seconds"] = time.perf_counter() - began
        if log:
            told["logs"] = log.ended(self._stage.room)
        left = {name: _quietly(value) for name, value in self._arguments.items()}
        told["mutated"] = {name: value for name, value in left.items() if value != self._before[name]}
        return told

    def _public(self) -> list[tuple[type, list[str]]]:
        """The classes whose instances are told by public state: the module's, and what a setup put in their place."""
        module = sys.modules.get(self.candidate.name)
        spaces = (self._namespace, vars(module) if type(module) is types.ModuleType else {})
        found: list[tuple[Any, list[str]]] = []
        for name, names in self.candidate.public.items():
            found += [(space.get(name), names) for space in spaces]
        return [(kind, names) for kind, names in found if issubclass(type(kind), type)]

    def _bind_outcome(self, name: str, value: Any) -> None:
        """Have the expressions after the call see what came of it, where the case has no such name of its own."""
        if name not in self._own:
            self._namespace[name] = value
            self._own |= {name}

    def _after(self, source: str) -> Any:
        """One expression evaluated after the call; one that raises equals nothing."""
        try:
            value = self._evaluate(ast.parse(source.strip(), "<after>", "eval"))
            return encode.encode(value, public=self._public())
        except BaseException as error:  # noqa: BLE001 - SystemExit and all
            said = f"raised {type(error).__name__}: {raised.message(error)}"
            return {"$": "opaque", "class": encode.qualified_name(type(error)), "what": said}

    def _describe(self, error: BaseException) -> dict[str, Any]:
        return raised.describe(error, self.candidate.filename, self.candidate.lines)


def _quietly(value: Any) -> Any:
    """`value` told without taking anything from an iterator; None where it can't be told."""
    try:
        return encode.encode(value, iterate=False)
    except BaseException:  # noqa: BLE001 - what can't be told can't be compared
        return None


def _bound(node: ast.AST) -> list[str]:
    """The names that one node of a setup binds."""
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, ast.Store) else []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).split(".")[0]]
    return []
