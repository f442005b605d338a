"""Shared types as Python."""

from __future__ import annotations

from tdgen.types.declared import Field, SharedType


def test_an_exception_of_a_declared_one_does_not_begin_as_that_does():
    """Its base takes other values than the message."""
    row = Field(name="row", type="int")
    bad = SharedType(name="BadRow", kind="exception", base="ValueError", fields=(row,), message="row {row}")
    twice = SharedType(name="Duplicate", kind="exception", base="BadRow", fields=(row,), message="again {row}")
    assert "super().__init__(f'row {row}')" in bad.source
    assert "Exception.__init__(self, f'again {row}')" in twice.source
