"""The record of what tdgen made in a project, and how a unit differs from it."""

import ast
import json
import os
from pathlib import Path

import pytest

from tdgen.errors import InputError
from tdgen.project.applying import apply_changes
from tdgen.project.edit import Change
from tdgen.project.recorded import (
    NAME,
    changed_record,
    drifts,
    new_names,
    read_recorded,
    recoded,
    recorded_units,
    retested,
)

MODULE = '''def gross(net: int, rate: int = 20) -> int:
    """The gross price of `net` cents."""
    return net * (100 + rate) // 100


class Basket:
    """Prices; `total` is their sum."""

    def total(self) -> int:
        return sum(self.prices)
'''
TEST = "from shop import gross\n\n\ndef test_gross():\n    assert gross(100) == 120\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project's folder with a module, a test file, and the record of both units."""
    (tmp_path / "shop.py").write_text(MODULE)
    (tmp_path / "test_gross.py").write_text(TEST)
    units = recorded_units("shop.py", MODULE, {"gross", "Basket.total"}, {"gross": {"test_gross.py": TEST}})
    apply_changes(changed_record(tmp_path, units))
    return tmp_path


def told(root: Path) -> dict[str, str]:
    """How units differ, by their ids."""
    return {drift.unit.id: drift.told for drift in drifts(root, read_recorded(root) or {})}


class TestRecord:
    """The file itself."""

    def test_it_holds_contracts_and_digests_and_no_code(self, root: Path):
        """In order, a line for each thing; a method without docs has those of its class."""
        text = (root / NAME).read_text()
        units = json.loads(text)["units"]
        assert list(units) == ["shop.py::Basket.total", "shop.py::gross"]
        assert units["shop.py::gross"]["signature"] == "def gross(net: int, rate: int = 20) -> int:"
        assert units["shop.py::Basket.total"]["docs"] == "Prices; `total` is their sum."
        assert "return" not in text

    def test_what_is_written_again_changes_nothing(self, root: Path):
        """So repeats leave no diff."""
        assert changed_record(root, read_recorded(root) or {}) == []

    def test_a_unit_can_be_taken_off(self, root: Path):
        """And the others stay."""
        apply_changes(changed_record(root, {}, ["shop.py::gross"]))
        assert list(read_recorded(root) or {}) == ["shop.py::Basket.total"]

    def test_there_may_be_none(self, tmp_path: Path):
        """A project that tdgen wrote nothing in."""
        assert read_recorded(tmp_path) is None

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("{", "is damaged"),
            ("[]", "is damaged"),
            ('{"format": "1", "units": {}}', "is damaged"),
            (
                json.dumps(
                    {"format": 1, "units": {"a\0.py::f": {"signature": "", "docs": "", "code": "", "tests": {}}}}
                ),
                "damaged",
            ),
            ('{"format": 1, "units": {"a.py": {}}}', "is damaged"),
            (
                '{"format": 1, "units": {"a.py::f": {"signature": 1, "docs": "", "code": "", "tests": {}}}}',
                "is damaged",
            ),
            ('{"format": 1, "units": {"a.py::f": {}, "a.py::f": {}}}', "a.py::f is there twice"),
            ('{"format": 9}', "written by a later tdgen"),
            ('{\n<<<<<<< HEAD\n "format": 1\n=======\n>>>>>>> theirs\n}', "conflicts of a merge"),
        ],
    )
    def test_what_can_not_be_read_is_said(self, tmp_path: Path, text: str, said: str):
        """In one line."""
        (tmp_path / NAME).write_text(text)
        with pytest.raises(InputError, match=said) as caught:
            read_recorded(tmp_path)
        assert "\n" not in str(caught.value)

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path):
        """Nobody may ever write to it."""
        os.mkfifo(tmp_path / NAME)
        with pytest.raises(InputError, match="is no file"):
            read_recorded(tmp_path)


class TestDrift:
    """What differs from the record."""

    def test_layout_is_no_difference(self, root: Path):
        """Formatting, comments and quotes are not what code is."""
        laid = MODULE.replace("net: int, rate: int = 20", "\n    net: int,\n    rate: int = 20,\n")
        (root / "shop.py").write_text(
            laid.replace("    return net", "    # in cents\n    return net").replace("\n", "\r\n")
        )
        (root / "test_gross.py").write_text(TEST.replace("== 120", "==  120"))
        assert told(root) == {}

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("of `net` cents", "of `net` cents, rounded", "its docs changed"),
            ("rate: int = 20", "rate: int = 19", "its docs changed"),
            ("// 100", "/ 100", "its code changed"),
            ("def gross", "@cache\ndef gross", "its code changed"),
            ("def gross", "def net", "shop.py no longer defines it"),
            (
                "def gross",
                "def gross(): ...\n\n\ndef gross",
                "gross is defined 2 times (lines 1, 4): leave one of them",
            ),
            ("def gross", "def gross(:\n\n\ndef gross", "shop.py does not parse: invalid syntax (line 1)"),
        ],
    )
    def test_docs_code_and_place_are_told_apart(self, root: Path, old: str, new: str, said: str):
        """By what changed in the module."""
        (root / "shop.py").write_text(MODULE.replace(old, new))
        assert told(root)["shop.py::gross"] == said

    def test_the_docs_of_a_class_are_those_of_its_undocumented_methods(self, root: Path):
        """They say what such a method does."""
        (root / "shop.py").write_text(MODULE.replace("their sum", "their gross sum"))
        assert told(root) == {"shop.py::Basket.total": "its docs changed"}

    def test_tests_that_were_edited_or_removed(self, root: Path):
        """Each by its path."""
        (root / "test_gross.py").write_text(TEST.replace("120", "121"))
        assert told(root) == {"shop.py::gross": "test_gross.py changed"}
        (root / "test_gross.py").unlink()
        assert told(root) == {"shop.py::gross": "test_gross.py is gone"}

    def test_a_module_that_is_gone_or_outside(self, root: Path, tmp_path_factory: pytest.TempPathFactory):
        """No link is followed out of the project."""
        (root / "shop.py").unlink()
        assert set(told(root).values()) == {"shop.py is gone"}
        other = tmp_path_factory.mktemp("other") / "shop.py"
        other.write_text(MODULE)
        (root / "shop.py").symlink_to(other)
        assert set(told(root).values()) == {"shop.py lies outside of the project"}

    def test_both_sides_are_a_conflict(self, root: Path):
        """Docs and code, or docs and tests; code and tests are one side."""
        (root / "shop.py").write_text(MODULE.replace("of `net` cents", "in cents").replace("// 100", "/ 100"))
        assert [drift.is_conflict for drift in drifts(root, read_recorded(root) or {})] == [True]
        (root / "shop.py").write_text(MODULE.replace("// 100", "/ 100"))
        (root / "test_gross.py").unlink()
        assert [drift.is_conflict for drift in drifts(root, read_recorded(root) or {})] == [False]


def test_digests_hold_under_each_version_of_python(root: Path, monkeypatch: pytest.MonkeyPatch):
    """Fields that a later Python adds to its trees count only where they hold something."""
    monkeypatch.setattr(ast.FunctionDef, "_fields", (*ast.FunctionDef._fields, "of_a_later_python"))
    monkeypatch.setattr(ast.FunctionDef, "of_a_later_python", [], raising=False)
    nested = MODULE.replace("    return net", "    def inner(): ...\n    return net")
    later = recorded_units("shop.py", nested, {"gross"}, {})
    monkeypatch.undo()
    assert recorded_units("shop.py", nested, {"gross"}, {}) == later


def test_new_names_are_what_is_new_or_another():
    """Private helpers are not."""
    after = MODULE.replace("// 100", "/ 100") + "\n\ndef _help(): ...\n\n\ndef net(): ...\n"
    assert new_names(MODULE, after) == {"gross", "net"}


def test_a_fix_is_recorded_for_units_that_were_as_recorded(root: Path):
    """What was edited by hand before stays a difference."""
    after = MODULE.replace("// 100", "/ 100")
    apply_changes(recoded(root, {"shop.py": (MODULE, after)}))
    (root / "shop.py").write_text(after)
    assert told(root) == {}
    assert recoded(root, {"shop.py": (MODULE, MODULE.replace("net *", "net +"))}) == []


def test_a_test_that_is_revised_is_as_tdgen_left_it(root):
    """A file that was edited by hand before stays edited."""
    file, after = root / "test_gross.py", TEST.replace("120", "121")
    revised = Change(file, "test_gross.py", TEST.encode(), after.encode())
    assert [*retested(root, [revised])] == ["shop.py::gross"]
    apply_changes([revised, *changed_record(root, retested(root, [revised]))])
    assert told(root) == {}
    file.write_text(TEST)
    again = Change(file, "test_gross.py", TEST.encode(), TEST.replace("120", "122").encode())
    apply_changes([again, *changed_record(root, retested(root, [again]))])
    assert told(root) == {"shop.py::gross": "test_gross.py changed"}
