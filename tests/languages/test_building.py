"""A program is compiled once for a sandbox, by a job that runs nothing of it; no candidate changes what is kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tdgen.build.screening_job import screening_jobs
from tdgen.languages.c import C
from tdgen.languages.gcc.building import MARK, Building
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.server import Opened
from tdgen.specs.declarations import declare_types
from tdgen.types import Call, FunctionSpec, Job, Limits, Observation, Parameter, Plan, Probe, Report, Returns
from tdgen.values.decode import decode
from tests.languages.conftest import outcomes

PLAN = Plan(
    module="kit",
    functions=(
        FunctionSpec(name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="str")),
    ),
)
ATTACK = """
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
char *f(int64_t x) {
    char own[200] = {0}, *told = malloc(200);
    ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
    int wrote = open(own, O_WRONLY), truncated = truncate(own, 0), gone = unlink(own);
    int moved = rename(own, "/scratch/x"), another = open("/kept/x", O_CREAT | O_WRONLY, 0700);
    int changed = chmod(own, 0777);
    snprintf(told, 200, "%.6s %d %d %d %d %d %d %d", own, wrote, truncated, gone, moved, another, changed,
             opendir("/kept") != NULL);
    return size < 0 ? NULL : told;
}
"""
ECHO = "char *f(int64_t x) { char *t = malloc(2); t[0] = (char)('0' + x); t[1] = 0; return t; }"

COUNTING = """
char *f(int64_t x) {
    static char made = '0';
    char *t = malloc(2);
    t[0] = (char)(made += 10 / x / 10), t[1] = 0;
    return t;
}
"""


def module(source: str) -> str:
    return C().module(PLAN, {"f": source}, declare_types(PLAN))


class Counted:
    """A sandbox that counts what it runs, and may have all compilers not end."""

    def __init__(self, sandbox, ending: Observation | None = None) -> None:
        self.sandbox, self.ending, self.ran = sandbox, ending, []

    def run(self, job: Job) -> Report:
        self.ran.append(job.module)
        return Report(observations=(self.ending,)) if self.ending else self.sandbox.run(job)


def test_it_is_compiled_once(compiling_c):
    """Two jobs of a module, and one of other cases on it, have one compiler run; what does not compile has one, too."""
    counted = Counted(compiling_c)
    building = Building(counted, compiling_c.kept)
    assert outcomes(building, module(ECHO), ["f(1)"]) == ["returned '1'"]
    assert outcomes(building, module(ECHO), ["f(2)", "f(3)"]) == ["returned '2'", "returned '3'"]
    for _ in range(2):
        (told,) = outcomes(building, module("char *f(int64_t x) { return y; }"), ["f(1)"])
        assert "undeclared" in told
    assert counted.ran == ["compiling", "kit", "kit", "compiling", "kit", "kit"]


def test_a_program_that_is_gone_is_compiled_where_it_is_needed(compiling_c):
    """Newer ones may have taken its place while its job was on the way."""
    building = Building(compiling_c, compiling_c.kept)
    assert outcomes(building, module(ECHO), ["f(1)"]) == ["returned '1'"]
    Path(compiling_c.kept, module(ECHO).rpartition(MARK)[2].strip()).unlink()
    assert outcomes(building, module(ECHO), ["f(2)"]) == ["returned '2'"]


def test_calls_that_are_screened_share_a_process(gcc_sandbox):
    """A few of them, as those in Python share a module, up to one that ends it; a case's calls share none."""
    source = module(COUNTING)
    assert outcomes(gcc_sandbox, source, ["f(1) + f(1)"]) == ["returned '11'"]
    calls = [Call(function="f", arguments=(given,)) for given in [*["1"] * 12, "0", "1"]]
    (job,) = screening_jobs([source], "kit", calls, Limits(wall_s=60), "", ())
    digests = decode(gcc_sandbox.run(job).observations[0].value)
    assert len({*digests[:10]}) == 10
    assert digests[10:12] == digests[:2]
    assert digests[13] == digests[0] != digests[12]


def test_a_candidate_changes_nothing_that_is_kept(gcc_sandbox):
    """A program is started from where it is kept; it can neither write, remove, rename nor list what lies there."""
    for _ in range(2):
        (told,) = outcomes(gcc_sandbox, module(ATTACK), ["f(1)"])
        assert told == "returned '/kept/ -1 -1 -1 -1 -1 -1 0'"


@pytest.mark.parametrize("status", ["timeout", "died"])
def test_where_the_compiler_does_not_end_nothing_else_is_tried(status, tmp_path):
    """How it ended is what each case is seen to do, and the next job tries again: it may have been the machine."""
    counted = Counted(None, Observation(name="program", status=status, detail="no result within 5 s"))
    building = Building(counted, str(tmp_path))
    job = Job(module="kit", source=module("char *f(int64_t x) {"), probes=(Probe(name="a"), Probe(name="b")))
    for _ in range(2):
        seen = building.run(job).observations
        assert [(one.name, one.status, one.detail) for one in seen] == [
            ("a", status, "no result within 5 s"),
            ("b", status, "no result within 5 s"),
        ]
    assert counted.ran == ["compiling", "compiling"]


def test_what_a_killed_process_kept_is_removed_by_a_later_one(tmp_path, monkeypatch):
    """Folders of processes that are there, and young ones, stay."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    opened = Opened(programs=("gcc",), compiles=True)
    with LocalSandbox(opened=opened) as other:
        left, young = (tmp_path / f"tdgen-programs-{name}" for name in ("left", "young"))
        for folder in (left, young):
            folder.mkdir()
            (folder / "program").touch()
        for folder in (left, Path(other.kept)):
            os.utime(folder, (0, 0))
        with LocalSandbox(opened=opened) as sandbox:
            assert {*tmp_path.iterdir()} == {Path(other.kept), young, Path(sandbox.kept)}
    assert {*tmp_path.iterdir()} == {young}
