"""A project found from a file in it."""

import os

import pytest

from tdgen.errors import InputError
from tdgen.project.module import module_name
from tdgen.project.root import find_project


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.cfg", "setup.py", ".git/HEAD"])
def test_the_root_is_the_nearest_folder_with_a_projects_file(bare, marker):
    """Whichever of these it has."""
    file = bare.write({marker: "", "pkg/a.py": ""})
    assert find_project(file).root == bare.root


def test_a_file_in_no_project_is_refused(bare, monkeypatch):
    """The line says what makes one."""
    monkeypatch.setattr("tdgen.project.root.MARKERS", ("no such", "file"))
    with pytest.raises(InputError, match=r"a\.py is in no project: .* `git init` makes one"):
        find_project(bare.write({"a.py": ""}))


def test_a_file_that_is_not_there_is_refused(bare):
    """Before anything is looked for."""
    with pytest.raises(InputError, match="there is no such file"):
        find_project(bare / "none.py")


def test_what_lies_outside_or_links_there_is_refused(bare):
    """A project's files are all that is read and written."""
    outside = bare.write({"outside.py": "", "in/pyproject.toml": ""}).parent.parent / "outside.py"
    (bare / "in/link.py").symlink_to(outside)
    (bare / "in/a.py").touch()
    project = find_project(bare / "in/a.py")
    with pytest.raises(InputError, match="lies outside of the project"):
        project.inside(outside)
    with pytest.raises(InputError, match="links out of the project"):
        find_project(bare / "in/link.py")
    (bare / "in/tests").symlink_to(outside.parent)
    (bare / "in/within.py").symlink_to("a.py")
    (bare / "in/notes.md").symlink_to(outside)
    for name in (".venv", "node_modules"):
        (bare / "in" / name).symlink_to(outside.parent)
    assert list(project.links_out()) == ["link.py", "tests"]


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"pkg/__init__.py": "", "pkg/a.py": ""}, "pkg.a"),
        ({"src/pkg/__init__.py": "", "src/pkg/a.py": ""}, "pkg.a"),
        ({"src/spaces/part/a.py": ""}, "spaces.part.a"),
        ({"a.py": ""}, "a"),
        ({"tools/a.py": ""}, "tools.a"),
        ({"my-tools/a.py": ""}, "a"),
        ({"back/app/__init__.py": "", "back/app/a.py": ""}, "app.a"),
        ({"pkg/__init__.py": ""}, "pkg"),
        ({"lib/spaces/a.py": "", "pyproject.toml": '[tool.setuptools]\npackage-dir = {"" = "lib"}\n'}, "spaces.a"),
        ({"lib/a.py": "", "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["lib"]\n'}, "a"),
        ({"lib/a.py": "", "pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["lib/a"]\n'}, "a"),
        ({"lib/a.py": "", "pyproject.toml": '[[tool.poetry.packages]]\ninclude = "a"\nfrom = "lib"\n'}, "a"),
        ({"lib/a.py": "", "setup.cfg": "[options]\npackage_dir =\n    = lib\n"}, "a"),
        ({"lib/a.py": "", "pytest.ini": "[pytest]\npythonpath = lib\n"}, "a"),
    ],
)
def test_a_modules_name_comes_of_the_folder_it_is_imported_from(bare, files, name):
    """Flat and src layouts, namespace packages, and what settings files say."""
    bare.write({"pyproject.toml": "", **files})
    file = bare / next(path for path in reversed(files) if path.endswith(".py"))
    assert module_name(find_project(file), file) == name


def test_settings_that_cant_be_read_are_told(bare):
    """The file's name is in the line."""
    file = bare.write({"pyproject.toml": "[tool", "a.py": ""})
    with pytest.raises(InputError, match=r"pyproject\.toml can't be read"):
        find_project(file)


def test_the_test_folders_are_those_of_the_settings_or_tests(shop):
    """Only those that are there, and inside."""
    assert find_project(shop / "src/shop/prices.py").test_folders == (shop / "tests",)
    shop.write({"pytest.ini": "[pytest]\ntestpaths = checks ../out none\n", "checks/test_a.py": ""})
    assert find_project(shop / "src/shop/prices.py").test_folders == (shop / "checks",)


def test_what_modules_may_import_is_the_projects_and_its_environments(shop):
    """Read from folder names: nothing is run."""
    site = ".venv/lib/python3.12/site-packages"
    shop.write({
        ".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.12.4\n",
        ".venv/bin/python": "",
        f"{site}/numbers_kit/__init__.py": "",
        f"{site}/single.py": "",
        f"{site}/fast.cpython-312-x86_64-linux-gnu.so": "",
        f"{site}/numbers_kit-1.0.dist-info/METADATA": "",
        f"{site}/linked.pth": "../../../../elsewhere\nimport os\n",
        "elsewhere/linked_kit/__init__.py": "",
    })  # fmt: skip
    project = find_project(shop / "src/shop/prices.py")
    assert (project.environment.version, project.environment.interpreter) == ((3, 12), shop / ".venv/bin/python")
    assert {"shop", "numbers_kit", "single", "fast", "linked_kit"} <= set(project.packages())
    assert "numbers_kit-1" not in " ".join(project.packages())


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({".venv/pyvenv.cfg": "version = 3.12.4\n"}, "has no interpreter that is there: make it anew"),
        ({".venv/pyvenv.cfg": "nonsense", ".venv/bin/python": ""}, "names no version of Python: make it anew"),
    ],
)
def test_a_broken_environment_is_told(shop, files, said):
    """Another one in its place would have other packages."""
    shop.write(files)
    with pytest.raises(InputError, match=said):
        find_project(shop / "src/shop/prices.py")


@pytest.mark.parametrize(
    ("variable", "files"),
    [
        ("VIRTUAL_ENV", {"pyvenv.cfg": "version = 3.12.4\n", "bin/python": ""}),
        ("CONDA_PREFIX", {"conda-meta/history": "", "bin/python3.12": ""}),
    ],
)
def test_the_active_environment_is_that_of_a_project_without_one(shop, monkeypatch, tmp_path_factory, variable, files):
    """Wherever it lies, and that is told; the project's own comes first, and one that is gone is none."""
    active, module = tmp_path_factory.mktemp("active"), shop / "src/shop/prices.py"
    monkeypatch.setenv(variable, str(active))
    assert "that of tdgen is used" in find_project(module).environment.note
    for name, text in {**files, "lib/python3.12/site-packages/kit/__init__.py": ""}.items():
        (active / name).parent.mkdir(parents=True, exist_ok=True)
        (active / name).write_text(text)
    project = find_project(module)
    assert "kit" in project.packages()
    assert project.environment.note.endswith(f"the active one is used, {active} (Python 3.12)")
    shop.write({".venv/pyvenv.cfg": "version = 3.11.4\n", ".venv/bin/python": ""})
    own = find_project(module).environment
    assert (own.version, own.note) == ((3, 11), "")


def test_a_projects_files_are_its_own(shop):
    """Nothing of environments, hidden folders, builds or links; nothing that would be waited for."""
    shop.write({
        "env2/pyvenv.cfg": "", "env2/a.py": "", ".hidden/a.py": "", "build/a.py": "", "x.egg-info/a.py": "",
    })  # fmt: skip
    (shop / "linked").symlink_to(shop / "src")
    (shop / "src/link.py").symlink_to(shop / "src/shop/orders.py")
    os.mkfifo(shop / "src/pipe.py")
    project = find_project(shop / "src/shop/prices.py")
    names = ["src/shop/__init__.py", "src/shop/orders.py", "src/shop/prices.py", "tests/test_prices.py"]
    assert [project.relative(path) for path in project.sources()] == names
