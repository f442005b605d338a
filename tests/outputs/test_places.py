"""A solution's way to the disk and back; nobody's work is replaced unasked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from tdgen.cache.disk import written_record
from tdgen.errors import InputError
from tdgen.files.saving import RECORD
from tdgen.outputs.places import (
    Wishes,
    read_package,
    recorded_solution,
    target_at,
)
from tdgen.solution import Solution
from tdgen.solution.package import USER_TESTS, Layout, layout_named, module_text
from tdgen.types import (
    Attempt,
    Case,
    FunctionResult,
    FunctionSpec,
    Plan,
    Returns,
    Suite,
    Usage,
    Value,
    Verdict,
)

TEST = "from ones import one\n\n\ndef test_one():\n    assert one() == 1\n"
PACKAGE = ["__init__.py", "ones.py", "test_one.py"]


@pytest.fixture
def solution():
    """Make a solution of one function."""

    def make(outcome: str = "green", **more: Any) -> Solution:
        spec = FunctionSpec(name="one", purpose="1", returns=Returns(type="int"))
        cases = tuple(Case(name=name, function="one", expectation=Value(source="1")) for name in ("is", "has", "was"))
        verdicts = tuple(
            Verdict(function="one", case=case.name, passed=True, status="returned", actual="returned 1")
            for case in cases
        )
        best = Attempt(function="one", number=1, source="def one(): return 1", verdicts=verdicts)
        result = FunctionResult(
            function="one",
            outcome=outcome,
            suite=Suite(function="one", cases=cases, held_out=frozenset({"is", "has", "was"})),
            best=best,
            history=(best,),
        )
        content = {
            "key": "sha256:00",
            "instruction": "one()",
            "plan": Plan(module="ones", functions=(spec,)),
            "results": (result,),
            "module_source": '"""Ones."""\n\n\ndef one():\n    return 1\n',
            "test_files": {"test_one.py": TEST},
            "usage": Usage(calls=1, seconds=2.5),
            "seconds": 3.5,
        }
        return Solution(**content | more)

    return make


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def target(cache, tmp_path):
    """The target of a path in the test's folder."""
    return lambda name, **wishes: target_at(str(tmp_path / name), cache, Wishes(**wishes))


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class TestModule:
    """The module alone."""

    def test_green_is_the_source(self, solution):
        """Nothing before it."""
        assert module_text(solution()) == solution().module_source

    def test_what_is_not_green_says_so(self, solution):
        """In its first line, and is Python still."""
        text = module_text(solution("red"))
        assert text.startswith("# Not all of this is right: one is red.\n")
        compile(text, "ones.py", "exec")

    def test_a_file_is_replaced_as_tdgen_wrote_it(self, solution, target, tmp_path):
        """What somebody wrote into it since is not."""
        target("ones.py").write(solution())
        target("ones.py").write(solution(module_source="def one():\n    return 2\n"))
        assert "return 2" in (tmp_path / "ones.py").read_text()
        (tmp_path / "ones.py").write_text("mine = 1\n")
        with pytest.raises(InputError, match="was changed since tdgen wrote it"):
            target("ones.py").write(solution())
        target("ones.py", overwrite=True).write(solution())
        assert "return 1" in (tmp_path / "ones.py").read_text()

    def test_it_is_formatted_as_its_folder_is(self, solution, target, tmp_path):
        """By the user's settings."""
        (tmp_path / "ruff.toml").write_text("format.quote-style = 'single'")
        target("ones.py").write(solution(module_source='def one():\n    return "1"\n'))
        assert "return '1'" in (tmp_path / "ones.py").read_text()

    def test_checking_comes_first(self, target, tmp_path):
        """A file that says something, a folder of that name, a folder that can't be."""
        (tmp_path / "ones.py").write_text("mine = 1\n")
        (tmp_path / "folder.py").mkdir()
        (tmp_path / "empty.py").touch()
        for name, reason in {
            "ones.py": "is there, and not as tdgen wrote it",
            "folder.py": "is a folder",
            "ones.py/x.py": "is a file",
        }.items():
            for overwrite in (False, True):
                with pytest.raises(InputError, match=reason):
                    target(name, overwrite=overwrite, force=overwrite).check()
        for name in ("empty.py", "new.py", "new/new.py"):
            target(name).check()

    @pytest.mark.parametrize("wishes", [{"layout": "src"}, {"readme": True}])
    def test_one_file_has_no_room_for_more(self, target, wishes):
        """It is said before any work."""
        with pytest.raises(InputError, match="name a folder to get more than that"):
            target("ones.py", **wishes)


class TestFolder:
    """All of it."""

    def test_there_and_back(self, solution, target, tmp_path, cache):
        """What was written is what is read."""
        said = target("out").write(solution())
        assert said == f"wrote {tmp_path}/out/: __init__.py, ones.py, test_one.py"
        package = read_package(tmp_path / "out", cache)
        assert package.solution == solution() == recorded_solution(tmp_path / "out")
        assert (list(package.files), package.module, package.changed) == (PACKAGE, "ones.py", ())

    def test_a_readme_is_there_where_it_is_wanted(self, solution, target, tmp_path):
        """Not by itself."""
        target("out", readme=True).write(solution())
        assert (tmp_path / "out" / "README.md").read_text().startswith("# ones\n")
        target("out").write(solution())
        assert not (tmp_path / "out" / "README.md").exists()

    def test_a_readme_of_the_users_is_never_replaced(self, solution, target, tmp_path):
        """It was tdgen that was told to write into the folder."""
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "README.md").write_text("mine")
        target("out", force=True).write(solution())
        with pytest.raises(InputError, match=r"README\.md is there, and not as tdgen wrote it"):
            target("out", force=True, overwrite=True, readme=True).write(solution())
        assert (tmp_path / "out" / "README.md").read_text() == "mine"

    def test_a_module_in_a_package_goes_beside_what_a_project_holds(self, target, tmp_path):
        """Nothing of which is replaced."""
        (tmp_path / "kit").mkdir()
        (tmp_path / "kit" / "pyproject.toml").write_text("")
        target("kit", module="shop.prices").check()
        with pytest.raises(InputError, match="kit holds other files"):
            target("kit", module="prices").check()

    def test_an_untouched_one_is_replaced(self, solution, target, tmp_path):
        """What is no part of the new one is removed."""
        target("out").write(solution())
        target("out").write(solution(test_files={"test_all.py": "\n"}, module_source="def one():\n    return 2\n"))
        assert names(tmp_path / "out") == [RECORD, "__init__.py", "ones.py", "test_all.py"]
        assert (tmp_path / "out" / "ones.py").read_text().endswith("return 2\n")

    @pytest.mark.parametrize("name", PACKAGE)
    def test_a_changed_one_is_not(self, solution, target, tmp_path, cache, name):
        """Whatever of it was changed; reading it tells what."""
        target("out").write(solution())
        (tmp_path / "out" / name).write_text((tmp_path / "out" / name).read_text() + "\n# mine\n")
        assert read_package(tmp_path / "out", cache).changed == (name,)
        with pytest.raises(InputError, match=f"{name} was changed since tdgen wrote it"):
            target("out", force=True).write(solution())
        target("out", overwrite=True).write(solution())
        assert "mine" not in (tmp_path / "out" / name).read_text()

    def test_timings_are_no_change(self, solution, target, tmp_path):
        """The same solution, made again or out of the cache, leaves every byte as it is."""
        target("out").write(solution())
        first = (tmp_path / "out" / RECORD).read_bytes()
        target("out").write(solution(usage=Usage(calls=1, seconds=9.0), seconds=8.0, cached=True))
        assert (tmp_path / "out" / RECORD).read_bytes() == first
        target("out").write(solution(usage=Usage(calls=2, seconds=9.0)))
        assert (tmp_path / "out" / RECORD).read_bytes() != first

    def test_every_process_writes_the_same(self, solution, tmp_path):
        """A set's order is another under each hash seed, and in no file."""
        text = solution().model_dump_json()
        program = "import sys; from tdgen import Solution; Solution.model_validate_json(sys.argv[1]).save(sys.argv[2])"
        for seed in "123":
            run = [sys.executable, "-c", program, text, str(tmp_path / f"seed_{seed}")]
            subprocess.run(run, env=os.environ | {"PYTHONHASHSEED": seed}, check=True)
        assert len({(tmp_path / f"seed_{seed}" / RECORD).read_bytes() for seed in "123"}) == 1

    def test_the_record_repeats_no_file(self, solution, target, tmp_path):
        """Nor the best attempt, which is one of the history."""
        target("out").write(solution())
        record = (tmp_path / "out" / RECORD).read_text()
        assert "assert one() == 1" not in record
        assert record.count("def one(): return 1") == 1

    def test_the_record_may_be_left_in_the_cache(self, solution, target, tmp_path, cache):
        """The folder is read, and written again, all the same; elsewhere it holds no record."""
        target("out", record=False).write(solution())
        assert names(tmp_path / "out") == PACKAGE
        assert read_package(tmp_path / "out", cache).solution == solution()
        target("out").write(solution(test_files={}))
        assert names(tmp_path / "out") == ["__init__.py", "ones.py"]
        assert written_record(cache, tmp_path / "out").exists()
        with pytest.raises(InputError, match="holds no solution of tdgen's"):
            read_package(tmp_path / "out", tmp_path / "another")

    def test_what_is_no_package(self, solution, target, tmp_path, cache):
        """Says what is missing."""
        out = tmp_path / "out"
        with pytest.raises(InputError, match="there is no folder"):
            read_package(out, cache)
        out.mkdir()
        with pytest.raises(InputError, match=r"there is no .tdgen/record.json in it"):
            read_package(out, cache)
        target("out").write(solution())
        record = json.loads((out / RECORD).read_text())
        (out / "ones.py").rename(out / "twos.py")
        with pytest.raises(InputError, match=r"holds no ones.py"):
            read_package(out, cache)
        (out / "twos.py").rename(out / "ones.py")
        for entry in ({}, record["solution"] | {"results": 3}, record["solution"] | {"plan": {"module": "ones"}}):
            (out / RECORD).write_text(json.dumps(record | {"solution": entry}))
            with pytest.raises(InputError, match="is no solution that this version of tdgen can read"):
                read_package(out, cache)
        (out / "ones.py").write_bytes(b"\xff")
        with pytest.raises(InputError, match="can't be read: one is no UTF-8 text"):
            read_package(out, cache)


class TestAnOldFolder:
    """As tdgen wrote them before there were records: the whole solution in `tdgen.json`, beside the files."""

    @pytest.fixture
    def old(self, solution, tmp_path):
        files = {
            "ones.py": solution().module_source,
            "tdgen.json": solution().model_dump_json(indent=1),
            **solution().test_files,
        }
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return tmp_path

    def test_it_is_read(self, solution, old, cache):
        """What was changed in it is told."""
        package = read_package(old, cache)
        assert package.solution == solution()
        assert (package.files["test_one.py"], package.module, package.changed) == (TEST, "ones.py", ())
        (old / "ones.py").write_text("mine = 1\n")
        assert read_package(old, cache).changed == ("ones.py",)

    def test_what_can_not_be_read(self, old, cache):
        """Is told in a line."""
        (old / "tdgen.json").write_text("{}")
        with pytest.raises(InputError, match=r"tdgen.json is no solution that this version of tdgen can read"):
            read_package(old, cache)
        (old / "tdgen.json").unlink()
        with pytest.raises(InputError, match="holds no solution"):
            read_package(old, cache)

    def test_it_is_another_place_to_a_new_solution(self, solution, old, target):
        """Nothing says that its files are as tdgen wrote them."""
        with pytest.raises(InputError, match="holds other files"):
            target(".").write(solution())
        with pytest.raises(InputError, match="not as tdgen wrote it"):
            target(".", force=True).write(solution(module_source="def one():\n    return 2\n"))


USERS_FILE = f"{USER_TESTS}.py"
USERS = """\
import os, ones
from ones import (
    one,  # the one
)

import ones as other


def test_it():
    from ones import one as again

    assert ones.one() == other.one() == again() == one() == len(os.sep) == 1
"""


class TestLayouts:
    """Where the files stand."""

    @pytest.mark.parametrize(
        ("layout", "files"),
        [
            ("package", PACKAGE),
            ("flat", ["conftest.py", "ones.py", "test_one.py"]),
            ("src", ["src/ones.py", "tests/conftest.py", "tests/test_one.py"]),
            ("single", ["ones.py"]),
        ],
    )
    def test_each_has_its_files(self, solution, target, tmp_path, cache, layout, files):
        """And is read back whole."""
        target("out", layout=layout).write(solution())
        assert names(tmp_path / "out") == [RECORD, *files]
        assert read_package(tmp_path / "out", cache).solution == solution()

    def test_one_takes_anothers_place(self, solution, target, tmp_path):
        """Nothing of the one before is left."""
        for layout in get_args(Layout) * 2:
            target("out", layout=layout).write(solution())
        assert names(tmp_path / "out") == [RECORD, "ones.py"]
        assert not (tmp_path / "out" / "src").exists()

    @pytest.mark.parametrize("layout", get_args(Layout))
    def test_a_folder_keeps_the_one_it_has(self, solution, target, tmp_path, layout):
        """Where none is asked for."""
        target("out", layout=layout).write(solution())
        before = names(tmp_path / "out")
        target("out").write(solution(module_source="def one():\n    return 2\n"))
        assert names(tmp_path / "out") == before

    def test_there_is_no_other(self):
        """The line names them all."""
        assert [layout_named(name) for name in (None, "src")] == [None, "src"]
        with pytest.raises(InputError, match="there is no layout deep: it is package, flat, src or single"):
            layout_named("deep")

    @pytest.mark.parametrize(
        ("name", "layout"),
        [("out", "package"), ("my-out", "flat"), ("json", "flat"), ("class", "flat"), ("1st", "flat")],
    )
    def test_a_folder_is_a_package_where_python_can_import_it(self, solution, target, tmp_path, name, layout):
        """Else its tests find the module by the path; who insists is told."""
        target(name).write(solution())
        assert ("__init__.py" in names(tmp_path / name)) is (layout == "package")
        if layout == "flat":
            with pytest.raises(InputError, match=r"Python can't import a package from .*--layout flat"):
                target(name, layout="package").write(solution())

    def test_somebodys_folder_is_made_no_package(self, solution, target, tmp_path):
        """One that is a package already gets a module more."""
        for name in ("plain", "package"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "mine.py").write_text("")
        (tmp_path / "package" / "__init__.py").write_text("mine = 1\n")
        for name in ("plain", "package"):
            target(name, force=True).write(solution())
        assert names(tmp_path / "plain") == [RECORD, "conftest.py", "mine.py", "ones.py", "test_one.py"]
        assert (tmp_path / "package" / "__init__.py").read_text() == "mine = 1\n"
        assert "from .ones import one" in (tmp_path / "package" / "test_one.py").read_text()

    def test_tests_that_name_the_module_in_a_string_find_it_by_that_name(self, solution, target, tmp_path):
        """Such as a patch does."""
        tests = 'def test_one(mocker):\n    mocker.patch("ones.one")\n'
        target("out").write(solution(test_files={USERS_FILE: tests}))
        assert names(tmp_path / "out") == [RECORD, "conftest.py", "ones.py", USERS_FILE]

    def test_imports_are_those_of_the_layout(self, solution, target, tmp_path, cache):
        """Of the user's own tests too, of which nothing else changes; read back they are as they were."""
        target("out").write(solution(test_files={USERS_FILE: USERS}))
        text = (tmp_path / "out" / USERS_FILE).read_text()
        assert text.splitlines()[:4] == [
            "import os; from . import ones",
            "from .ones import one",
            "",
            "from . import ones as other",
        ]
        assert "    from .ones import one as again\n\n    assert" in text
        again = read_package(tmp_path / "out", cache).solution.test_files[USERS_FILE]
        assert [line for line in again.splitlines() if "import" in line] == [
            "import os; import ones",
            "from ones import one",
            "import ones as other",
            "    from ones import one as again",
        ]

    def test_what_is_no_python_is_written_as_it_is(self, solution, target, tmp_path):
        """Whoever handed it in may mend it there."""
        broken = {USERS_FILE: "from ones import (", "test_one.py": "def f(:\n"}
        target("out").write(solution(test_files=broken))
        assert {name: (tmp_path / "out" / name).read_text() for name in broken} == broken

    def test_files_are_formatted_by_the_users_settings(self, solution, target, tmp_path):
        """The user's own tests are left alone."""
        (tmp_path / "pyproject.toml").write_text("[tool.black]\nskip-string-normalization = true\nline-length = 20\n")
        source = "def one():\n    return ['one', 'one']\n"
        target("out", layout="src").write(solution(module_source=source, test_files={USERS_FILE: "x = {  }\n"}))
        assert "return [\n        'one',\n        'one',\n    ]" in (tmp_path / "out" / "src" / "ones.py").read_text()
        assert (tmp_path / "out" / "tests" / USERS_FILE).read_text() == "x = {  }\n"


def test_a_readme_that_is_there_is_seen_before_any_work_is_paid_for(target, tmp_path):
    """It is the user's, and one is to be written."""
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(InputError, match=r"README\.md is there"):
        target(".", force=True, readme=True).check()
    target(".", force=True).check()
