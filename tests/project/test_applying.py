"""Changes of a project's files made all or none, also across kills."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from tdgen.errors import InputError
from tdgen.project.applying import RECORD, apply_changes, finish_changes
from tdgen.project.edit import Change


@pytest.fixture
def changes(bare):
    """Two changed files and a new one."""
    bare.write({"a.py": "x = 1\r\ny = 2\r\n", "b.py": "# coding: latin-1\nz = '\xe9'".encode("latin-1")})
    (bare / "a.py").chmod(0o750)
    return [
        Change(bare / "a.py", "a.py", b"x = 1\r\ny = 2\r\n", b"x = 1\r\ny = 3\r\n"),
        Change(bare / "b.py", "b.py", b"# coding: latin-1\nz = '\xe9'", b"# coding: latin-1\nz = '\xe8'"),
        Change(bare / "new/t.py", "new/t.py", None, b"t = 1\n"),
    ]


def contents(bare):
    return {path.name: path.read_bytes() for path in sorted(bare.root.rglob("*")) if path.is_file()}


def test_changes_are_made_and_mode_bits_stay(bare, changes):
    """Every file has its bytes, and nothing else is left."""
    apply_changes(changes)
    assert contents(bare) == {"a.py": changes[0].after, "b.py": changes[1].after, "t.py": b"t = 1\n"}
    assert (bare / "a.py").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda file: file.write_bytes(b"mine"), r"b\.py was changed since it was read: nothing is written"),
        (lambda file: file.unlink(), r"b\.py can't be read any more"),
        (lambda file: file.chmod(0o444), r"b\.py is read-only: `chmod u\+w b\.py` lets it be written"),
        (lambda file: (file.rename(f"{file}.old"), file.symlink_to(f"{file}.old")), r"b\.py is a link"),
        (lambda file: (file.parent / "new").mkdir() or (file.parent / "new/t.py").touch(), "new/t.py is there by now"),
        (lambda file: (file.parent / "new").touch(), "can't write .*new"),
        (lambda file: (file.parent / "new").symlink_to("/tmp"), "new/t.py lies behind a link out of the project"),
    ],
)
def test_where_one_cant_be_made_none_is(bare, changes, spoil, told):
    """The line says why."""
    spoil(bare / "b.py")
    before = contents(bare)
    with pytest.raises(InputError, match=told):
        apply_changes(changes)
    assert contents(bare) == before


def test_what_was_made_before_a_failure_is_taken_back(bare, changes, monkeypatch):
    """The disk may fail between two files."""
    before = contents(bare)

    def fail(*given):
        raise OSError(28, "No space left on device", "t.py")

    monkeypatch.setattr(os, "link", fail)
    with pytest.raises(InputError, match=r"can't write t\.py: No space left on device"):
        apply_changes(changes)
    assert contents(bare) == before


def test_a_file_that_changes_at_the_last_moment_is_kept(bare, changes, monkeypatch):
    """Each is looked at again right before it is replaced."""
    replace = Path.replace

    def replacing(draft, file):
        replace(draft, file)
        (bare / "b.py").write_bytes(b"mine")

    monkeypatch.setattr(Path, "replace", replacing)
    with pytest.raises(InputError, match="was changed since it was read"):
        apply_changes(changes)
    assert contents(bare) == {"a.py": changes[0].before, "b.py": b"mine"}


KILLED = """
import ast, os, signal, sys
from pathlib import Path
from tdgen.project.applying import apply_changes, finish_changes
from tdgen.project.edit import Change

root, names = Path(sys.argv[1]), sys.argv[2].split()
changes = [Change(root / name, name, *texts) for name, *texts in ast.literal_eval(sys.argv[3])]

def killed(step):
    if os.fork():
        return os.wait()[1] != 0
    left = step

    def counted(real):
        def call(*given, **more):
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **more)
        return call

    for name in names:
        setattr(os, name, counted(getattr(os, name)))
    apply_changes(changes, Path("some.patch"))
    os._exit(0)

for step in range(1, 2 if len(names) == 1 else 1000):
    if not killed(step) or len(names) == 1:
        break
    told = finish_changes(root)
    files = [(path.name, path.read_bytes()) for path in sorted(root.rglob("*")) if path.is_file()]
    print(repr((told, finish_changes(root), files)))
    for one in changes:
        one.file.unlink(missing_ok=True) if one.before is None else one.file.write_bytes(one.before)
"""


def killed(bare, changes, *calls):
    """Make the changes in processes that are killed right before each of those calls; what the next command tells.

    And what it tells once more, and the files then. Of one call the first alone kills, and no command comes after it.
    """
    texts = [(one.path, one.before, one.after) for one in changes]
    script = [sys.executable, "-c", KILLED, str(bare.root), " ".join(calls), repr(texts)]
    done = subprocess.run(script, check=True, timeout=60, capture_output=True, text=True)
    return [ast.literal_eval(line) for line in done.stdout.splitlines()]


def test_a_kill_at_any_moment_leaves_all_or_none_to_the_next_command(bare, changes):
    """Nothing else is left then; what was begun is told in a line, once."""
    before, after = contents(bare), {one.file.name: one.after for one in changes}
    ends = killed(bare, changes, "open", "fsync", "link", "replace", "unlink", "close")
    assert all(dict(files) in (before, after) and again == "" for _, again, files in ends)
    assert {(told.partition(":")[0], dict(files) == after) for told, _, files in ends} == {
        ("", False),
        ("a command was cut off before it wrote a file", False),
        ("finished what a command was cut off in", True),
    }
    assert any(told.endswith("-i some.patch") for told, *_ in ends)


def halted(bare, changes):
    """Leave the changes as a kill right before the last file leaves them."""
    killed(bare, changes, "link")
    assert (bare / "a.py").read_bytes() == changes[0].after
    assert not (bare / "new/t.py").exists()


def test_what_was_edited_since_is_left_as_it_is(bare, changes):
    """No file of that command is touched any more; the line says where all of it is."""
    halted(bare, changes)
    (bare / "a.py").write_bytes(b"mine")
    told = finish_changes(bare.root)
    assert told.startswith("a command was cut off while it wrote, and a.py was edited since: it is left so")
    assert told.endswith("in some.patch")
    assert contents(bare) == {"a.py": b"mine", "b.py": changes[1].after}


def test_who_writes_next_finishes_first(bare, changes):
    """And then finds its files changed."""
    halted(bare, changes)
    with pytest.raises(InputError, match=r"a\.py was changed since it was read"):
        apply_changes(changes)
    assert (bare / "new/t.py").read_bytes() == b"t = 1\n"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 2, "files": {"../a.py": ["", "1"]}, "token": "x"}'])
def test_a_record_that_is_not_whole_or_leads_out_does_nothing(bare, changes, text):
    """Its writer had begun nothing yet, or it is nobody's."""
    before = contents(bare)
    (bare / RECORD).write_text(text)
    finish_changes(bare.root)
    assert contents(bare) == before


def test_who_writes_now_is_waited_for(bare, changes, monkeypatch):
    """A command that looks meanwhile finds all made, and nothing to finish."""
    found: Queue[str] = Queue()
    link = os.link

    def linking(*given):
        Thread(target=lambda: found.put(finish_changes(bare.root))).start()
        link(*given)

    monkeypatch.setattr(os, "link", linking)
    apply_changes(changes)
    assert found.get(timeout=60) == ""
    assert contents(bare) == {one.file.name: one.after for one in changes}
