"""`@tdgen.implement` in a module, and in processes of their own: what is bound is code that these tests wrote."""

import importlib
import json
import sys
from pathlib import Path

import pytest

import tdgen
from tdgen.cli.app import run
from tdgen.project.recorded import recorded_units

pytestmark = pytest.mark.slow

STUB = '''"""Prices."""

import tdgen

RATE = 20


@tdgen.implement
def gross(net: int, rate: int = RATE) -> int:
    """`net` with `rate` percent of tax, rounded down."""
    ...
'''
ALONE = STUB.replace("RATE = 20\n\n\n", "").replace("RATE", "20")
CODE = """import math


def _floored(value: float) -> int:
    return math.floor(value)


def gross(net: int, rate: int = 20) -> int:
    return _floored(net * (100 + rate) / 100)
"""
CASES = {"one": ("100", 120), "two": ("10", 12), "down": ("1", 1), "none": ("0", 0), "more": ("5, 100", 10)}
USE = "import prices; print(prices.gross(200), prices.gross.__doc__.strip()[:5], prices.gross.__module__)"
BOUND = "240 `net` prices"
IPYTHON = """
import linecache, sys, types

def get_ipython():
    return object()

def display(data, raw):
    print("shown", sorted(data), "gross" in data["text/html"])

def run(cell):
    linecache.cache["/tmp/ipykernel_1/1.py"] = (len(cell), None, cell.splitlines(keepends=True), "cell")
    exec(compile(cell, "/tmp/ipykernel_1/1.py", "exec"), vars(sys.modules["__main__"]))
"""
CELL = "import sys, IPython; sys.modules['IPython.display'] = IPython; IPython.run(open('prices.py').read()); "


@pytest.fixture
def place(tmp_path, monkeypatch, bare_environment, warm):
    """A project with a stub, whose environment has tdgen, and answers for the stub."""
    for folder in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        folder.chmod(0o755)
    bare_environment(tmp_path)
    packages = tmp_path / f".venv/lib/python3.{sys.version_info[1]}/site-packages"
    packages.mkdir(parents=True)
    (packages / "tdgen.pth").write_text(str(Path(tdgen.__file__).parents[1]))
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    (tmp_path / "prices.py").write_text(STUB)
    parameters = [{"name": "net", "type": "int"}, {"name": "rate", "type": "int", "default": "20"}]
    spec = {"name": "gross", "purpose": "Gross.", "parameters": parameters, "returns": "int", "dependencies": []}
    plan = {"module": "prices", "summary": "Prices.", "functions": [spec], "classes": [], "questions": []}
    cases = [
        {"name": name, "call": f"gross({given})", "expect": "value", "value": str(value)}
        for name, (given, value) in CASES.items()
    ]
    answers = [
        {"purpose": "plan", "subject": "", "text": json.dumps(plan)},
        {"purpose": "cases", "subject": "gross", "text": json.dumps({"cases": cases})},
        {"purpose": "implement", "subject": "gross", "text": f"```python\n{CODE}```"},
    ]
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers/script.json").write_text(json.dumps({"answers": answers}))
    monkeypatch.chdir(tmp_path)
    told = {"SCRIPT": str(tmp_path / "answers/script.json"), "CACHE_DIR": str(tmp_path / ".cache")}
    for name, value in {**told, "TRUST": "quick", "SEARCH_SECONDS": "0"}.items():
        monkeypatch.setenv(f"TDGEN_{name}", value)
    return tmp_path


@pytest.fixture
def python(forker):
    """Starts processes: what one said, its output or the last line of its errors."""

    def run(*words):
        done = forker.run([sys.executable, "-W", "ignore", *words])
        return done.stdout.strip() if done.returncode == 0 else done.stderr.strip().splitlines()[-1]

    return run


@pytest.fixture
def bound(place, monkeypatch, capsys):
    """Imports the project's module and runs lines of code: what they print, or the error that comes, in a line."""
    monkeypatch.syspath_prepend(place)

    def use(code=USE):
        importlib.invalidate_caches()
        try:
            exec(code, {})
        except tdgen.TdgenError as error:
            return " ".join(str(error).split())
        finally:
            for name in ("prices", "kinds", "floors"):
                sys.modules.pop(name, None)
        return capsys.readouterr().out.strip()

    return use


@pytest.fixture
def fill(place, capsys):
    """Runs `tdgen fill prices.py`: what it prints."""

    def run_it(*more):
        assert run(["fill", "prices.py", *more]) == 0
        return capsys.readouterr().out.strip()

    return run_it


IMPORTED = """
import importlib.util, sys

for file in sys.argv[1:]:
    spec = importlib.util.spec_from_file_location("prices", file)
    sys.modules["prices"] = module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        print(" ".join(f"{type(error).__name__}: {error}".split()))
    else:
        print("imported")
"""


def refused(python, *sources):
    """Why modules with these sources are not imported, each in a line; one process imports them all."""
    files = [Path(f"prices_{number}.py") for number in range(len(sources))]
    for file, source in zip(files, sources, strict=True):
        file.write_text(f"import tdgen\n\n{source}")
    return [line.partition("InputError: ")[2] for line in python("-c", IMPORTED, *map(str, files)).splitlines()]


class TestModules:
    """In a file of a project."""

    def test_what_fill_left_in_the_cache_is_bound_and_nothing_before(self, place, fill, bound):
        """The import tells the command; the command fills; the import then binds, helpers and imports too."""
        told = "gross is not written yet, or what it stands on changed since: run `tdgen fill prices.py`"
        assert bound() == told
        assert "+    return _gross_floored(" in fill()
        assert bound() == BOUND
        assert Path("prices.py").read_text() == STUB

    def test_what_is_in_the_cache_is_bound_only_where_it_holds_by_now(self, place, fill, bound):
        """What the code calls by another module is in no key: where that changed the kept code may be wrong."""
        Path("floors.py").write_text("def floored(value):\n    return int(value // 1)\n")
        Path("kinds.py").write_text("from floors import floored\n")
        Path("prices.py").write_text(STUB.replace("RATE", "from kinds import floored\n\nRATE", 1))
        script = Path("answers/script.json")
        script.write_text(script.read_text().replace("_floored(net", "floored(net"))
        assert "+    return floored(" in fill()
        assert [bound() for _ in range(2)] == [BOUND, BOUND]
        Path("floors.py").write_text("def floored(value):\n    return int(value // 1) + 1\n")
        assert "gross is not written yet, or what it stands on changed since" in bound()

    def test_what_fill_wrote_is_bound_until_somebody_changes_it(self, place, fill, bound):
        """The decorator stays; other code or docs are refused."""
        assert fill("--apply") == ""
        written = Path("prices.py").read_text()
        assert "@tdgen.implement\ndef gross" in written
        assert bound() == BOUND
        Path("prices.py").write_text(written.replace("    return ", "    return 1 + "))
        assert "its code changed since tdgen wrote it: `tdgen sync prices.py::gross --apply`" in bound()
        Path("prices.py").write_text(written.replace("rounded down", "rounded up"))
        assert "its docs changed since tdgen wrote it: `tdgen sync prices.py::gross`" in bound()

    def test_a_model_is_asked_where_that_is_said(self, place, monkeypatch, bound):
        """And what it writes is bound only where it is green."""
        Path("prices.py").write_text(STUB.replace("@tdgen.implement", "@tdgen.implement(solve=True)"))
        assert bound() == BOUND
        monkeypatch.setenv("TDGEN_BUDGET__ITERATIONS", "1")
        script = Path("answers/script.json")
        script.write_text(script.read_text().replace("100 + rate", "101 + rate"))
        assert "gross is not bound, as not all is green: gross is " in bound()

    def test_the_command_names_what_fill_would_not_take_by_itself(self, place, fill, bound):
        """A docstring alone is a stub only where it is named; another stub is not filled for this one."""
        other = 'def net(gross: int) -> int:\n    """The net."""\n    ...\n'
        for text in (STUB.replace("    ...\n", ""), STUB.replace("\n\n@tdgen", f"\n\n{other}\n\n@tdgen")):
            Path("prices.py").write_text(text)
            assert bound().endswith("run `tdgen fill prices.py::gross`")

    def test_the_command_tells_the_decorators_settings(self, place, fill, bound):
        """They are in the key."""
        Path("prices.py").write_text(STUB.replace("@tdgen.implement", "@tdgen.implement(trust='strict')"))
        assert bound().endswith("run `TDGEN_TRUST=strict tdgen fill prices.py`")

    def test_a_stub_that_nothing_binds_is_never_called(self, place, fill, bound):
        """Of stubs that were filled together all are bound, or none."""
        script = Path("answers/script.json")
        plan, cases, _ = json.loads(script.read_text())["answers"]
        planned = json.loads(plan["text"])
        taxed = {**planned["functions"][0], "name": "taxed", "parameters": [{"name": "net", "type": "int"}]}
        planned["functions"] = [{**planned["functions"][0], "dependencies": ["taxed"]}, taxed]
        own = [{"name": f"n{n}", "call": f"taxed({n})", "expect": "value", "value": str(n)} for n in range(5)]
        code = {
            "gross": "def gross(net: int, rate: int = 20) -> int:\n    return taxed(net) * (100 + rate) // 100\n",
            "taxed": "def taxed(net: int) -> int:\n    return net\n",
        }
        answers = [
            {**plan, "text": json.dumps(planned)},
            cases,
            {"purpose": "cases", "subject": "taxed", "text": json.dumps({"cases": own})},
            *({"purpose": "implement", "subject": name, "text": f"```python\n{code[name]}```"} for name in code),
        ]
        script.write_text(json.dumps({"answers": answers}))
        stub = 'def taxed(net: int) -> int:\n    """What of it is taxed."""\n    ...\n'
        Path("prices.py").write_text(STUB.replace("\n\n@tdgen", f"\n\n{stub}\n\n@tdgen"))
        fill()
        assert "gross calls taxed, which is a stub without @tdgen.implement" in bound()
        Path("prices.py").write_text(Path("prices.py").read_text().replace("def taxed", "@tdgen.implement\ndef taxed"))
        fill()
        assert bound() == BOUND


REFUSED = (
    ('@tdgen.implement\nclass A:\n    """D."""\n', "A is a class: `tdgen fill` takes classes"),
    ('class A:\n    @tdgen.implement\n    def f(self):\n        """D."""\n', "A.f is a method"),
    (
        'class A:\n    @tdgen.implement\n    @classmethod\n    def f(cls):\n        """D."""\n',
        "f is a method: `tdgen fill` takes methods",
    ),
    ("f = tdgen.implement(lambda: 1)\n", "this is a lambda: write `def`"),
    (
        'def outer():\n    @tdgen.implement\n    def f():\n        """D."""\n    return f\n\nouter()\n',
        "f is defined within outer: move it out of it",
    ),
    ('@tdgen.implement\nasync def f():\n    """D."""\n    yield\n', "f is an async generator"),
    ("@tdgen.implement\ndef f(): ...\n", "f (line 4) has no docstring"),
    ('@tdgen.implement\ndef f():\n    """D."""\n    return 1\n', "has a body that tdgen did not write"),
    ('def f(): ...\n@tdgen.implement\ndef f():\n    """D."""\n', "f is defined 2 times (lines 3, 5)"),
    ('@tdgen.implement("f")\ndef f():\n    """D."""\n', "this is of type str: put it right above `def`"),
    ('@tdgen.implement(trsut="quick")\ndef f():\n    """D."""\n', "trsut"),
    ('@tdgen.implement(solve="yes")\ndef f():\n    """D."""\n', "solve must be bool or None, not str"),
    ('@tdgen.implement(model=3)\ndef f():\n    """D."""\n', "model must be an object with a method ask()"),
    ('def f():\n    """D."""\n\ntdgen.implement(f)\n', "no `@tdgen.implement` above `def f`"),
    ('exec("@tdgen.implement\\ndef f():\\n  \\"D.\\"")\n', "the source of f is not there (<string>)"),
    (
        'import functools\n@tdgen.implement\n@functools.lru_cache\ndef f():\n    """D."""\n',
        "put it right above `def`",
    ),
)
"""What is no stub, and what is said of it."""


class TestRefused:
    """One clear line for each, and no model is asked."""

    def test_what_is_no_stub(self, place, python):
        """Each says what is wrong and what to do."""
        told = refused(python, *(source for source, _ in REFUSED))
        for (source, why), said in zip(REFUSED, told, strict=True):
            assert why in said, source

    def test_a_file_in_no_project(self, place, python):
        """As `tdgen fill` says it."""
        (place / "pyproject.toml").unlink()
        assert "is in no project" in refused(python, STUB)[0]

    def test_at_a_prompt(self, place, python):
        """There is no file to read."""
        told = python("-c", 'import tdgen\n@tdgen.implement\ndef f():\n    """D."""\n')
        assert "InputError: the source of f is not there (<string>)" in told


class TestNotebooks:
    """In a cell, by a double of IPython."""

    @pytest.fixture(autouse=True)
    def ipython(self, place):
        """What stands in for IPython, and keeps a cell's source as it does."""
        (place / "IPython.py").write_text(IPYTHON)
        (place / "prices.py").write_text(ALONE)

    def test_the_stub_is_solved_shown_and_bound(self, python):
        """A second time from the cache."""
        told = python("-c", f"{CELL} print(gross(200), gross.__module__)").splitlines()
        assert told == ["shown ['text/html', 'text/plain'] True", "240 __main__"]
        Path("prices.py").write_text(ALONE.replace("implement", "implement(solve=False)"))
        assert python("-c", f"{CELL} print(gross(200))").endswith("240")

    def test_what_it_refuses(self, python):
        """Names that only the notebook has, a body, no docstring, and to ask where it may not."""
        for before, after, why in (
            ("implement", "implement(solve=False)", "gross is not kept, and solve=False"),
            ("net: int", "net: Net", "names Net, which this notebook defines"),
            ("    ...", "    return 1", "gross has a body already"),
            ("    ...", "    ...\n\n\ndef gross(): ...", "gross is defined 2 times"),
        ):
            Path("prices.py").write_text(
                STUB.replace("RATE = 20", "class Net: pass").replace("= RATE", "= 20").replace(before, after)
            )
            assert why in python("-c", CELL)

    def test_another_signature_is_not_bound(self, python):
        """The plan is the model's, the stub is the user's."""
        Path("prices.py").write_text(ALONE.replace("rate: int", "tax: int"))
        assert "gross is not bound: the written one takes other parameters" in python("-c", CELL)


def test_the_record_does_not_mind_the_decorator(tmp_path):
    """It says who writes the code, and is no part of it."""
    with_it = '@tdgen.implement(solve=True)\ndef f():\n    """D."""\n    return 1\n'
    without = with_it.partition("\n")[2]
    assert recorded_units("a.py", with_it, {"f"}, {}) == recorded_units("a.py", without, {"f"}, {})
