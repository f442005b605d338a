"""C and C++ are compiled by gcc or clang: the one that is named, else the first that is here."""

from __future__ import annotations

from contextlib import closing
from shutil import which

import pytest

from tdgen.errors import InputError
from tdgen.language import Language
from tdgen.languages.c import C
from tdgen.languages.cpp import Cpp
from tdgen.languages.gcc.toolchain import toolchain
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.types import FunctionSpec, Parameter, Plan, Returns
from tests.languages.conftest import opened_for, outcomes


def test_a_compiler_that_is_not_here_is_told_in_a_line(monkeypatch):
    """Both are named where neither is here, and the one that the environment names where that is not."""
    assert toolchain("", ("gcc-0", "clang-0"), "cc1", "libm.so").programs == ("gcc-0 or clang-0",)
    monkeypatch.setenv("CC", "ccache gcc")
    with closing(Runtime(Settings(language="c"))) as runtime, pytest.raises(InputError) as error:
        _ = runtime.language
    assert str(error.value).startswith("code in C needs ccache gcc, which is not here: install gcc (Debian and Ubuntu")


PLAN = Plan(
    module="kit",
    functions=(
        FunctionSpec(
            name="f", purpose="", parameters=(Parameter(name="x", type="list[int]"),), returns=Returns(type="str")
        ),
    ),
)
C_CODE = """char *f(list_int x) {
    if (x.length == 0) return malloc(7) == NULL ? NULL : strdup("lost");
    char *text = calloc(4, 1);
    text[x.items[0]] = (char)('a' + x.length);
    return text;
}"""
CPP_CODE = """std::string f(const std::vector<std::int64_t>& x) {
    if (x.empty()) throw std::out_of_range("none");
    if (x[0] > 9) return std::string(1, std::vector<char>(3)[static_cast<std::size_t>(x[0])]);
    return std::to_string(std::numeric_limits<std::int64_t>::max() - 1 + x[0]);
}"""


@pytest.mark.parametrize(
    ("language", "code", "calls"),
    [
        (C(), C_CODE, {"f([0])": "returned 'b'", "f([5])": "heap-buffer-overflow", "f([])": "memory is lost: 7 bytes"}),
        (
            Cpp(),
            CPP_CODE,
            {
                "f([1])": "9223372036854775807'",
                "f([2])": "signed integer overflow",
                "f([10])": "Assertion",
                "f([])": "none",
            },
        ),
    ],
)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_each_compiler_tells_the_same(monkeypatch, compiler, language: Language, code, calls):
    """What a call gives, throws, loses or does wrong is told in both compilers' words; who judges is named."""
    name = compiler if language.name == "C" else {"gcc": "g++", "clang": "clang++"}[compiler]
    if which(name) is None:
        pytest.skip(f"{name} is not here")
    monkeypatch.setenv(language.variable, name)
    language = type(language)()
    assert language.judged_by[0].startswith(f"{name} ")
    with opened_for(language) as sandbox:
        seen = outcomes(language.keeping(sandbox), language.module(PLAN, {"f": code}, ""), list(calls), wall_s=60)
    for told, wanted in zip(seen, calls.values(), strict=True):
        assert wanted in told
