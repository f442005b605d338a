"""Solves in other languages: a studio whose candidates may start what that language is run by, or a skip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from shutil import which

import pytest

from tdgen.languages.c import C
from tdgen.languages.javascript import JavaScript
from tdgen.protocols import Language
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.server import Opened


def opened_for(language: Language) -> LocalSandbox:
    """A sandbox that may start what code in the language is run by."""
    missing = [program for program in language.programs if which(program) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not here: {language.advice}")
    return LocalSandbox(opened=Opened(programs=language.programs, compiles=language.compiles))


@pytest.fixture(scope="session")
def node_sandbox() -> Iterator[LocalSandbox]:
    with opened_for(JavaScript()) as sandbox:
        yield sandbox


@pytest.fixture
def in_javascript(studio, write, node_sandbox) -> Callable[..., object]:
    """Solves functions whose tries are JavaScript."""
    studio.sandbox = node_sandbox

    def solve(*functions, settings=None, **more):
        return studio.solve(*functions, settings={"language": "javascript", **(settings or {})}, **more)

    return solve


@pytest.fixture
def js(write) -> Callable[[str], object]:
    """An answer with JavaScript in a fence."""
    return lambda source: write.said(f"It does as it is told.\n```js\n{source}\n```")


@pytest.fixture(scope="session")
def gcc_sandbox() -> Iterator[LocalSandbox]:
    with opened_for(C()) as sandbox:
        yield sandbox


@pytest.fixture
def in_c(studio, gcc_sandbox) -> Callable[..., object]:
    """Solves functions whose tries are C."""
    studio.sandbox = gcc_sandbox

    def solve(*functions, settings=None, **more):
        return studio.solve(*functions, settings={"language": "c", **(settings or {})}, **more)

    return solve


@pytest.fixture
def c(write) -> Callable[[str], object]:
    """An answer with C in a fence."""
    return lambda source: write.said(f"It does as it is told.\n```c\n{source}\n```")
