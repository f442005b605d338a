"""A solution's way to the disk and back; nobody's work is replaced unasked."""

from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import InputError
from tdgen.outputs import module_text, read_package, target_at
from tdgen.types import Attempt, Case, FunctionResult, FunctionSpec, Plan, Returns, Solution, Suite, Value


@pytest.fixture
def solution():
    """Make a solution of one function."""

    def make(outcome: str = "green", **more: Any) -> Solution:
        spec = FunctionSpec(name="one", purpose="1", returns=Returns(type="int"))
        case = Case(name="is", function="one", expectation=Value(source="1"))
        result = FunctionResult(
            function="one",
            outcome=outcome,
            suite=Suite(function="one", cases=(case,)),
            best=Attempt(function="one", number=1, source="def one(): return 1"),
        )
        content = {
            "key": "sha256:00",
            "instruction": "one()",
            "plan": Plan(module="ones", functions=(spec,)),
            "results": (result,),
            "module_source": "def one():\n    return 1\n",
            "test_files": {"test_one.py": "from ones import one\n\n\ndef test_one():\n    assert one() == 1\n"},
        }
        return Solution(**content | more)

    return make


class TestModule:
    """The module alone."""

    def test_green_is_the_source(self, solution):
        """Nothing before it."""
        assert module_text(solution()) == "def one():\n    return 1\n"

    def test_what_is_not_green_says_so(self, solution):
        """In its first line, and is Python still."""
        text = module_text(solution("red"))
        assert text.startswith("# Not all of this is right: one is red.\n")
        compile(text, "ones.py", "exec")

    def test_a_file_that_says_the_same_stays(self, solution, tmp_path: Path):
        """Writing twice is no conflict; writing something else is."""
        target = target_at(str(tmp_path / "ones.py"))
        target.write(solution())
        target.write(solution())
        with pytest.raises(InputError, match="is there and differs: add --force"):
            target.write(solution(module_source="def one():\n    return 2\n"))

    def test_checking_comes_first(self, tmp_path: Path):
        """A file that says something, a folder of that name, a folder that can't be."""
        (tmp_path / "ones.py").write_text("mine = 1\n")
        (tmp_path / "folder.py").mkdir()
        (tmp_path / "empty.py").touch()
        for name, reason in {
            "ones.py": "is there already",
            "folder.py": "is a folder",
            "ones.py/x.py": "ones.py",
        }.items():
            with pytest.raises(InputError, match=reason):
                target_at(str(tmp_path / name)).check()
        for name in ("empty.py", "new.py", "new/new.py"):
            target_at(str(tmp_path / name)).check()
        target_at(str(tmp_path / "ones.py"), force=True).check()


class TestFolder:
    """All of it."""

    def test_there_and_back(self, solution, tmp_path: Path):
        """What was written is what is read."""
        target = target_at(str(tmp_path / "out"))
        said = target.write(solution())
        assert said == f"wrote {tmp_path}/out/: README.md, ones.py, tdgen.json, test_one.py"
        package = read_package(tmp_path / "out")
        assert package.solution == solution()
        assert set(package.files) == {"ones.py", "test_one.py"}

    def test_an_untouched_one_is_replaced(self, solution, tmp_path: Path):
        """What is no part of the new one is removed."""
        target = target_at(str(tmp_path))
        target.write(solution())
        target.write(solution(test_files={"test_all.py": "\n"}, module_source="def one():\n    return 2\n"))
        assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "ones.py", "tdgen.json", "test_all.py"]
        assert (tmp_path / "ones.py").read_text().endswith("return 2\n")

    @pytest.mark.parametrize("name", ["ones.py", "test_one.py", "README.md", "tdgen.json"])
    def test_a_changed_one_is_not(self, solution, tmp_path: Path, name: str):
        """Whatever of it was changed."""
        target = target_at(str(tmp_path))
        target.write(solution())
        (tmp_path / name).write_text((tmp_path / name).read_text() + "\n")
        with pytest.raises(InputError, match=f"{name} was changed since tdgen wrote it"):
            target.write(solution())
        target_at(str(tmp_path), force=True).write(solution())

    def test_a_file_taken_out_is_no_change(self, solution, tmp_path: Path):
        """It comes back."""
        target = target_at(str(tmp_path))
        target.write(solution())
        (tmp_path / "README.md").unlink()
        target.write(solution())
        assert (tmp_path / "README.md").exists()

    def test_a_record_never_reaches_out_of_its_folder(self, solution, tmp_path: Path):
        """It may be somebody else's, made to have files removed elsewhere."""
        (tmp_path / "precious.py").write_text("mine\n")
        hostile = solution(test_files={"../precious.py": "mine\n"})
        folder = tmp_path / "out"
        folder.mkdir()
        (folder / "tdgen.json").write_text(hostile.model_dump_json(indent=1) + "\n")
        target_at(str(folder)).write(solution())
        assert (tmp_path / "precious.py").read_text() == "mine\n"

    def test_what_is_no_package(self, solution, tmp_path: Path):
        """Says what is missing."""
        with pytest.raises(InputError, match="there is no folder"):
            read_package(tmp_path / "none")
        with pytest.raises(InputError, match=r"there is no tdgen.json in it"):
            read_package(tmp_path)
        (tmp_path / "tdgen.json").write_text("{}")
        with pytest.raises(InputError, match="is no solution that this version of tdgen can read"):
            read_package(tmp_path)
        (tmp_path / "tdgen.json").write_text(solution().model_dump_json())
        with pytest.raises(InputError, match=r"holds no ones.py"):
            read_package(tmp_path)
        (tmp_path / "ones.py").write_bytes(b"\xff")
        with pytest.raises(InputError, match="can't be read: one is no UTF-8 text"):
            read_package(tmp_path)
