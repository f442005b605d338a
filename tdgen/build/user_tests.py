"""The user's own test files as a gate: run as they are, as far as what they need is there.

In place of what is not written yet stand stubs, so that a file can be imported that names all of it. A test that comes
upon a stub says nothing about what is there. Only a green can be taken away here, never given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tdgen.errors import InputError
from tdgen.solution.layouts import USER_TESTS, is_users
from tdgen.types import FileReport, FunctionSpec

STUB = "_Unwritten"
_MOST_TOLD = 3
_LONGEST = 1_200
_SAYS_SO = re.compile(r"skip|xfail", re.IGNORECASE)
_HOPELESS = re.compile(r"fixture '[^']*' not found")


@dataclass(frozen=True)
class UserTestGate:
    """One file of the user's; `needs` are the planned functions that each test needs which could not become cases."""

    file: str
    source: str
    needs: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def of(self, function: str, present: Collection[str]) -> list[str]:
        """The tests that are about a function, among others perhaps, and can be run with what is there."""
        return [test for test, names in self.needs.items() if function in names and names <= set(present)]

    def named_by(self, failed: Collection[str]) -> frozenset[str]:
        """The planned functions that failed tests of this file need, as far as these are no cases."""
        tests = {_test(ran) for ran in failed if ran.partition("::")[0] == self.file}
        return frozenset[str]().union(*(names for test, names in self.needs.items() if test in tests))


def user_files(tests: Sequence[str]) -> dict[str, str]:
    """The user's files by the names that they have beside the rendered ones."""
    return {f"{USER_TESTS}{f'_{n}' if n > 1 else ''}.py": source for n, source in enumerate(tests, start=1)}


_STUB_CLASS = """class _UnwrittenClass(ABCMeta):
    def __getattr__(cls, name):
        raise _Unwritten(f"{cls.__name__}.{name} is not written yet")

    def __call__(cls, *args, **kwargs):
        raise _Unwritten(f"{cls.__name__} is not written yet")
"""
"""Of a class that nobody wrote an own class can be made, but no instance, and nothing can be asked of it."""


def stub_source(units: Iterable[FunctionSpec]) -> str:
    """Functions and classes that raise a BaseException which no test can expect, whatever is done with them."""
    raising = [_stub(spec) for spec in units]
    meta = ["from abc import ABCMeta\n", _STUB_CLASS] if any("metaclass=" in source for source in raising) else []
    return "\n\n".join([*meta[:1], f"class {STUB}(BaseException):\n    pass\n", *meta[1:], *raising])


def _stub(spec: FunctionSpec) -> str:
    if spec.interface:
        return f"class {spec.name}(metaclass=_UnwrittenClass):\n    pass\n"
    return f"def {spec.name}(*args, **kwargs):\n    raise {STUB}('{spec.name} is not written yet')\n"


def refusal(report: FileReport, gate: UserTestGate, tests: Collection[str]) -> str:
    """What a run of the file says against those of its tests, or why it could not be run; empty for nothing."""
    if gate.file in report.reasons:
        reason = report.reasons[gate.file]
        return "" if STUB in reason else f"the file can't be imported: {_cut(reason)}"
    about = {ran: outcome for ran, outcome in report.outcomes.items() if _test(ran) in tests}
    failed = [ran for ran, outcome in about.items() if not _is_good(outcome, gate.source)]
    told = [ran for ran in failed if STUB not in report.reasons.get(ran, "")]
    if told:
        return "\n".join(f"{_name(ran)}: {_cut(report.reasons.get(ran) or about[ran])}" for ran in told[:_MOST_TOLD])
    if not report.complete and set(tests) - {_test(ran) for ran in about}:
        return f"the run did not come to its end: {_cut(report.log)}"
    return ""


def failed_tests(report: FileReport, files: Mapping[str, str]) -> dict[str, str]:
    """The tests that did not pass and why; a skip or an expected failure passes in a user's file that speaks of it."""
    found = {name: reason for name, reason in report.reasons.items() if name in files}
    for ran, outcome in report.outcomes.items():
        file = ran.partition("::")[0]
        is_good = _is_good(outcome, files.get(file, "")) if is_users(file) else outcome == "passed"
        if not is_good:
            found[ran] = report.reasons.get(ran) or outcome
    return found


def all_passed(report: FileReport, files: Mapping[str, str]) -> bool:
    """Whether a run of `files` came to its end, ran something, and nothing failed in it."""
    return report.complete and bool(report.outcomes) and not failed_tests(report, files)


def must_be_runnable(report: FileReport, file: str, *, of_several: bool) -> None:
    """InputError where a file fails for a reason of its own, whatever is written: seen on stubs alone."""
    what = f"your test file {file.removeprefix(USER_TESTS).strip('_.py') or '1'}" if of_several else "your test file"
    reason = report.reasons.get(file, "")
    if reason and STUB not in reason:
        raise InputError(f"{what} can't be imported, whatever is written: {_last(reason)}")
    for ran, told in report.reasons.items():
        if hopeless := _HOPELESS.search(told):
            raise InputError(f"{what}: {_name(ran)} can't be run, whatever is written: {hopeless[0]}")


def _is_good(outcome: str, source: str) -> bool:
    return outcome == "passed" or (outcome in ("skipped", "xfailed", "xpassed") and bool(_SAYS_SO.search(source)))


def _name(ran: str) -> str:
    return ran.partition("::")[2] or ran


def _test(ran: str) -> str:
    return _name(ran).partition("[")[0]


def _last(reason: str) -> str:
    """The lines of a traceback that say what was wrong, in one."""
    lines = [line[1:].strip() for line in reason.splitlines() if line.startswith("E ")]
    return " ".join(lines[-2:] or reason.splitlines()[-1:])[:300]


def _cut(text: str) -> str:
    """The end of it, where the reason stands."""
    return text if len(text) <= _LONGEST else f"…{text[-_LONGEST:]}"
