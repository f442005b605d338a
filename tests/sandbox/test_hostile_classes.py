"""The hostile classes are hostile: each would pass where its own process compares, and the cases can be passed."""

from __future__ import annotations

import pytest

from tdgen.sandbox.conformance import LIMITS, cases, passed, try_class
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.programs import HostileClass, hostile_classes, right_class
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import Job, Probe

NAMES = {case.probe.name for case in cases()}
EQUAL = [program for program in hostile_classes() if "class Answer(Yes" in program.source or "(Yes,)" in program.source]
SEEKING = [program for program in hostile_classes() if "sought()" in program.source.rpartition("class Right")[2]]


def test_a_right_class_passes_all_cases(sandbox: WarmSandbox) -> None:
    """Else what holds the others would prove nothing."""
    assert passed(sandbox, right_class(), LIMITS) == NAMES


def test_each_lies_about_cases_that_there_are() -> None:
    """By their names, and there are a dozen kinds at least."""
    assert not [program.name for program in hostile_classes() if not program.lies <= NAMES]
    assert len(hostile_classes()) >= 12


@pytest.mark.parametrize("program", EQUAL, ids=lambda program: program.name)
def test_a_judge_in_the_same_process_would_believe_it(local: LocalSandbox, program: HostileClass) -> None:
    """One at least of the cases that it lies about passes where `==` is asked beside the class."""
    asked = [case for case in cases() if case.probe.name in program.lies and case.value is not None]
    naive = [case.probe.model_copy(update={"call": f"bool({case.value!r} == {case.probe.call})"}) for case in asked]
    seen = local.run(Job(module="till", source=program.source, probes=tuple(naive), limits=LIMITS)).observations
    refusing = [case for case in cases() if case.probe.name in program.lies and case.value is None]
    assert refusing or any(one.value is True for one in seen)


@pytest.mark.parametrize("program", SEEKING, ids=lambda program: program.name)
def test_what_is_expected_would_be_found_in_the_process(local: LocalSandbox, program: HostileClass) -> None:
    """A class that looks for it finds it where a setup has it: in the cases of the suite no process holds it."""
    word = "held-out-0123456789abcdef"
    probe = Probe(name="seals", setup=f"expected = '{word}'\ntill = Till()", call="till.seal('fedc')")
    seen = local.run(Job(module="till", source=program.source, probes=(probe,), limits=LIMITS)).observations[0]
    assert seen.value == word


def test_a_class_that_does_right_is_told_as_one_that_lies_and_passes(local: LocalSandbox) -> None:
    """By the cases that it passes."""
    program = HostileClass("right", right_class(), frozenset({"entries", "seals"}))
    result = try_class(local, program)
    assert (result.held, result.why) == (False, "it passes for right where it lies: entries, seals")
