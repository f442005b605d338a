"""What the user gets beside the service: the tests of each side and of both together, and what serves the page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Template
from typing import Final, NamedTuple

from tdgen.languages.files import text_of
from tdgen.languages.fullstack.planning import is_page, makers, side_of
from tdgen.languages.page.exporting import tests_text
from tdgen.protocols import suite_files
from tdgen.types import Case, FunctionSpec, Plan, Suite, file_of_tests

_INDEX: Final = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>$title</title>
</head>
<body>
<main id="app"></main>
<script type="module">
import { $show } from "./$script";
$show(document.querySelector("#app"));
</script>
</body>
</html>
""")
_CONFTEST: Final = Template('''"""Has each application that a test makes hold to the contract: else it raises."""

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

import contract  # noqa: E402
import $module  # noqa: E402

_routes = contract.Contract(json.loads((FOLDER / "contract.json").read_text(encoding="utf-8")))
_made = $module.$maker
$module.$maker = lambda *args, **kwargs: contract.held(_made(*args, **kwargs), _routes)
''')
_STARTED: Final = Template("""import { spawn } from "node:child_process";
import { after } from "node:test";

/** The address of a service of its own, which is started. PYTHON names an interpreter with its packages. */
async function started() {
  const ends = { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] };
  const service = spawn(process.env.PYTHON ?? "python3", ["serve.py", "0"], ends);
  after(() => service.kill());
  let said = "";
  for await (const part of service.stdout) if ((said += part).includes("\\n")) return said.trim();
  throw new Error("the service does not start: install $packages");
}
""")
_README: Final = Template("""
## How to run it

- `pip install $packages`, then `python serve.py` shows the page at http://127.0.0.1:8000, with the service behind it.
- `python -m pytest` runs the service's tests: requests without a server, each answer held against `contract.json`.
- `node --test $script.test.mjs` runs the page's tests in a Chrome or Chromium: there tests answer the requests.
- `node --test end_to_end.test.mjs` runs both together: the page in the browser, the service in Python.
""")


class PageSuites(NamedTuple):
    """The suites of a page: cases that answer its requests themselves, and those that the service answers."""

    alone: list[Suite]
    together: list[Suite]


def page_suites(plan: Plan, suites: Sequence[Suite]) -> PageSuites:
    """The page's suites, each case on its own or with the service."""
    alone, both = list[Suite](), list[Suite]()
    for suite in suites:
        if is_page(plan.spec(suite.function)):
            tried = together(plan, suite.cases)
            alone.append(suite.model_copy(update={"cases": tuple(one for one in suite.cases if one not in tried)}))
            both.append(suite.model_copy(update={"cases": tried}))
    return PageSuites(alone, both)


def together(plan: Plan, cases: Sequence[Case]) -> tuple[Case, ...]:
    """Those that the service answers."""
    application = re.compile(rf"\b(?:{'|'.join(makers(plan))})\b")
    return tuple(case for case in cases if application.search(f"{case.setup}\n{case.expression}"))


def files(
    plan: Plan, suites: Sequence[Suite], page: PageSuites, contract: str, routes: str, beside: Mapping[str, str]
) -> dict[str, str]:
    """The files by name; `beside` are the page's."""
    service, own = side_of(plan, page=False), side_of(plan, page=True)
    module, (maker,) = plan.module.rpartition(".")[2], makers(plan)
    script = f"{module}.mjs"
    names = {"module": module, "maker": maker, "script": script}
    packages = " ".join(name for name in service.packages if name != "pydantic")
    texts: dict[str, str] = {
        file_of_tests(one.function): suite_files().render_suite(one, service.spec(one.function), service)
        for one in suites
        if one.cases and not is_page(plan.spec(one.function))
    }
    equality = (
        beside[f"{module}.test.mjs"].partition('import { open } from "./page.mjs";\n\n')[2].partition("\ntest(")[0]
    )
    both = tests_text(own, page.together, script, equality, maker)
    texts["end_to_end.test.mjs"] = both.replace("\n\n", f"\n{_STARTED.substitute(packages=packages)}\n", 1)
    texts |= {"contract.json": f"{routes}\n", "contract.py": contract, "conftest.py": _CONFTEST.substitute(names)}
    serving = text_of("tdgen.languages.fullstack", "serve.py.txt")
    texts["serve.py"] = Template(serving).safe_substitute(names)
    if show := shown(plan):
        texts["index.html"] = _INDEX.substitute(title=plan.summary or module, show=show.name, script=script)
    client = "" if "flask" in packages else " httpx2"
    texts["README.md"] = _README.substitute(packages=f"{packages}{client} pytest", script=module)
    return texts


def shown(plan: Plan) -> FunctionSpec | None:
    """The function that shows the whole page: it takes an element alone, and its tests try both sides together."""
    applications = set(makers(plan))
    whole = [one for one in plan.functions if is_page(one) and applications & set(one.dependencies)]
    return next((one for one in whole if len(one.parameters) == 1 and not one.interface), None)
