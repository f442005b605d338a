"""The README of a solved instruction's package: what it is, what is in it, how sure one may be of it."""

from __future__ import annotations

from tdgen.types.record import FunctionResult, SolutionRecord


def readme(solution: SolutionRecord) -> str:
    """The package's README as Markdown."""
    module = solution.plan.module
    lines = [f"# {module}", "", solution.plan.summary or "Made from the instruction below.", ""]
    if not solution.all_tests_passed:
        lines += ["**Not all of this is right: see the outcomes below.**", ""]
    lines += [
        "## What was asked",
        "",
        *(f"> {line}".rstrip() for line in solution.instruction.strip().splitlines()),
        "",
    ]
    lines += [
        "## What is here",
        "",
        f"`{solution.plan.module_file}` holds the functions; run their tests with `pytest`.",
        "",
    ]
    if promising := [f"`test_{r.function}_properties.py`" for r in solution.results if r.suite.properties]:
        lines[-1:] = [f"For {', '.join(promising)} `hypothesis` must be installed beside pytest.", ""]
    lines += [line for result in solution.results for line in _function(solution, result)]
    if questions := solution.questions or solution.plan.questions:
        lines += ["", "## What was assumed", ""]
        lines += [f"- {q.question} {q.assumption}{' (your answer)' * q.answered}" for q in questions]
    if solution.revisions:
        lines += ["", "## What became of some tests", ""]
        lines += [f"- `{r.function}` / `{r.case}`: {r.sentence}" for r in solution.revisions]
    lines += ["", f"Made by tdgen at trust level {solution.trust}; `tdgen verify` runs the tests again in the sandbox."]
    return "\n".join(lines) + "\n"


def _function(solution: SolutionRecord, result: FunctionResult) -> list[str]:
    spec = solution.plan.spec(result.function)
    cases = len(result.suite.cases)
    attempts = len(result.history)
    outcome = f"{result.outcome}, {cases} case{'s' * (cases != 1)}, {attempts} attempt{'s' * (attempts != 1)}"
    first_sentence = " ".join(spec.purpose.split()).partition(". ")[0].rstrip(".")
    strength = f", {result.strength.sentence}" if result.strength and result.strength.sentence else ""
    lines = [f"- `{spec.signature}`: {first_sentence[:200]} ({outcome}{strength})"]
    if result.outcome != "green":
        lines.append(f"  - **{result.outcome}**: {' '.join(result.reason.split())[:300]}")
        failed = [v.case for v in result.best.verdicts if not v.passed] if result.best else []
        lines += [f"  - failing: `{name}`" for name in failed]
    return lines
