"""A module is imported with its warnings as errors, and an entry's calls are made as the script makes them."""

from __future__ import annotations

import pytest

from tdgen.build.module_checks import as_script, import_fault
from tdgen.types import Case, Exits, ExpectedException, FunctionSpec, Limits, Parameter, Returns, Value


def spec(*parameters: str) -> FunctionSpec:
    """The contract of a `main` with these parameters, each as `name: type`."""
    pairs = [parameter.split(": ") for parameter in parameters]
    return FunctionSpec(
        name="main",
        purpose="",
        parameters=tuple(Parameter(name=name, type=kind) for name, kind in pairs),
        returns=Returns(type="int"),
    )


def case(call: str, expectation=Value(source="2"), **more) -> Case:  # noqa: B008 - immutable
    return Case(name="one", function="main", call=call, expectation=expectation, **more)


RUNS = {
    "a list": (spec("argv: list[str]"), case("main(['a', '-x'])"), ("a", "-x")),
    "words": (spec("*argv: str"), case("main('a', 'b')"), ("a", "b")),
    "nothing": (spec(), case("main()"), ()),
}


@pytest.mark.parametrize(("contract", "called", "words"), RUNS.values(), ids=RUNS)
def test_a_call_of_the_entry_has_a_script_that_does_the_same(contract, called, words):
    """With the words that the script makes the arguments of; what is printed is asked of both."""
    run = as_script(called.model_copy(update={"stdout": "x"}), contract)
    assert run is not None
    assert (run.world.script, run.expectation, run.stdout) == (words, Exits(code=2), "x")


OTHERS = {
    "no command line": (spec("argv: list[str]"), case("main([1])")),
    "none given": (spec("argv: list[str]"), case("main()")),
    "not the entry's call alone": (spec(), case("main() or 3")),
    "no exit code": (spec(), case("main()", Value(source="'text'"))),
    "an exception": (spec(), case("main()", ExpectedException(type="ValueError"))),
    "a setup": (spec(), case("main()", setup="x = 1")),
}


@pytest.mark.parametrize(("contract", "called"), OTHERS.values(), ids=OTHERS)
def test_other_calls_have_none(contract, called):
    """They say nothing of the script."""
    assert as_script(called, contract) is None


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import re\nX = re.compile(r'\\d')\n", ""),
        ("X = '\\d'\n", "invalid escape"),
        ("import warnings\nwarnings.warn('old', DeprecationWarning)\n", "DeprecationWarning: old"),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n", ""),
        ("X = 1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_a_module_is_imported_without_a_warning(shared_sandboxes, source, said):
    """One of its own fails it, told with its class."""
    fault = import_fault(shared_sandboxes[0], "kit", source, Limits())
    assert said in fault
    assert bool(said) == bool(fault)
