"""A user's project inside: shown read-only at its own path, with a module laid over one of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import InputError, SandboxError
from tdgen.judge.compare import differences
from tdgen.sandbox import interpreter, pytest_run
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.server import Opened
from tdgen.sandbox.warm import WarmSandbox
from tdgen.sandboxes import Wants, open_sandbox
from tdgen.types import FileJob, Job, Limits, Observation, Probe
from tdgen.types.cases import plain_world
from tdgen.values.equality import Relation

pytestmark = pytest.mark.slow  # each needs a sandbox of its own

PRICING = """
from .money import Money
from . import money

CALLS = []

def price(amount):
    CALLS.append(amount)
    return Money(amount, "EUR")

def calls():
    return len(CALLS)

def where():
    return __name__, __package__, __spec__.name, __spec__.parent, __file__
"""
FILES = {
    "src/shop/__init__.py": 'from .pricing import price\nprint("a shop opens")\n',
    "src/shop/pricing.py": "from .money import Money\n\ndef price(amount):\n    raise NotImplementedError\n",
    "src/shop/money.py": """
import enum
from dataclasses import dataclass
from typing import NamedTuple

@dataclass(frozen=True)
class Money:
    amount: int
    currency: str = "EUR"
    class Unit:
        def __init__(self, name):
            self.name = name

class Slotted:
    __slots__ = ("cents", "_kept")
    def __init__(self, cents):
        self.cents, self._kept = cents, object()

class Colour(enum.Enum):
    RED = 1

class Place(NamedTuple):
    x: int
    y: int

class Counter:
    total = 7
""",
    "src/shop/cart.py": """
from shop import pricing

def total(amounts):
    return sum(pricing.price(n).amount for n in amounts)
""",
    "src/shop/registry.py": """
KNOWN = []

def add(name):
    assert name not in KNOWN
    KNOWN.append(name)
    return len(KNOWN)
""",
    "src/shop/data/rates.txt": "1.1\n",
    "src/loose/part.py": "VALUE = 3\n",
    "src/broken/__init__.py": "raise RuntimeError('no database')\n",
    "src/ending/__init__.py": "import sys\nsys.exit(3)\n",
    "src/hanging/__init__.py": "import time\ntime.sleep(60)\n",
    "top.py": "import shop.cart\n",
    "site-packages/tally.py": "SEEN = []\n\ndef count(one):\n    SEEN.append(one)\n    return len(SEEN)\n",
}
PUBLIC = {
    "shop.money.Money": ("amount", "currency"),
    "shop.money.Slotted": ("cents",),
    "shop.money.Money.Unit": ("name",),
}


def laid(folder: Path, files: dict[str, str]) -> Path:
    """The folder with those files in it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with spaces and more in its path, a secret beside it, and links that lead out."""
    folder = tmp_path_factory.mktemp("beside")
    for path in (folder, *folder.parents[:2]):
        path.chmod(0o755)  # as root, another user looks for it inside
    (folder / "secret").write_text("held out")
    found = laid(folder / "my shöp", FILES)
    (found / "out").symlink_to(folder / "secret")
    return found


@pytest.fixture(scope="module", params=["local", "docker"])
def shop(request: pytest.FixtureRequest, root: Path) -> Iterator[WarmSandbox]:
    """A sandbox of each kind in which the project is mounted."""
    request.getfixturevalue(request.param)
    kind: Any = {"local": LocalSandbox, "docker": DockerSandbox}[request.param]
    with kind(mounted=Mounted(root=str(root), imports=(str(root / "src"), str(root)))) as sandbox:
        yield sandbox


def run(sandbox: WarmSandbox, *calls: str, source: str = PRICING, module: str = "shop.pricing", **more: Any) -> Any:
    """What each call does on the module."""
    job = {name: more.pop(name) for name in ("limits", "public", "watch", "warnings_as_errors") if name in more}
    probes = tuple(Probe(name=str(number), call=call, **more) for number, call in enumerate(calls))
    return sandbox.run(Job(module=module, source=source, probes=probes, **{"public": PUBLIC, **job})).observations


def one(sandbox: WarmSandbox, call: str, **more: Any) -> Observation:
    """What one call does."""
    found: Observation = run(sandbox, call, **more)[0]
    return found


class TestOverlay:
    """A job's module is laid over the project's: whoever imports it there finds it."""

    def test_it_is_what_python_would_have_made_of_its_file(self, shop: WarmSandbox, root: Path) -> None:
        """Its names, its package, its file."""
        expected = ["shop.pricing", "shop", "shop.pricing", "shop", str(root / "src/shop/pricing.py")]
        assert one(shop, "list(where())").value == expected

    @pytest.mark.parametrize(
        ("setup", "call"),
        [
            ("import shop", "shop.price(3).amount"),
            ("from shop import price", "price(3).amount"),
            ("import shop.pricing as found", "found.price(3).amount"),
            ("from shop.cart import total", "total([1, 2])"),
            ("import top, shop", "shop.cart.total([3])"),
            ("from importlib.resources import files", "files('shop').joinpath('data/rates.txt').read_text() and 3"),
            ("from loose.part import VALUE", "VALUE"),
        ],
    )
    def test_siblings_find_it(self, shop: WarmSandbox, setup: str, call: str) -> None:
        """By its package's own import, by other modules of the project, in a circle."""
        assert one(shop, call, setup=setup).value == 3

    def test_each_probe_begins_afresh(self, shop: WarmSandbox) -> None:
        """Neither the module nor any other of the project keeps what an earlier probe did."""
        calls = ["price(1) and calls()", "price(2) and calls()", "price(3) and calls()"]
        assert [seen.value for seen in run(shop, *calls)] == [1, 1, 1]
        added = run(shop, *["registry.add('x')"] * 3, setup="from shop import registry")
        assert [seen.value for seen in added] == [1, 1, 1]

    @pytest.mark.parametrize("call", ["tally.count(1)", "late()"])
    def test_packages_are_as_fresh(self, shop: WarmSandbox, root: Path, call: str) -> None:
        """What a probe does to a package that comes with the module, or with a call, the next one does not find."""
        place = f"import sys\nsys.path.append({str(root / 'site-packages')!r})\ndef price(): pass\n"
        first = "import tally\n" if call != "late()" else ""
        late = f"def late():\n    {place.splitlines()[1]}\n    import tally\n    return tally.count(1)\n"
        assert [seen.value for seen in run(shop, *[call] * 4, source=place + first + late)] == [1] * 4

    def test_what_an_import_adds_elsewhere_is_there_once(self, shop: WarmSandbox) -> None:
        """However many probes there are."""
        source = "import logging\nlogging.root.addHandler(logging.NullHandler())\ndef price(): pass\n"
        alone = one(shop, "len(logging.root.handlers)", source=source).value
        assert [seen.value for seen in run(shop, *["len(logging.root.handlers)"] * 4, source=source)] == [alone] * 4

    def test_each_job_has_its_own_source(self, shop: WarmSandbox) -> None:
        """What one job lays over the project is gone for the next."""
        for amount in (4, 5):
            source = PRICING.replace("Money(amount,", f"Money({amount},")
            assert one(shop, "shop.price(1).amount", setup="import shop", source=source).value == amount

    def test_a_new_module(self, shop: WarmSandbox, root: Path) -> None:
        """One that is in no file yet lies where its file will."""
        source = "from . import money\ndef where():\n    return __file__, __package__\n"
        for module, place in (
            ("shop.new", "src/shop/new.py"),
            ("fresh", "src/fresh.py"),
            ("loose.new", "src/loose/new.py"),
        ):
            text = source if "." in module else source.replace("from . import money", "")
            text = text.replace("from . import money", "") if module.startswith("loose") else text
            seen = one(shop, "list(where())", module=module, source=text)
            assert seen.value == [str(root / place), module.rpartition(".")[0]], seen

    def test_a_package_itself(self, shop: WarmSandbox) -> None:
        """The `__init__` of a package has its folder's modules below it."""
        source = (
            "from . import money\nfrom .pricing import Money\ndef f():\n    return __path__ and Money is money.Money\n"
        )
        assert one(shop, "f()", module="shop", source=source).value is True

    def test_a_top_level_module(self, shop: WarmSandbox, root: Path) -> None:
        """It lies in a later one of the folders to import from."""
        source = "from shop.money import Money\ndef f():\n    return __file__\n"
        assert one(shop, "f()", module="top", source=source).value == str(root / "top.py")

    def test_names_mean_what_the_project_means(self, shop: WarmSandbox) -> None:
        """Its own class is not taken for the standard library's of the same name."""
        assert one(shop, "Counter.total", source="from shop.money import Counter\nprice = 1\n").value == 7

    def test_so_do_well_known_names_that_its_module_imports(self, shop: WarmSandbox) -> None:
        """A function and a module of the project's; what is the standard library's by such a name stays that."""
        source = "import json\nfrom datetime import datetime\nfrom shop import money as types\n"
        source += "from shop.money import Money as fields\ndef price(): pass\n"
        call = "[types.Money.__name__, fields(3, 'EUR').amount, json.loads('3'), datetime.date(2024, 2, 29).day]"
        assert one(shop, call, source=source).value == ["Money", 3, 3, 29]

    def test_what_the_import_prints_is_nobodys(self, shop: WarmSandbox) -> None:
        """Neither the packages' words nor the module's are a call's output."""
        source = "print('imported')\ndef f():\n    print('called')\n"
        assert one(shop, "f()", source=source + "def price(): pass\n").stdout == "called\n"

    def test_a_script_runs_in_its_package(self, shop: WarmSandbox) -> None:
        """As `python -m shop.pricing` runs it."""
        world = plain_world().model_copy(update={"script": ("a",)})
        source = "import sys\nfrom .money import Money as price\nprint(__name__, __package__, sys.argv[1:], price(2))\n"
        assert (
            one(shop, "", source=source, world=world).stdout == "__main__ shop ['a'] Money(amount=2, currency='EUR')\n"
        )

    def test_a_clock_stands_still_in_the_whole_project(self, shop: WarmSandbox) -> None:
        """What the project imports of the clock is stopped too."""
        world = plain_world().model_copy(update={"clock": "2024-02-03T04:05:06Z"})
        source = "from datetime import datetime\nNOW = datetime.now()\ndef price(): pass\n"
        assert [seen.value for seen in run(shop, "NOW.year", "NOW.month", source=source, world=world)] == [2024, 2]

    @pytest.mark.parametrize("watch", ["lines", "values"])
    def test_its_lines_are_watched(self, shop: WarmSandbox, watch: Any) -> None:
        """And no other module's."""
        source = "from .money import Money\ndef price(n):\n    n += 1\n    return Money(n).amount\n"
        seen = one(shop, "price(1)", source=source, watch=watch)
        assert seen.lines == (3, 4) if watch == "lines" else [step.line for step in seen.steps] == [2, 3, 4]

    def test_a_traceback_has_its_lines(self, shop: WarmSandbox) -> None:
        """Those of the module, with what they say."""
        seen = one(shop, "price(0)", source="def price(n):\n    return 1 / n\n")
        assert seen.raised is not None
        assert [(frame.line, frame.text) for frame in seen.raised.frames] == [(2, "return 1 / n")]

    def test_its_own_warnings_as_errors(self, shop: WarmSandbox) -> None:
        """Where the job says so: of what it does when it is imported, and of how it is written."""
        for source in ("import warnings\nwarnings.warn('old')\n", "PATTERN = '\\d'\n"):
            seen = one(shop, "None", source=source + "price = 1\n", warnings_as_errors=True)
            assert seen.status == "not_run", seen
            assert one(shop, "None", source=source + "price = 1\n").status == "returned"


class TestFaults:
    """What can't be imported is said in the observation, for what it is."""

    @pytest.mark.parametrize(
        ("module", "status", "detail"),
        [
            ("broken.part", "not_run", "the project's package broken could not be imported: RuntimeError"),
            ("ending.part", "not_run", "the project's package ending could not be imported: SystemExit"),
            ("hanging.part", "timeout", "no result within 1 s"),
            ("nowhere.part", "not_run", "the project's package nowhere could not be imported: ModuleNotFoundError"),
        ],
    )
    def test_a_package_that_can_not_be_imported(self, shop: WarmSandbox, module: str, status: str, detail: str) -> None:
        """Its own fault is not the module's."""
        for seen in run(shop, "1", "2", module=module, source="", limits=Limits(wall_s=1)):
            assert (seen.status, seen.detail) == (status, detail)

    def test_a_module_that_can_not_be_executed(self, shop: WarmSandbox) -> None:
        """The fault is told as without a project, also where it is the package that imports the module."""
        for source, name in (
            ("def f(:\n", "SyntaxError"),
            ("1 / 0\n", "ZeroDivisionError"),
            ("from . import no\n", "ImportError"),
        ):
            seen = one(shop, "1", source=source)
            assert (seen.status, seen.detail) == ("not_run", f"the module could not be executed: {name}")
            assert seen.raised is not None
            assert seen.raised.frames[-1].line == 1

    @pytest.mark.parametrize("act", ["os._exit(0)", "os._exit(87)", "os.kill(os.getpid(), 9)", "os.abort()"])
    def test_a_probe_that_ends_the_process(self, shop: WarmSandbox, act: str) -> None:
        """The others are run all the same."""
        limits = Limits(wall_s=2)
        seen = run(shop, "price(1).amount", act, "price(2).amount", source=PRICING + "import os\n", limits=limits)
        assert [seen[0].value, seen[2].value] == [1, 2]
        assert seen[1].status in ("died", "timeout")


class TestValues:
    """Instances of the project's classes are told as what is public of them, on both sides."""

    def test_expected_and_observed_are_equal(self, shop: WarmSandbox) -> None:
        """What the candidate gives and what is evaluated with the real classes elsewhere."""
        made = "[Money(3, 'EUR'), money.Slotted(3), money.Colour.RED, money.Place(1, 2), Money.Unit('a')]"
        setup = "from shop.money import Money\nfrom shop import money"
        observed = one(shop, made)
        expected = one(shop, made, setup=setup, module="expected", source="")
        assert (observed.status, expected.status) == ("returned", "returned"), observed
        assert not differences(expected.value, observed.value, Relation())
        other = one(shop, made.replace("3", "4"), setup=setup, module="expected", source="")
        assert differences(other.value, observed.value, Relation())

    def test_a_class_that_lies_is_read_all_the_same(self, shop: WarmSandbox) -> None:
        """Neither its equality nor what it says that it is decides."""
        lying = """
from .money import Money
class Lie(Money):
    __class__ = int
    def __eq__(self, other):
        return True
    __hash__ = None
    def __getattribute__(self, name):
        if name == "__class__":
            return str
        return super().__getattribute__(name)
def price(n):
    return Lie(n + 1)
"""
        observed = one(shop, "price(3)", source=lying)
        expected = one(shop, "Money(3)", setup="from shop.money import Money", module="expected", source="")
        assert differences(expected.value, observed.value, Relation())


@pytest.mark.parametrize("kind", ["local", "docker"])
def test_what_is_hidden_is_seen_by_no_candidate(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    """The project's tests hold what calls must give; files that pytest runs see them."""
    request.getfixturevalue(kind)
    made: Any = {"local": LocalSandbox, "docker": DockerSandbox}[kind]
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    tests = {"tests/__init__.py": "", "tests/held.py": "SECRET = 42\n", "notes.txt": "seen"}
    root = laid(tmp_path / "shop", {**FILES, **tests})
    shown = Mounted(root=str(root), imports=(str(root / "src"), str(root)), hidden=(str(root / "tests"),))
    with made(mounted=shown) as sandbox:
        held, notes, _ = run(
            sandbox, *(f"open({str(root / name)!r}).read()" for name in ("tests/held.py", "notes.txt")), "price(3)"
        )
        assert held.raised is not None
        assert notes.value == "seen"
        test = "from tests.held import SECRET\n\ndef test_secret():\n    assert SECRET == 42\n"
        assert sandbox.run_files(FileJob(files={"test_it.py": test}, tests=("test_it.py",))).passed


@pytest.mark.parametrize("kind", ["local", "docker"])
def test_what_is_private_is_seen_by_nothing(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    """Neither by candidates nor by tests, the project's own among them, that all else is there for."""
    request.getfixturevalue(kind)
    made: Any = {"local": LocalSandbox, "docker": DockerSandbox}[kind]
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    test = """
from pathlib import Path
from shop.pricing import price

ROOT = Path(__file__).parents[1]

def read(name):
    try:
        return (ROOT / name).read_text()
    except OSError:
        return ""

def test_it():
    assert read("notes.txt") == "seen"
    assert not read(".env") and not read(".git/config") and not read("src/shop/own.key")
"""
    private = {".env": "KEY=x", ".git/config": "token", "src/shop/own.key": "x"}
    root = laid(tmp_path / "shop", {**FILES, **private, "notes.txt": "seen", "tests/test_it.py": test})
    away = (".env", ".git", "src/shop/own.key")
    imports = (str(root / "src"), str(root))
    shown = Mounted(root=str(root), imports=imports, private=tuple(str(root / name) for name in away))
    with made(mounted=shown) as sandbox:
        told = run(sandbox, *(f"open({str(root / name)!r}).read() or int('-')" for name in private), "1 + 1")
        assert [one.status for one in told] == ["raised"] * 3 + ["returned"]
        report = sandbox.run_files(FileJob(files={}, tests=("tests/test_it.py",), project_tests="run"))
        assert report.outcomes == {"tests/test_it.py::test_it": "passed"}


def test_modules_that_are_laid_over_are_there_for_all_jobs(tmp_path: Path) -> None:
    """For candidates beside their own module, for files and for the project's tests; also by a name of pytest's own."""
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    test = "from shop.money import Money\n\n\ndef test_it():\n    assert Money(1).amount == 10\n"
    named = "import packaging\n\n\ndef test_named():\n    assert packaging.OURS\n"
    root = laid(tmp_path / "shop", {**FILES, "tests/test_it.py": test, "src/packaging/__init__.py": "OURS = True\n"})
    money = FILES["src/shop/money.py"].replace("    amount: int\n", "    amount: int\n    def __post_init__(self):\n"
        "        object.__setattr__(self, 'amount', self.amount * 10)\n")  # fmt: skip
    imports = (str(root / "src"), str(root))
    with LocalSandbox(mounted=Mounted(root=str(root), imports=imports, laid={"shop.money": money})) as sandbox:
        assert one(sandbox, "price(3).amount").value == 30
        files = {"test_own.py": test, "test_named.py": named}
        assert sandbox.run_files(FileJob(files=files, tests=tuple(files))).passed
        assert sandbox.run_files(FileJob(files={}, tests=("tests/test_it.py",), project_tests="run")).passed


class TestFiles:
    """Rendered tests run beside the project, with modules laid over it."""

    def test_they_import_the_project(self, shop: WarmSandbox) -> None:
        """And what is laid over it, by whichever way."""
        tests = """
import shop
from shop.cart import total
from shop.pricing import price

def test_total():
    assert total([1, 2]) == 3
    assert price is shop.price

def test_fails():
    assert price(1).amount == 2
"""
        job = FileJob(files={"test_shop.py": tests}, tests=("test_shop.py",), overlay={"shop.pricing": PRICING})
        report = shop.run_files(job)
        assert report.outcomes == {"test_shop.py::test_total": "passed", "test_shop.py::test_fails": "failed"}
        assert "where 1 = Money(amount=1, currency='EUR').amount" in report.reasons["test_shop.py::test_fails"]


class TestWall:
    """Nothing of the project can be written, and nothing beside it be read."""

    @pytest.mark.parametrize(
        "act",
        [
            "open(f'{root}/data', 'w')",
            "open(money.__file__, 'a')",
            "os.replace(money.__file__, 'here')",
            "os.unlink(money.__file__)",
            "os.mkdir(f'{root}/new')",
            "open(f'{root}/../secret').read()",
            "open(f'{root}/out').read()",
            "os.listdir(f'{root}/..')",
        ],
    )
    def test_it_is_refused(self, shop: WarmSandbox, root: Path, act: str) -> None:
        """By an OSError."""
        seen = one(shop, act, setup=f"root = {str(root)!r}\nimport os")
        assert seen.status == "raised", seen
        assert seen.raised is not None
        assert "builtins.OSError" in seen.raised.types

    def test_a_copy_can_not_be_made(self, shop: WarmSandbox) -> None:
        """A probe forks no more than without a project."""
        seen = one(shop, "os.fork()", setup="import os")
        assert seen.raised is not None
        assert seen.raised.type == "builtins.PermissionError"

    def test_what_a_module_forks_ends_with_its_job(self, shop: WarmSandbox) -> None:
        """The module may be executed where copies are made: nothing of it is left to the next job."""
        source = """
import os, time
if os.fork() == 0:
    while True:
        open("../../scratch/left" if os.path.exists("/scratch/0") else "../left", "a").close()
        time.sleep(0.01)
time.sleep(0.1)
def price(): pass
"""
        run(shop, "price()", source=source)
        seen = one(shop, "[time.sleep(0.2), sorted(os.listdir('..'))][1]", setup="import os, time")
        assert seen.value == ["0", "0.tmp"]


def test_a_root_that_is_none_is_refused(tmp_path: Path) -> None:
    """In one line, before anything runs."""
    (tmp_path / "file").write_text("")
    for root, said in (
        (tmp_path / "none", "there is no project at"),
        (tmp_path / "file", "is no folder"),
        (Path("/"), "can't be shown"),
        (Path("/proc/self"), "can't be shown"),
        (Path("relative"), "by its whole path"),
    ):
        with pytest.raises(InputError, match=said):
            open_sandbox("local", Wants(mounted=Mounted(root=str(root))))


def test_a_project_that_nobody_else_can_read(tmp_path: Path) -> None:
    """As root the sandbox has another user, who must be let in; any other user is the one that can read it."""
    if os.getuid():
        pytest.skip("only root becomes somebody else")
    root = laid(tmp_path / "shop", {"a.py": ""})
    root.chmod(0o700)
    with LocalSandbox(mounted=Mounted(root=str(root))) as sandbox, pytest.raises(SandboxError, match="let others read"):
        one(sandbox, "1", module="a", source="")


def test_no_project_without_a_wall(tmp_path: Path) -> None:
    """Its code would run on this machine."""
    with pytest.raises(SandboxError, match="runs in a sandbox alone"):
        open_sandbox("unsafe", Wants(mounted=Mounted(root=str(tmp_path))))


def test_a_root_below_a_link(tmp_path: Path) -> None:
    """It is shown where it is named, in a folder for temporary files too."""
    laid(tmp_path / "real" / "p", {"a.py": "VALUE = 3\n"})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    root = str(tmp_path / "link" / "p")
    with LocalSandbox(mounted=Mounted(root=root, imports=(root,))) as sandbox:
        assert one(sandbox, "a.VALUE", module="m", source="", setup="import a").value == 3


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with a package in it."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True, timeout=60)
    site = next(folder.glob("lib/python*/site-packages"))
    laid(site, {"installed.py": "VALUE = 5\n"})
    return folder


EXCEPTION_GROUP = """
class ExceptionGroup(Exception):
    def __class_getitem__(cls, _):
        return cls

BaseExceptionGroup = ExceptionGroup
"""


@pytest.mark.slow
def test_an_older_environment_runs_files_by_its_own_pytest(root: Path, tmp_path: Path) -> None:
    """As the one of tdgen needs more there than is lent. What is shuffled or fails is told as elsewhere."""
    try:
        interpreter.find("3.10")
    except SandboxError:
        pytest.skip("there is no Python 3.10 here")
    site = tmp_path / "site"
    for path in map(Path, pytest_run.find().whole):
        (shutil.copytree if path.is_dir() else shutil.copy)(path, site / path.name)
    laid(site, {"exceptiongroup.py": EXCEPTION_GROUP})
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    tests = "from shop.pricing import price\n\ndef test_a():\n    assert price(3).amount == 3\n"
    tests += "\ndef test_b():\n    assert price(3).amount == 4\n"
    mounted = Mounted(root=str(root), imports=(str(root / "src"), str(site)))
    with LocalSandbox("3.10", mounted=mounted) as sandbox:
        job = FileJob(files={"test_it.py": tests}, tests=("test_it.py",), overlay={"shop.pricing": PRICING}, shuffle=1)
        report = sandbox.run_files(job)
    assert report.outcomes == {"test_it.py::test_a": "passed", "test_it.py::test_b": "failed"}, report.log
    assert "assert 3 == 4" in report.reasons["test_it.py::test_b"]


@pytest.mark.parametrize("version", ["3.9", "3.10", "3.12", "3.13", "3.14"])
def test_other_versions(root: Path, version: str) -> None:
    """The inside works on every Python from 3.9 on; those not installed here are passed over."""
    try:
        interpreter.find(version)
    except SandboxError:
        pytest.skip(f"there is no Python {version} here")
    with LocalSandbox(version, mounted=Mounted(root=str(root), imports=(str(root / "src"),))) as sandbox:
        calls = ["price(1) and calls()", "price(2) and calls()"]
        source = "from __future__ import annotations\n" + PRICING
        assert [seen.value for seen in run(sandbox, *calls, source=source)] == [1, 1]


def test_a_virtual_environment(tmp_path: Path, environment: Path) -> None:
    """Its Python is the installation that it is based on, its packages are imported from its site-packages."""
    root = laid(tmp_path / "p", {"a.py": "import installed\n"})
    site = str(next(environment.glob("lib/python*/site-packages")))
    mounted = Mounted(root=str(root), imports=(str(root), site), python=str(environment / "bin" / "python"))
    with open_sandbox("local", Wants(mounted=mounted)) as sandbox:
        assert one(sandbox, "a.installed.VALUE", module="m", source="", setup="import a").value == 5


def test_what_is_opened_is_open(root: Path, local: LocalSandbox) -> None:
    """Programs start, the loopback is there, and copies are made all the same."""
    mounted = Mounted(root=str(root), imports=(str(root / "src"),))
    with LocalSandbox(mounted=mounted, opened=Opened(loopback=True, programs=("echo",))) as sandbox:
        setup = "import socket, subprocess"
        calls = [
            "subprocess.run(['echo', 'a'], capture_output=True, text=True).stdout",
            "socket.create_server(('127.0.0.1', 0)) and 1",
        ]
        values = [seen.value for seen in run(sandbox, *calls, setup=setup)]
    assert values == ["a\n", 1]


@pytest.mark.parametrize("kind", ["local", "docker"])
def test_beside_what_is_hidden_all_else_is_imported(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    """Also where packages lie in the root beside the tests, or the tests in the package: no such folder is listed."""
    request.getfixturevalue(kind)
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    files = {
        "words/__init__.py": "",
        "words/rate.py": "RATE = 2\n",
        "words/more.py": "",
        "words/tests/test_more.py": "",
    }
    root = laid(tmp_path / "flat", files | {"tests/test_words.py": ""})
    hidden = (str(root / "tests"), str(root / "words/tests"))
    shown = Mounted(root=str(root), imports=(str(root),), hidden=hidden)
    sandbox: Any = {"local": LocalSandbox, "docker": DockerSandbox}[kind](mounted=shown)
    source = "from words.rate import RATE\n\n\ndef f():\n    return RATE\n"
    with sandbox:
        for module in ("words.more", "words"):
            job = Job(module=module, source=source, probes=(Probe(name="two", call="f()"),))
            (seen,) = sandbox.run(job).observations
            assert (seen.status, seen.value) == ("returned", 2), module
