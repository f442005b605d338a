"""A module in a package: made, judged, written and tried again under its whole name."""

from __future__ import annotations

import pytest

from tdgen.client import Handed
from tdgen.errors import InputError
from tdgen.outputs.places import PackageFolder, Wishes, read_package
from tdgen.types import FileJob

NAME = "mypkg.calendar.times"
TYPES = [
    {"name": "Part", "kind": "enum", "fields": [{"name": "AM", "type": "int", "default": "0"}]},
    {"name": "Span", "kind": "dataclass", "fields": [{"name": "minutes", "type": "int"}]},
    {"name": "SpanError", "kind": "exception"},
]
WITHIN = "mypkg/calendar/"
DRIVER = """\
import os

import pytest


def test_they_pass():
    os.chdir({place!r})
    arguments = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", "--import-mode={mode}", {argument!r}]
    assert pytest.main(arguments) == 0
"""


@pytest.fixture(scope="module")
def span(write):
    """A function of shared types, one of whose cases copies what it is given by way of the module's name."""
    return write.function(
        "span(minutes: int) -> Span",
        cases=[
            write.returns("span(5)", "Span(5)"),
            write.raises("span(-1)", "SpanError"),
            write.returns("span(mypkg.calendar.times.Part.AM.value)", "Span(0)"),
            write.returns("span(pickle.loads(pickle.dumps(Span(7))).minutes)", "Span(7)"),
        ],
        tries=[
            "def span(minutes: int) -> Span:\n    if minutes < 0:\n        raise SpanError('before')\n"
            "    return Span(minutes)"
        ],
    )


@pytest.fixture(scope="module")
def solution(one_studio, span):
    return one_studio.solve(span, types=TYPES, handed=Handed(module=NAME)).solution


def test_it_is_made_under_its_name(solution):
    """Its classes, its errors and its name in a case are those of the package's module; tests import from there."""
    assert solution.all_tests_passed, str(solution)
    assert solution.plan.module == NAME
    assert f"from {NAME} import Span" in solution.test_files["test_span.py"]


@pytest.mark.parametrize("layout", ["package", "flat", "src", "single"])
def test_it_is_written_at_its_place(solution, tmp_path, layout):
    """In every layout, with the packages around it, and verified there."""
    folder = PackageFolder(tmp_path / "out", tmp_path / "cache", Wishes(layout=layout))
    folder.write(solution)
    read = read_package(tmp_path / "out", tmp_path / "cache")
    assert read.module == ("src/" if layout == "src" else "") + f"{WITHIN}times.py"
    assert read.solution.to_dict() == solution.to_dict()
    above = read.module.removesuffix("calendar/times.py")
    assert {f"{above}__init__.py", f"{above}calendar/__init__.py"} <= set(read.files)


@pytest.mark.parametrize("layout", ["package", "flat", "src"])
def test_it_is_verified_where_it_was_written(solution, one_studio, layout):
    """By its files, and by what is kept of it."""
    generator = one_studio.generator()
    assert generator.verify(solution, solution.files(layout)).passed
    assert generator.verify(solution).passed


@pytest.mark.parametrize("layout", ["package", "flat", "src"])
@pytest.mark.parametrize("mode", ["prepend", "importlib"])
@pytest.mark.parametrize(
    ("place", "argument"), [("put/there", "."), ("put", "there"), (".", "put")], ids=["inside", "beside", "above"]
)
def test_its_tests_pass_from_anywhere(solution, one_studio, layout, mode, place, argument):
    """By plain pytest in the sandbox, in each of its import modes."""
    files = {f"put/there/{path}": text for path, text in solution.files(layout).items()}
    driver = DRIVER.format(place=place, mode=mode, argument=argument)
    report = one_studio.sandbox.run_files(FileJob(files=files | {"test_driver.py": driver}, tests=("test_driver.py",)))
    assert report.passed, report.log


def test_a_package_that_is_there_stays(solution, tmp_path):
    """Its `__init__.py` is neither replaced nor removed: not the user's, and not tdgen's that the user has filled."""
    init = tmp_path / "mypkg" / "__init__.py"
    init.parent.mkdir()
    init.write_text("VERSION = 1\n")
    solution.save(tmp_path, force=True)
    inner = tmp_path / WITHIN / "__init__.py"
    assert inner.read_text() == ""
    inner.write_text("DAYS = 7\n")
    solution.save(tmp_path, layout="flat", overwrite=True)
    solution.save(tmp_path)
    assert (init.read_text(), inner.read_text()) == ("VERSION = 1\n", "DAYS = 7\n")
    assert not (tmp_path / WITHIN / "test_span.py").exists()


def test_where_its_package_is_in_src_it_goes_there(solution, tmp_path):
    """Unless another layout is asked for."""
    (tmp_path / "src" / "mypkg").mkdir(parents=True)
    solution.save(tmp_path, force=True)
    assert (tmp_path / "src" / WITHIN / "times.py").exists()


def test_a_folder_that_is_a_package_is_refused(solution, tmp_path):
    """There the module would have another name."""
    (tmp_path / "__init__.py").touch()
    with pytest.raises(InputError, match="name the folder that mypkg is in"):
        solution.save(tmp_path, force=True)


def test_a_second_module_does_not_take_the_first_ones_place(solution, tmp_path):
    """A folder has one record, so that what it is of would be removed: refused before any work is paid for."""
    solution.save(tmp_path / "out")
    with pytest.raises(InputError, match=r"tdgen wrote mypkg\.calendar\.times"):
        PackageFolder(tmp_path / "out", tmp_path, Wishes(module="mypkg.other")).check()


def test_what_goes_on_from_it_is_in_the_package_too(solution, one_studio, span, double):
    """Also where the planner forgets it."""
    followed = one_studio.solve(
        span, double(), types=TYPES, text="And double.", handed=Handed(follow=solution.key), module="times"
    ).solution
    assert followed.all_tests_passed
    assert followed.plan.module == NAME


def test_its_name_is_part_of_the_key(solver, double):
    """The same name again comes from the cache, another is another solution."""
    first, other, again = (
        solver.solve(double(), handed=Handed(module=name)).solution for name in ("mypkg.a", "mypkg.b", "mypkg.a")
    )
    assert [first.cached, other.cached, again.cached] == [False, False, True]
    assert again.key == first.key != other.key


def test_a_plan_that_was_edited_can_name_it(solver, double):
    """By hand in the plan, or beside it; what can't be a name is refused before any work is paid for."""
    plan = solver.solve(double()).solution.plan
    edited = plan.model_copy(update={"module": "mypkg.doubling"})
    assert solver.solve(double(), handed=Handed(plan=edited)).solution.plan.module == "mypkg.doubling"
    named = solver.solve(double(), handed=Handed(plan=plan, module="mypkg.twice")).solution
    assert named.all_tests_passed
    assert named.plan.module == "mypkg.twice"
    with pytest.raises(InputError, match="'class' can't be"):
        solver.solve(double(), handed=Handed(plan=plan.model_copy(update={"module": "mypkg.class"})))


@pytest.mark.parametrize(
    "line", ["from mypkg.doubling import double", "from mypkg import doubling\ndouble = doubling.double"]
)
def test_the_users_tests_can_name_it(solver, double, line):
    """Whichever way they import it."""
    tests = f"{line}\n\ndef test_it():\n    assert double(21) == 42\n"
    solved = solver.solve(double(), handed=Handed(tests=tests))
    assert solved.solution.all_tests_passed
    assert solved.solution.plan.module == "mypkg.doubling"
    with pytest.raises(InputError, match=r"import from 'mypkg\.doubling', and the module is to be 'other'"):
        solver.solve(double(), handed=Handed(tests=tests, module="other"))


@pytest.mark.parametrize(
    "name", ["my pkg.times", "mypkg.", ".times", "a..b", "class.x", "mypkg.2nd", "json.x", "a.test_x", "a.__init__"]
)
def test_a_name_that_python_cant_import_is_refused_at_once(solver, double, name):
    """In one line, and nothing is asked of a model."""
    model = solver.model(double())
    with pytest.raises(InputError) as caught:
        solver.solve(model=model, handed=Handed(module=name))
    assert "\n" not in str(caught.value)
    assert not model.asked


def test_a_name_that_the_plan_gives_to_a_function_is_refused(solver, double):
    """No planner is asked to rename the function."""
    with pytest.raises(InputError, match="double is planned"):
        solver.solve(double(), handed=Handed(module="double"))
