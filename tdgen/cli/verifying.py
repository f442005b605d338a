"""`tdgen verify`: the tests of a solution that is there already, run again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdgen.cli import options
from tdgen.cli.reporting import Reports, notice_line
from tdgen.cli.solving import NOT_GREEN
from tdgen.cli.summary import MOST_FAILURES, failure_line
from tdgen.errors import InputError
from tdgen.terminal.output import Line, count, give_json, give_lines, say

if TYPE_CHECKING:
    from tdgen.outputs.notices import Notice
    from tdgen.outputs.places import Package
    from tdgen.pipeline.finishing import Verification

LOG_LINES = 12  # of pytest's log; a judgement: half a terminal's height


@options.settings(options.SANDBOX, options.CODE, options.CACHE)
def verify(
    name: options.Kept,
    *,
    json: options.Json = False,
    sarif: options.Sarif = None,
    markdown: options.Markdown = None,
    flags: dict[str, Any],
) -> int:
    """Run a solution's tests again in the sandbox, offline: no model is asked.

    Of a folder its files are tried as they are now. The exit code is 0 where all pass and 1 where not.

    \b
    tdgen verify ./calendars
    tdgen verify 3f2a91bc --json
    tdgen verify ./calendars --sarif tdgen.sarif
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cli.inputs import is_folder, package_of
    from tdgen.client import Generator
    from tdgen.settings import load_settings

    if sarif is not None and not is_folder(name):
        raise InputError("--sarif tells the lines of files: name the folder that the solution was written to")
    with Generator(load_settings(flags)) as generator:
        reports = Reports(sarif, markdown, generator.folder).checked()
        package = package_of(generator, name)
        began = time.monotonic()
        verification = generator.verify(package.solution, package.files)
        milliseconds = round((time.monotonic() - began) * 1000)
    notices = list(_notices(Path(name).absolute(), package, verification)) if is_folder(name) else []
    if json:
        give_json(_verified_json(verification, milliseconds))
    else:
        give_lines(list(verified_lines(package.solution.plan.module, verification, milliseconds)))
        for notice in notices:
            say(*notice_line(notice))
    rows = [
        (f"{name}::{unit}", str(len(verdicts)), str(sum(verdict.passed for verdict in verdicts)))
        for unit, verdicts in verification.verdicts.items()
    ]
    end = f"{verification.runner}: {'all' if verification.tests_passed else 'not all'} tests pass" * bool(
        verification.runner
    )
    reports.write("verify", Path(name), notices, (("unit", "cases", "pass"), rows, end))
    return 0 if verification.passed else NOT_GREEN


def _notices(folder: Path, package: Package, verification: Verification) -> Iterator[Notice]:
    """The functions that fail, each at its line of the module; where none does, the tests that fail."""
    from tdgen.outputs.notices import TESTS_FAIL, Notice
    from tdgen.project.module import line_of

    module, judged = folder / package.module, True
    for name, verdicts in verification.verdicts.items():
        failed = [verdict for verdict in verdicts if not verdict.passed]
        if name in verification.missing:
            text = "is missing: the module has no code for it yet"
        elif failed:
            text = f"{failure_line(failed[0], failed[0].case)} ({len(failed)} of {count(len(verdicts), 'case')} fail)"
        else:
            continue
        judged = False
        yield Notice(TESTS_FAIL, module, line_of(module, name), name, text, {"case": failed[0].case if failed else ""})
    for test, outcome in verification.report.outcomes.items() if judged else ():
        if outcome == "failed" and verification.runner != "pytest":
            yield Notice(TESTS_FAIL, module, 1, test, "fails")
        elif outcome == "failed":
            path, _, name = test.partition("[")[0].partition("::")
            file = folder / next(own for own in package.files if f"/{path}".endswith(f"/{own}"))
            yield Notice(TESTS_FAIL, file, line_of(file, name.replace("::", ".")), name, "fails")


def verified_lines(module: str, verification: Verification, milliseconds: int) -> Iterator[Line]:
    """What a verification came to, function by function."""
    width = max(map(len, verification.verdicts), default=0)
    for function, verdicts in verification.verdicts.items():
        if function in verification.missing:
            yield Line(f"{function:<{width}}  is missing: the module has no code for it yet", "bad")
            continue
        failed = [verdict for verdict in verdicts if not verdict.passed]
        passed = len(verdicts) - len(failed)
        text = f"{function:<{width}}  {passed} of {count(len(verdicts), 'case')} pass"
        yield Line(text, "bad" if failed else "good")
        yield from (Line(f"    {failure_line(verdict, verdict.case)}") for verdict in failed[:MOST_FAILURES])
    yield from _test_lines(verification) if verification.runner else ()
    whole = f"all of {module} passes" if verification.passed else "not all passes"
    yield Line(f"{whole}, in {milliseconds:,} ms, without a model", "good" if verification.passed else "bad")


def _test_lines(verification: Verification) -> Iterator[Line]:
    outcomes = verification.report.outcomes
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    sentence = f"{passed} of {count(len(outcomes), 'test')} pass"
    if verification.runner != "pytest":
        sentence = f"`{next(iter(outcomes))}` {'passes' if passed else 'fails'}"
    yield Line(f"{verification.runner}: {sentence}", "good" if verification.tests_passed else "bad")
    if not verification.tests_passed:
        yield from (Line(f"    {line}") for line in verification.report.log.splitlines()[-LOG_LINES:])


def _verified_json(verification: Verification, milliseconds: int) -> dict[str, Any]:
    return {
        "passed": verification.passed,
        "milliseconds": milliseconds,
        "missing": list(verification.missing),
        "functions": {
            name: [verdict.model_dump(mode="json", exclude={"function"}) for verdict in verdicts]
            for name, verdicts in verification.verdicts.items()
        },
        "pytest": verification.report.model_dump(mode="json"),
    }
