"""The back end for a service and its page: units in Python and in JavaScript, and one contract between them.

The planner says of each unit its side, and what the page asks and the service answers: routes with JSON schemas. The
service is judged by requests without a server, and whatever it answers must be as the contract says; the page is judged
in a browser, by answers that are as it says, and whatever it asks must be, too. Then both are judged together: the
service answers the page's requests, in a process of its own.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tdgen.depgraph import Dependencies
from tdgen.errors import InputError
from tdgen.language import ReadCode, Surroundings
from tdgen.languages.files import text_of
from tdgen.languages.fullstack import exporting
from tdgen.languages.fullstack.planning import SidedPlan, is_page, makers, problems, side_of
from tdgen.languages.page import PageScript
from tdgen.languages.python import Python
from tdgen.prompts import render
from tdgen.prompts.context import web_scope
from tdgen.source.fragment import assemble, trusted_fragment
from tdgen.specs.declarations import declare_types, stub_head, stub_of
from tdgen.types import Case, FunctionSpec, Plan, Suite
from tdgen.types.interface import Route

_OF_PAGES = frozenset({"react", "react-dom", "preact", "vue", "svelte", "angular", "jquery", "lit", "next", "solid-js"})
"""What is asked for most of what no interpreter of Python has."""


class _Page(PageScript):
    """The page's side: its requests, and the answers to them, are held against the contract."""

    def agreed(self, plan: Plan) -> dict[str, Any]:
        """The contract that a page's requests and answers are held against."""
        return {"contract": {"text": contract_text(), "routes": [one.model_dump(mode="json") for one in plan.routes]}}


class FullStack(PageScript):
    """A service in Python, and its page in JavaScript."""

    name = "Python and JavaScript"
    reply = SidedPlan
    imports = True
    note = warming = ""
    """What the service is asked needs no browser: one is started where a page is first opened."""
    page = _Page()

    def __init__(self, surroundings: Surroundings = Surroundings()) -> None:  # noqa: B008 - immutable
        if packages := sorted(surroundings.allowed & _OF_PAGES):
            raise InputError(
                f"--allow {', '.join(packages)}: a page's code imports no packages; a service's are Python's"
            )
        super().__init__(surroundings)

    def planning(self, packages: Collection[str]) -> str:
        """What the planner is told; InputError without a web framework, as there is no service then."""
        framework = web_scope(packages)
        if not framework:
            raise InputError(
                "a service is written with a web framework: allow one, by --allow fastapi, starlette or flask"
            )
        page = self.page.planning(packages).rstrip("\n")
        return f"{render('tdgen.languages.fullstack', 'planning', web=framework, page=page)}\n"

    def problems(self, plan: Plan) -> list[str]:
        """What of a plan can't be written."""
        own = list(problems(plan))
        return own or self.page.problems(side_of(plan, page=True))

    def name_of(self, spec: FunctionSpec) -> str:
        """That of its side."""
        return (self.page if is_page(spec) else self._service).name

    def unit_note(self, spec: FunctionSpec, plan: Plan) -> str:
        """On which side it is, how tests ask it, and the contract where that binds it."""
        applications = makers(plan)
        routes = f"<contract_of_both_sides>\n{routes_text(plan.routes)}\n</contract_of_both_sides>"
        if spec.name in applications:
            return render("tdgen.languages.fullstack", "note_service", routes=routes)
        if not is_page(spec):
            return ""
        parts = [PageScript.note]
        if note := self.page.unit_note(spec, plan):
            parts += [note, render("tdgen.languages.fullstack", "note_page", routes=routes)]
        if set(applications) & set(spec.dependencies):
            parts.append(render("tdgen.languages.fullstack", "note_together", maker=applications[0]))
        return "\n".join(parts)

    def unshown(self, spec: FunctionSpec, plan: Plan, cases: Sequence[Case]) -> str:
        """Of what shows the page that the service answers it."""
        is_whole = is_page(spec) and set(makers(plan)) & set(spec.dependencies)
        tried = exporting.together(plan, cases)
        return "no case is left that tries it with the service behind it" if is_whole and not tried else ""

    def rules(self, spec: FunctionSpec, plan: Plan, *, is_repair: bool = False) -> str:
        """What the developer is told; a repair is whole."""
        own = side_of(plan, page=is_page(spec))
        return (self.page if is_page(spec) else self._service).rules(own.spec(spec.name), own)

    def read(self, text: str, spec: FunctionSpec, plan: Plan, **more: Any) -> ReadCode:
        """The code of an answer."""
        own = side_of(plan, page=is_page(spec))
        return (self.page if is_page(spec) else self._service).read(text, spec, own)

    @property
    def _service(self) -> Python:
        return Python(self.surroundings)

    def stub(self, spec: FunctionSpec) -> str:
        """The unit before anything is written."""
        return self.page.stub(spec) if is_page(spec) else stub_of(spec)

    def module(self, plan: Plan, sources: Mapping[str, str], types: str, unit: str = "") -> str:
        """The module that stands for these sources: for a unit of the service that alone, for one of the page both."""
        service, page = (_of_side(plan, sources, page=which) for which in (False, True))
        asked = side_of(plan, page=False)
        pieces = map(trusted_fragment, (*stub_head(asked.functions), *service.values()))
        code = assemble(declare_types(asked), pieces)
        if unit and not is_page(plan.spec(unit)):
            return f"{code}\n{_held(plan, service)}"
        own = side_of(plan, page=True)
        return self._together(plan, self.page.module(own, page, types), code if service else "")

    def module_of(
        self, plan: Plan, text: str, types: str, unit: str = "", beside: Mapping[str, str] | None = None
    ) -> str:
        """The same of the file of the service, with the page's beside it."""
        if unit and not is_page(plan.spec(unit)):
            return f"{text}\n{_held(plan, makers(plan))}"
        own = side_of(plan, page=True)
        page = (beside or {}).get(self.page.file(own), "")
        return self._together(plan, self.page.module_of(own, page, types), text)

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The service's file."""
        return self._service.finished(side_of(plan, page=False), _of_side(plan, sources, page=False))

    def file(self, plan: Plan) -> str:
        """That file's name."""
        return f"{plan.module.rpartition('.')[2]}.py"

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """The page, the tests of each side and of both together, and what serves them."""
        own = side_of(plan, page=True)
        page = exporting.page_suites(plan, suites)
        files = self.page.tests(own, page.alone, sources)
        files[self.page.file(own)] = self.page.finished(own, _of_side(plan, sources, page=True))
        return files | exporting.files(plan, suites, page, contract_text(), routes_text(plan.routes), files)

    def commands(self, plan: Plan) -> tuple[tuple[str, ...], ...]:
        """What runs the page's tests; those of the service and of both together are judged, and run by the user."""
        return tuple((*words, f"{plan.module}.test.{self.suffix}") for words in self.page.commands(plan))

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """All of them: a file that lacks one of its own fails its cases."""
        return list(names)

    def _together(self, plan: Plan, page: str, service: str) -> str:
        """What stands for the page, with the service behind it where there is one."""
        setup = {
            "source": service,
            "makers": makers(plan),
            "contract": contract_text(),
            "packages": side_of(plan, page=False).packages,
        }
        driver = f"_loaded('tdgen.languages.service', {text_of(__name__, 'service.py')!r})"
        return f"{page}\n{driver}.opened(_json.loads({json.dumps(setup)!r}), globals())\n" if service else page


def _of_side(plan: Plan, sources: Mapping[str, str], *, page: bool) -> dict[str, str]:
    """The sources of one side, what others stand on first."""
    order = [name for group in Dependencies(plan).order for name in group]
    return {name: sources[name] for name in order if name in sources and is_page(plan.spec(name)) is page}


def _held(plan: Plan, there: Collection[str]) -> str:
    """What has each application that is made hold to the contract, where what makes it is there."""
    lines = ["import functools as _functools", f"_agreed = {{}}\nexec({contract_text()!r}, _agreed)"]
    lines.append(f"_contract = _agreed['Contract']({[one.model_dump(mode='json') for one in plan.routes]!r})")
    for name in set(makers(plan)) & set(there):
        lines.append(f"_made_{name} = {name}")
        lines.append(f"@_functools.wraps(_made_{name})\ndef {name}(*args, **kwargs):")
        lines.append(f"    return _agreed['held'](_made_{name}(*args, **kwargs), _contract)\n")
    return "\n".join(lines)


def routes_text(routes: Sequence[Route]) -> str:
    """The contract as JSON, a route a line."""
    return "[\n " + ",\n ".join(json.dumps(one.model_dump(mode="json"), ensure_ascii=False) for one in routes) + "\n]"


def contract_text() -> str:
    """Contracts, and how an application is asked and held to one, as one file."""
    first, second = text_of(__name__, "schema.py"), text_of(__name__, "asking.py")
    imports = "import asyncio\nimport io\nimport json\nimport sys\n"
    second = second.partition("import Contract, ContractBroken\n")[2]
    return first.replace("import json\n", imports, 1) + "\n" + second
