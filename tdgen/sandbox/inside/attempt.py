"""One probe on its way: its setup and arguments, the call, and what is looked at afterwards.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ast
import atexit
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any

from tdgen.sandbox.inside import raised, recorders, scratch
from tdgen.sandbox.inside.candidate import Candidate
from tdgen.sandbox.inside.namespace import is_bound, resolve
from tdgen.sandbox.inside.watching import Unwatched
from tdgen.sandbox.inside.world import ProbeEnvironment
from tdgen.values import encode, rebuild
from tdgen.values.facts import members_of

_TAKE = "__take__"
"""The name by which an argument's source calls what takes its value, or values."""


class Attempt:
    """One probe on its way: module, setup, arguments, call, and what is looked at afterwards."""

    def __init__(self, candidate: Candidate, probe: dict[str, Any], environment: ProbeEnvironment) -> None:
        self.candidate, self._probe, self._environment = candidate, probe, environment
        self.watcher = Unwatched()
        self.when_ready: Callable[[], object] = lambda: None
        self._namespace: dict[str, Any] = {}
        self._own: frozenset[str] = frozenset()
        self._arguments: dict[str, Any] = {}
        self._before: dict[str, Any] = {}

    def observation(self) -> dict[str, Any]:
        """The observation as plain data, whatever the candidate does (short of ending the process)."""
        observed: dict[str, Any] = {"status": "not_run"}
        doing = "the module could not be executed"
        try:
            self._environment.before_module(self._probe["world"])
            if self._probe["world"]["script"] is not None:
                self._environment.before_call(self._probe["world"])
                self.watcher.phase("setup")
                return self.surroundings(self._call(self._run_script))
            doing = ""
            module = self.candidate.execute().__dict__
            self.when_ready()
            self._namespace = {**module, **module.get(rebuild.STAND_INS, {})}
            if self.candidate.project:
                self._environment.drop_output()
            doing = "the setup failed"
            self.watcher.phase("setup")
            self._prepare()
            doing = "an argument could not be evaluated"
            thunk = self._thunk()
        except BaseException as error:  # noqa: BLE001 - SystemExit and all
            doing = doing or self.candidate.fault()
            observed.update(raised=raised.describe(error, self.candidate), detail=f"{doing}: {type(error).__name__}")
        else:
            observed.update(self._call(thunk))
            observed["after"] = [self._after(source) for source in self._probe["after"]]
        return self.surroundings(observed)

    def surroundings(self, observed: dict[str, Any]) -> dict[str, Any]:
        """`observed`, with what was watched, what was printed and which files there are."""
        self.watcher.phase("end")
        observed.update(self.watcher.recorded())
        try:
            observed["stdout"], observed["stderr"] = self._environment.printed()
            room = self._environment.room
            observed["files"] = scratch.collect(self._environment.folder, room)
        except BaseException as error:  # noqa: BLE001 - a candidate may have put anything in their place
            observed.update(status="unreadable", detail=f"its streams or files can't be read: {type(error).__name__}")
        return observed

    def _run_script(self) -> None:
        """Run the module as the interpreter runs a script, to the end: threads, exit handlers, the last words.

        Versions of one candidate come as a setup: what it defines takes the place of the module's own before the
        module's last statement, which calls the entry.
        """
        module, setup = self.candidate.as_main(), self._probe["setup"]
        filename = self.candidate.filename
        self._environment.drop_output()
        sys.argv = [filename, *self._probe["world"]["script"]]
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
        given = {name: rebuild.rebuild(encoded, self._namespace) for name, encoded in self._probe["given"].items()}
        self._namespace.update(given)
        self._environment.before_call(self._probe["world"])
        self._own = frozenset(given)
        if not self._probe["setup"]:
            return
        nodes, code = self.candidate.setup(self._probe["setup"])
        resolve(nodes, self._namespace, self.candidate.is_meant, self._own, self.candidate.elsewhere)
        exec(code, self._namespace)  # noqa: S102
        self._own |= {name for node in nodes for name in _bound(node)}

    def _thunk(self) -> Callable[[], Any]:
        """What is to be called, its arguments evaluated and encoded."""
        probe = self._probe
        if probe["call"]:
            code = self._compiled(probe["call"])
            return lambda: eval(code, self._namespace)  # noqa: S307
        function = self._evaluate(probe["function"])
        positional, keywords = self._evaluated(probe["arguments"])
        self._arguments = {**{str(place): value for place, value in enumerate(positional)}, **keywords}
        self._before = {name: _quietly(value) for name, value in self._arguments.items()}
        return lambda: function(*positional, **keywords)

    def _evaluated(self, sources: list[str]) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments, in the order that they are written; of a name that comes twice the last.

        Each place has code of its own, told apart by line ends: equal constants of one code are one object, and what
        compares by identity would pass.
        """
        self._namespace[_TAKE] = lambda *positional, **keywords: (positional, keywords)
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        for place, source in enumerate(sources, start=1):
            line_ends = "\n" * place
            some, named = self._evaluate(f"{_TAKE}({source}{line_ends})")
            positional.extend(some)
            keywords.update(named)
        return positional, keywords

    def _evaluate(self, source: str) -> Any:
        return eval(self._compiled(source), self._namespace)  # noqa: S307

    def _compiled(self, source: str) -> types.CodeType:
        """The expression's code, once its well-known names are bound."""
        code, names = self.candidate.expression(source)
        if not all(is_bound(name, self._namespace, self._own, self.candidate.elsewhere) for name in names):
            nodes = list(ast.walk(ast.parse(source.strip(), "<call>", "eval")))
            resolve(nodes, self._namespace, self.candidate.is_meant, self._own, self.candidate.elsewhere)
        return code

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
            observed: dict[str, Any] = {"status": "unreadable", "detail": str(error)}
        except BaseException as error:  # noqa: BLE001 - SystemExit and all
            self._bind_outcome("error", error)
            observed = {"status": "raised", "raised": raised.describe(error, self.candidate)}
        else:
            observed = {"status": "returned", "value": value}
        self.watcher.phase("called")
        observed["seconds"] = time.perf_counter() - began
        if log:
            observed["logs"] = log.ended(self._environment.room)
        left = {name: _quietly(value) for name, value in self._arguments.items()}
        observed["mutated"] = {name: value for name, value in left.items() if value != self._before[name]}
        return observed

    def _public(self) -> list[tuple[type, list[str]]]:
        """The classes whose instances are encoded by public state: the module's, a setup's for these, and others'."""
        module = sys.modules.get(self.candidate.name)
        spaces = (self._namespace, vars(module) if type(module) is types.ModuleType else {})
        classes: list[tuple[Any, list[str]]] = []
        for name, names in self.candidate.public.items():
            classes += [(space.get(name), names) for space in spaces] if "." not in name else [(_class_at(name), names)]
        return [(kind, names) for kind, names in classes if issubclass(type(kind), type)]

    def _bind_outcome(self, name: str, value: Any) -> None:
        """Have the expressions after the call see what came of it, where the case has no such name of its own."""
        if name not in self._own:
            self._namespace[name] = value
            self._own |= {name}

    def _after(self, source: str) -> Any:
        """One expression evaluated after the call; one that raises equals nothing."""
        try:
            value = self._evaluate(source)
            return encode.encode(value, public=self._public())
        except BaseException as error:  # noqa: BLE001 - SystemExit and all
            said = f"raised {type(error).__name__}: {raised.message(error)}"
            return {"$": "opaque", "class": encode.qualified_name(type(error)), "what": said}


def _class_at(name: str) -> Any:
    """What has that qualified name in a module that was imported; None where nothing has."""
    above, _, last = name.rpartition(".")
    there: Any = sys.modules.get(above)
    if type(there) is types.ModuleType:
        return vars(there).get(last)
    owner = _class_at(above) if above else None
    return members_of(owner).get(last) if issubclass(type(owner), type) else None


def _quietly(value: Any) -> Any:
    """`value` encoded without taking anything from an iterator; None where it can't be."""
    try:
        return encode.encode(value, iterate=False)
    except BaseException:  # noqa: BLE001 - what can't be encoded can't be compared
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
