"""`results.jsonl`: what is finished is on the disk, whole, whatever happens next."""

from __future__ import annotations

import errno
import os

import pytest

from tdgen.batch.results import Results, Row
from tdgen.errors import InputError


def row(name: str, **more) -> Row:
    return Row(line=1, id=name, outcome="green", **more)


def names(results: Results) -> list[str]:
    return [found.id for _, found in results.rows()]


def test_rows_come_back_as_they_were(tmp_path):
    """Each by the place it was written to, also after the file was closed."""
    results = Results(tmp_path / "results.jsonl")
    rows = [row("a", source="ß\n\u2028"), row("b", functions={"f": "green"})]
    places = results.append(rows[:1]) + results.append(rows[1:])
    results.close()
    again = Results(tmp_path / "results.jsonl")
    assert [again.row_at(place) for place in places] == rows
    assert list(again.rows()) == list(zip(places, rows, strict=True))
    again.close()


@pytest.mark.parametrize("torn", [b"{", b'{"line": 1, "id": "c"', b"x" * 100_000])
def test_a_torn_last_row_is_cut_off(tmp_path, torn):
    """However long what a kill left of it is; the next row begins on a line of its own."""
    path = tmp_path / "results.jsonl"
    results = Results(path)
    results.append([row("a"), row("b")])
    results.close()
    with path.open("ab") as file:
        file.write(torn)
    again = Results(path)
    again.append([row("c")])
    assert names(again) == ["a", "b", "c"]
    again.close()


def test_what_cost_something_is_on_the_disk_at_once(tmp_path, monkeypatch):
    """What is cached is not waited for: it would come from there again."""
    synced: list[int] = []
    results = Results(tmp_path / "results.jsonl")
    monkeypatch.setattr(os, "fsync", synced.append)
    results.append([row("a", cached=True), row("b", twin_of="a")])
    assert synced == []
    results.append([row("c", cached=True), row("d")])
    assert len(synced) == 1
    results.close()
    assert len(synced) == 2


def test_a_first_row_that_was_torn(tmp_path):
    """Nothing is left."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"line"')
    results = Results(path)
    assert names(results) == []
    assert path.read_bytes() == b""
    results.close()


def test_a_full_disk_loses_nothing_that_was_finished(tmp_path, monkeypatch):
    """One clear line; a row of which only a part went in is cut off at once, and a later one can be written."""
    results = Results(tmp_path / "results.jsonl")
    results.append([row("a")])
    real, calls = os.write, []

    def full(descriptor, content):
        calls.append(descriptor)
        if len(calls) == 1:
            return real(descriptor, content[:20])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tdgen.batch.results.os.write", full)
    with pytest.raises(InputError, match=r"results\.jsonl can't be written: No space left on device; what is finished"):
        results.append([row("b")])
    monkeypatch.undo()
    assert names(results) == ["a"]
    results.append([row("c")])
    assert names(results) == ["a", "c"]
    results.close()


def test_rows_that_are_not_wanted_are_left_out(tmp_path):
    """The file is another then, and rows are written to that one."""
    results = Results(tmp_path / "results.jsonl")
    results.append([row("a"), row("b"), row("c")])
    results.keep(lambda found: found.id != "b")
    results.append([row("d")])
    assert names(results) == ["a", "c", "d"]
    results.close()


def test_a_row_of_another_version_is_told(tmp_path):
    """With its place, and what to do."""
    path = tmp_path / "results.jsonl"
    path.write_text('{"line": 1, "id": "a", "outcome": "green"}\n{"id": "b"}\n')
    results = Results(path)
    with pytest.raises(InputError, match=r"line 2 of .* --force begins anew"):
        list(results.rows())
    results.close()


def test_text_that_is_no_unicode_can_be_written(tmp_path):
    """A lone surrogate, from whoever, is no reason to lose a row."""
    results = Results(tmp_path / "results.jsonl")
    results.append([row("a", reason="a\ud800b")])
    assert [found.reason for _, found in results.rows()] == ["a?b"]
    results.close()
