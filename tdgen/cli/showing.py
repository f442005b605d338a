"""`tdgen show` and `tdgen verify`: a solution that is there already, looked at or tried again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdgen.cli import options
from tdgen.cli.speaking import Line, asked_lines, count, give, give_json, give_lines, one_line, say
from tdgen.cli.summary import MOST_FAILURES, detail_lines, failure_told, summary
from tdgen.errors import InputError

if TYPE_CHECKING:
    from tdgen.cache import Run
    from tdgen.outputs.places import Package
    from tdgen.pipeline.finishing import Verification

NOT_GREEN = 1
LOG_LINES = 12


@options.settings(options.CACHE)
def show(
    name: options.Kept,
    *,
    json: options.Json = False,
    tests: options.ShowTests = False,
    code: options.ShowCode = False,
    html: options.Html = None,
    overwrite: options.Overwrite = False,
    flags: dict[str, Any],
) -> int:
    """Show a solution: what was asked, planned and written, how it ended, and what it cost.

    Of a run that did not end green the best so far is shown, or where it left no code, how it ended.

    \b
    tdgen show 3f2a91bc                    a kept one, by its key's first digits
    tdgen show ./calendars                 one in a folder, as its files are now
    tdgen show 3f2a91bc --code > calendars.py
    tdgen show 3f2a91bc --tests
    tdgen show 3f2a91bc --html story.html  all of it as one page for a browser
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import Run
    from tdgen.cli.inputs import package_or_run
    from tdgen.client import Generator
    from tdgen.settings import load_settings

    with Generator(load_settings(flags)) as generator:
        package = package_or_run(generator, name)
        cache = generator.folder
    if isinstance(package, Run):
        if html is not None or code or tests:
            raise InputError(f"the {package.state} run {name} left no code to show: `tdgen show {name}` tells its end")
        _show_run(package, json=json)
        return 0
    for changed in package.changed:
        say(
            f"{changed} was changed since tdgen wrote it: here it is as it is now; the outcomes are those of then",
            "bad",
        )
    if html is not None:
        _write_html(package, html, cache, overwrite=overwrite)
    elif json:
        give_json(package.solution.to_dict() | {"changed": list(package.changed)})
    elif code or tests:
        give("\n".join(_sources(package, code=code, tests=tests)))
    else:
        give_lines(list(_told(package)))
    return 0


@options.settings(options.SANDBOX, options.CODE, options.CACHE)
def verify(name: options.Kept, *, json: options.Json = False, flags: dict[str, Any]) -> int:
    """Run a solution's tests again in the sandbox, offline: no model is asked.

    Of a folder its files are tried as they are now. The exit code is 0 where all pass and 1 where not.

    \b
    tdgen verify ./calendars
    tdgen verify 3f2a91bc --json
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cli.inputs import package_of
    from tdgen.client import Generator
    from tdgen.settings import load_settings

    with Generator(load_settings(flags)) as generator:
        package = package_of(generator, name)
        began = time.monotonic()
        found = generator.verify(package.solution, package.files)
        milliseconds = round((time.monotonic() - began) * 1000)
    if json:
        give_json(_verified_json(found, milliseconds))
    else:
        give_lines(list(verified_lines(package.solution.plan.module, found, milliseconds)))
    return 0 if found.passed else NOT_GREEN


def _show_run(run: Run, *, json: bool) -> None:
    """Show a run that left no solution: what was asked, and how it ended."""
    if json:
        give_json(run.model_dump())
        return
    goes_on = "the same command again goes on from here: what it was answered is not paid for twice"
    ends = {"failed": run.reason, "unfinished": f"{run.reason}; {goes_on}" if run.reason else goes_on}
    asked = run.instruction.strip() or "(an earlier version of tdgen did not keep the instruction)"
    give_lines([*asked_lines(asked), Line(f"{run.state}, {run.at[:16]}: {one_line(ends[run.state], 800)}", "bad")])


def _write_html(package: Package, path: str, cache: Path, *, overwrite: bool) -> None:
    from tdgen.cache.disk import written_record
    from tdgen.files.saving import save_file

    if path == "-":
        give(package.solution.to_html())
        return
    save_file(Path(path), package.solution.to_html(), record=written_record(cache, Path(path)), overwrite=overwrite)
    say(f"wrote {path}")


def _sources(package: Package, *, code: bool, tests: bool) -> Iterator[str]:
    """The module, as it is, and the test files, each under its name."""
    if code:
        yield package.files[package.module]
    if tests:
        for name in sorted(package.files):
            if Path(name).name.startswith("test_"):
                yield f"# {name}\n{package.files[name]}"


def _told(package: Package) -> Iterator[Line]:
    from tdgen.cli.summary import plan_lines

    solution = package.solution
    yield from asked_lines(solution.instruction)
    yield from plan_lines(solution.plan)
    yield Line("")
    yield Line(f"{package.module}:", "strong")
    yield from (Line(f"    {line}") for line in package.files[package.module].splitlines())
    yield Line("")
    yield from detail_lines(solution)
    yield Line("")
    yield from summary(solution)


def verified_lines(module: str, found: Verification, milliseconds: int) -> Iterator[Line]:
    """What a verification came to, function by function."""
    width = max(map(len, found.verdicts), default=0)
    for function, verdicts in found.verdicts.items():
        if function in found.missing:
            yield Line(f"{function:<{width}}  is missing: the module has no code for it yet", "bad")
            continue
        failed = [verdict for verdict in verdicts if not verdict.passed]
        passed = len(verdicts) - len(failed)
        text = f"{function:<{width}}  {passed} of {count(len(verdicts), 'case')} pass"
        yield Line(text, "bad" if failed else "good")
        yield from (Line(f"    {failure_told(verdict, verdict.case)}") for verdict in failed[:MOST_FAILURES])
    yield from _pytest_lines(found)
    whole = f"all of {module} passes" if found.passed else "not all passes"
    yield Line(f"{whole}, in {milliseconds:,} ms, without a model", "good" if found.passed else "bad")


def _pytest_lines(found: Verification) -> Iterator[Line]:
    outcomes = found.report.outcomes
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    yield Line(f"pytest: {passed} of {count(len(outcomes), 'test')} pass", "good" if found.tests_passed else "bad")
    if not found.tests_passed:
        yield from (Line(f"    {line}") for line in found.report.log.splitlines()[-LOG_LINES:])


def _verified_json(found: Verification, milliseconds: int) -> dict[str, Any]:
    return {
        "passed": found.passed,
        "milliseconds": milliseconds,
        "missing": list(found.missing),
        "functions": {
            name: [verdict.model_dump(mode="json", exclude={"function"}) for verdict in verdicts]
            for name, verdicts in found.verdicts.items()
        },
        "pytest": found.report.model_dump(mode="json"),
    }
