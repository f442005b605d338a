"""Third-party packages: wheels alone, installed once outside the sandbox, and read-only inside it."""

from __future__ import annotations

import io
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import InputError, SandboxError
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.interpreter import Interpreter, find
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.packages import Packages, Target, here, requirements
from tdgen.sandbox.warm import WarmSandbox
from tdgen.sandbox.wheels import install
from tdgen.types import FileJob, Job, Limits, Probe, World
from tdgen.values.decode import decode


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache folder that is not there yet."""
    return tmp_path / "cache"


def running() -> Target:
    """The target that this process' own Python is."""
    return here(find(sys.executable))


def left_behind(cache: Path) -> list[str]:
    """What lies among the packages beside locks."""
    return [path.name for path in (cache / "packages").iterdir() if path.suffix != ".lock"]


def image(**facts: Any) -> Target:
    """A target that is not this Python, as an image would tell of it; nothing is compiled."""
    told = {"version": (3, 13, 1), "machine": "x86_64", "libc": "glibc 2.36", **facts}
    return Target(Interpreter(program="python3", readable=(), **told), lambda folder: None)


class TestRequirements:
    """What is asked for beyond the standard library, in one spelling."""

    @pytest.mark.parametrize(
        ("allowed", "wanted"),
        [
            (["sqlite3", "urllib.request"], ()),
            (["numpy"], ("numpy",)),
            (["NumPy == 2.1.0"], ("numpy==2.1.0",)),
            (["python_dateutil>=2, <3"], ("python-dateutil>=2,<3",)),
            (["b", "a", "b"], ("a", "b")),
            (["pandas[excel]~=2.0"], ("pandas[excel]~=2.0",)),
            (["fastapi==0.115", "httpx"], ("fastapi==0.115", "httpx", "httpx2", "pydantic", "starlette")),
        ],
    )
    def test_are_normalised(self, allowed: list[str], wanted: tuple[str, ...]) -> None:
        """Names as PEP 503 has them, sorted, each once; a web framework's test client comes with it."""
        assert requirements(allowed) == wanted

    @pytest.mark.parametrize(
        "text", ["--index-url=x", "a b", "./here", "a @ https://example.org/a.whl", "a; os", "a>=", ""]
    )
    def test_nothing_else_reaches_pip(self, text: str) -> None:
        """No option, path, address or marker."""
        with pytest.raises(InputError, match="is no package"):
            requirements([text])


class TestInstalling:
    """Once for a set of requirements, whole or not at all."""

    def test_nothing_to_install(self, cache: Path) -> None:
        """The standard library needs no folder; the names that were given may be imported."""
        assert install(["sqlite3"], running(), cache) == Packages("", frozenset({"sqlite3"}))
        assert not cache.exists()

    def test_the_names_to_import_are_the_distributions_own(self, wheels, cache: Path) -> None:
        """They may differ from its name; what it needs itself is there, and not allowed by that."""
        wheels.put("Tiny-Things", needs=["helper"], tiny="import helper", _private="")
        wheels.put("helper", helper="")
        packages = install(["tiny.things"], running(), cache)
        assert packages.imports == {"tiny"}
        assert {"tiny.py", "helper.py"} <= {path.name for path in Path(packages.folder).iterdir()}

    def test_once(self, wheels, cache: Path) -> None:
        """Another spelling of the same set finds the same folder: pip is asked once, and that is told."""
        wheels.put("tiny", tiny="")
        told = list[str]()
        first = install(["tiny>=1"], running(), cache, told.append)
        (wheels.folder / "tiny-1.0-py3-none-any.whl").unlink()
        assert install(["TINY >= 1"], running(), cache, told.append) == first
        assert told == ["fetching wheels of tiny>=1 and what they need: once, and it may take a minute"]

    def test_another_python_has_a_folder_of_its_own(self, wheels, cache: Path) -> None:
        """Wheels differ by version, and so does bytecode."""
        wheels.put("tiny", tiny="")
        made = [install(["tiny"], image(version=(3, minor, 1)), cache).folder for minor in (12, 13)]
        assert len(set(made)) == 2

    @pytest.mark.parametrize(
        ("facts", "chosen"),
        [
            ({"machine": "aarch64"}, "cp313-cp313-manylinux_2_28_aarch64"),
            ({"machine": "aarch64", "libc": "glibc 2.27"}, "cp313-cp313-manylinux_2_17_aarch64"),
            ({"machine": "aarch64", "libc": ""}, "cp313-cp313-musllinux_1_2_aarch64"),
            ({"machine": "aarch64", "abi_flags": "t"}, "cp313-cp313t-manylinux_2_28_aarch64"),
            ({"version": (3, 9, 1)}, "py3-none-any"),
        ],
        ids=["another machine", "an older C library", "another C library", "without the lock", "another version"],
    )
    def test_wheels_are_those_of_the_image(self, wheels, cache: Path, facts: dict[str, Any], chosen: str) -> None:
        """Whatever runs pip: its own would not load there."""
        for tag in (
            *("cp313-cp313-macosx_11_0_arm64", "cp313-cp313-manylinux_2_28_aarch64", "cp311-cp311-linux_x86_64"),
            *("cp313-cp313-manylinux_2_17_aarch64", "cp313-cp313-musllinux_1_2_aarch64"),
            *("cp313-cp313t-manylinux_2_28_aarch64", "py3-none-any"),
        ):
            wheels.put("tiny", tag=tag, tiny=f"tag = {tag!r}")
        text = Path(install(["tiny"], image(**facts), cache).folder, "tiny.py").read_text()
        assert text == f"tag = {chosen!r}"

    def test_dependencies_are_those_of_the_image_too(self, wheels, cache: Path) -> None:
        """Which pip decides for the Python that it runs in: what only the image's needs is added."""
        wheels.put("tiny", needs=["middle; python_version < '3.10'", "never; sys_platform == 'win32'"], tiny="")
        wheels.put("middle", needs=["old>=1; python_version < '3.10'"], middle="")
        wheels.put("old", old="")
        folder = Path(install(["tiny"], image(version=(3, 9, 1)), cache).folder)
        assert {path.name for path in folder.glob("*.py")} == {"tiny.py", "middle.py", "old.py"}

    def test_what_an_image_gets_runs_there(self, docker_client: object, wheels, cache: Path) -> None:
        """Compiled by the interpreter that reads it."""
        wheels.put("tiny", tiny="VALUE = 5")
        probe = Probe(name="p", call="tiny.VALUE, __import__('os').path.exists(tiny.__cached__)")
        with DockerSandbox(packages=lambda target: install(["tiny"], target, cache).folder) as sandbox:
            seen = sandbox.run(Job(module="m", source="import tiny", probes=(probe,))).observations[0]
        assert decode(seen.value) == (5, True)

    def test_it_is_compiled_by_the_target(self, wheels, cache: Path) -> None:
        """Before anybody sees the folder."""
        wheels.put("tiny", tiny="")
        seen: list[list[str]] = []
        target = image()._replace(compile=lambda folder: seen.append([path.name for path in folder.glob("*.py")]))
        install(["tiny"], target, cache)
        assert seen == [["tiny.py"]]

    def test_at_once(self, wheels, cache: Path) -> None:
        """Many who want the same wait for the one that is made."""
        wheels.put("tiny", tiny="")
        with ThreadPoolExecutor(4) as executor:
            found = set(executor.map(lambda _: install(["tiny"], running(), cache), range(4)))
        assert len(found) == len(left_behind(cache)) == 1

    @pytest.mark.parametrize(
        ("allowed", "said"),
        [
            ("nobody", "--allow nobody: there is no wheel of it for Python"),
            ("tiny>=2", "--allow tiny>=2: of that version there is no wheel for Python .*; there are 1.0"),
        ],
    )
    def test_what_can_not_be_had(self, wheels, cache: Path, allowed: str, said: str) -> None:
        """One line, and nothing is left."""
        wheels.put("tiny", tiny="")
        with pytest.raises(InputError, match=said):
            install([allowed], running(), cache)
        assert left_behind(cache) == []

    def test_sources_are_not_built(self, wheels, cache: Path, tmp_path: Path) -> None:
        """That would run their code on this machine."""
        setup = (
            f"open({str(tmp_path / 'ran')!r}, 'w')\nfrom setuptools import setup\nsetup(name='raw', version='1.0')\n"
        )
        with tarfile.open(wheels.folder / "raw-1.0.tar.gz", "w:gz") as archive:
            entry = tarfile.TarInfo("raw-1.0/setup.py")
            entry.size = len(setup)
            archive.addfile(entry, io.BytesIO(setup.encode()))
        with pytest.raises(InputError, match="sources are not built"):
            install(["raw"], running(), cache)
        assert not (tmp_path / "ran").exists()

    def test_contradictions(self, wheels, cache: Path) -> None:
        """Two that need what can't be together."""
        for name, version in (("one", "1"), ("two", "2")):
            wheels.put(name, needs=[f"helper=={version}"], **{name: ""})
            wheels.put("helper", version, helper="")
        with pytest.raises(InputError, match="--allow one, two: these contradict each other"):
            install(["one", "two"], running(), cache)

    def test_no_network(self, wheels, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Something outside does not answer: no fault of the input."""
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
        with pytest.raises(SandboxError, match="--allow nobody: the package index can't be reached"):
            install(["nobody"], running(), cache)

    def test_no_pip(self, wheels, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What to do is said."""
        bare = tmp_path / "python"
        bare.write_text("#!/bin/sh\necho 'No module named pip' >&2\nexit 1\n")
        bare.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(bare))
        with pytest.raises(SandboxError, match="ensurepip"):
            install(["tiny"], running(), cache)

    def test_no_place(self, wheels, tmp_path: Path) -> None:
        """The cache can't be a file."""
        (tmp_path / "cache").write_text("")
        with pytest.raises(InputError, match="set --cache-dir"):
            install(["tiny"], running(), tmp_path / "cache")


class TestInside:
    """What is installed can be imported, and nothing can be changed about it."""

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls, make_wheels, tmp_path_factory: pytest.TempPathFactory):
        """A sandbox with one package, which would call itself pytest's own too."""
        folder = tmp_path_factory.mktemp("inside")
        with pytest.MonkeyPatch.context() as monkeypatch:
            wheels = make_wheels(folder / "wheels", monkeypatch)
            wheels.put("tiny", tiny="def double(n): return 2 * n", pluggy="raise RuntimeError('not the real one')")
            made = LocalSandbox(packages=lambda target: install(["tiny"], target, folder / "cache").folder)
        with made:
            yield made

    def test_cases(self, sandbox: LocalSandbox) -> None:
        """A function that uses it."""
        job = Job(
            module="m", source="import tiny\ndef f(n): return tiny.double(n)", probes=(Probe(name="p", call="f(4)"),)
        )
        assert sandbox.run(job).observations[0].value == 8

    def test_files(self, sandbox: LocalSandbox) -> None:
        """A pytest file that does, with pytest's own libraries out of the package's reach."""
        test = "import tiny\ndef test_double():\n    assert tiny.double(4) == 8\n"
        report = sandbox.run_files(FileJob(files={"test_tiny.py": test}, tests=("test_tiny.py",)))
        assert report.outcomes == {"test_tiny.py::test_double": "passed"}

    def test_it_can_not_be_written(self, sandbox: LocalSandbox) -> None:
        """Nor anything be put beside it."""
        source = "import os, tiny\ndef f(): open(os.path.join(os.path.dirname(tiny.__file__), 'mine.py'), 'w')\n"
        seen = sandbox.run(Job(module="m", source=source, probes=(Probe(name="p", call="f()"),))).observations[0]
        assert seen.raised is not None
        assert seen.raised.type in ("builtins.PermissionError", "builtins.OSError")

    def test_it_is_compiled_already(self, sandbox: LocalSandbox) -> None:
        """As nothing can be written inside, every run would have to do that."""
        source = "import os, tiny\ndef f(): return os.path.exists(tiny.__cached__)"
        job = Job(module="m", source=source, probes=(Probe(name="p", call="f()"),))
        assert sandbox.run(job).observations[0].value is True

    def test_without_it(self, local: LocalSandbox) -> None:
        """Another sandbox knows nothing of it."""
        job = Job(module="m", source="import tiny", probes=(Probe(name="p", call="1"),))
        raised = local.run(job).observations[0].raised
        assert raised is not None
        assert raised.type == "builtins.ModuleNotFoundError"


class TestArrays:
    """The server imports numpy and pandas, where they are allowed, once for all runs."""

    @pytest.mark.parametrize("call", ["np.random.rand()", "pd.Series(range(10**5)).sample(1).item()"])
    def test_numbers_without_a_seed_are_others_in_each_run(self, array_sandbox: WarmSandbox, call: str) -> None:
        """As if each run had imported them itself."""
        source = f"import numpy as np\nimport pandas as pd\ndef f(): return float({call})"
        job = Job(module="m", source=source, probes=(Probe(name="p", call="f()"),))
        assert len({array_sandbox.run(job).observations[0].value for _ in range(4)}) > 1

    def test_what_they_take_of_memory_is_no_run_s(self, array_sandbox: WarmSandbox) -> None:
        """Code that uses neither has as much as where none is allowed."""
        probes = (Probe(name="p", call="len(bytearray(160 << 20))"),)
        job = Job(module="m", source="", probes=probes, limits=Limits(memory_mb=200))
        assert array_sandbox.run(job).observations[0].value == 160 << 20

    def test_they_are_imported_before_the_clock_stands_still(self) -> None:
        """By the run, where the server has not done it: among stand-ins for `datetime` pandas can't be."""
        folder = Path(str(find_spec("pandas").origin)).parents[1]
        probe = Probe(name="p", call="str(pd.Timestamp(date.today()).date())", world=World(clock="2001-02-03"))
        job = Job(module="m", source="from datetime import date\nimport pandas as pd", probes=(probe,))
        with LocalSandbox(packages=lambda _: str(folder), without=("network namespace",)) as sandbox:
            assert sandbox.run(job).observations[0].value == "2001-02-03"

    def test_a_clock_that_stands_still_is_that_of_pandas_too(self, array_sandbox: WarmSandbox) -> None:
        """Of a case with one, and of no other that shares its process."""
        call = "[str(t) for t in (pd.Timestamp.now(), pd.Timestamp.today('Asia/Tokyo'), pd.Timestamp.utcnow())]"
        still = Probe(name="still", call=call, world=World(clock="2001-02-03T12:00:00+02:00"))
        goes_on = Probe(name="goes on", call="pd.Timestamp.now().year > 2020")
        job = Job(module="m", source="import pandas as pd", probes=(still, goes_on, still))
        seen = array_sandbox.run(job).observations
        wanted = ["2001-02-03 10:00:00", "2001-02-03 19:00:00+09:00", "2001-02-03 10:00:00+00:00"]
        assert [decode(one.value) for one in seen] == [wanted, True, wanted]

    @pytest.mark.parametrize("without", [(), ("network namespace",)])
    def test_only_a_server_that_is_apart_itself_imports_them(self, tmp_path: Path, without: tuple[str, ...]) -> None:
        """By a root and a network of its own; else a wheel would find the machine's there, and each run imports it."""
        tmp_path.chmod(0o755)
        (tmp_path / "numpy.py").write_text("import os\nIMPORTED_BY = os.getpid()\n")
        probe = Probe(name="p", call="numpy.IMPORTED_BY == os.getpid()")
        with LocalSandbox(packages=lambda _: str(tmp_path), without=without) as sandbox:
            seen = sandbox.run(Job(module="m", source="import os, numpy", probes=(probe,))).observations[0]
            enforced = {layer.name for layer in sandbox.layers() if layer.enforced}
        assert seen.value is not ({"mount namespace", "network namespace"} <= enforced)

    @pytest.mark.parametrize("fault", ["raise RuntimeError('broken')", "raise SystemExit"])
    def test_one_that_is_broken_says_so_to_who_imports_it(self, tmp_path: Path, fault: str) -> None:
        """All other code runs."""
        tmp_path.chmod(0o755)
        (tmp_path / "numpy.py").write_text(fault)
        probe = Probe(name="p", call="f()")
        with LocalSandbox(packages=lambda _: str(tmp_path)) as sandbox:
            runs = [
                sandbox.run(Job(module="m", source=f"{top}\ndef f(): return 1", probes=(probe,)))
                for top in ("", "import numpy")
            ]
        plain, importing = (run.observations[0] for run in runs)
        assert plain.value == 1
        assert importing.raised is not None
        assert importing.raised.type.removeprefix("builtins.") in fault


NUMPY = """
import numpy as np

def column_means(rows):
    return np.array(rows, dtype=float).mean(axis=0)
"""


class TestNumpy:
    """A real package with compiled code, from the index that pip is set up for."""

    @pytest.fixture(scope="class")
    @classmethod
    def with_numpy(cls, tmp_path_factory: pytest.TempPathFactory):
        """A sandbox where numpy can be had. That an image gets wheels of its own is tried on smaller ones."""
        cache = tmp_path_factory.mktemp("numpy") / "cache"
        try:
            made = LocalSandbox(packages=lambda target: install(["numpy"], target, cache).folder)
        except (SandboxError, InputError) as error:
            pytest.skip(f"no package index that has numpy: {error}")
        with made:
            yield made

    def test_it_runs(self, with_numpy: WarmSandbox) -> None:
        """Its wheel fits the interpreter inside, and its values come out."""
        probe = Probe(name="p", call="column_means([[1, 2], [3, 4]]).tolist()")
        seen = with_numpy.run(Job(module="m", source=NUMPY, probes=(probe,))).observations[0]
        assert (seen.status, seen.value) == ("returned", [2.0, 3.0]), seen

    def test_it_is_compiled_there(self, with_numpy: WarmSandbox) -> None:
        """By the interpreter that reads it."""
        probe = Probe(name="p", call="__import__('os').path.exists(np.__cached__)")
        assert with_numpy.run(Job(module="m", source=NUMPY, probes=(probe,))).observations[0].value is True
