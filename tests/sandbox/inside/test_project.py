"""A project's modules are found, also in folders that can't be listed."""

from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader

from tdgen.sandbox.inside.project import Project


def test_compiled_modules_are_found_before_those_in_python(tmp_path):
    """As Python's own finder has it, which sees nothing in a folder that it can't list."""
    (tmp_path / f"fast{EXTENSION_SUFFIXES[0]}").touch()
    (tmp_path / "fast.py").touch()
    (tmp_path / "slow.py").touch()
    project = Project(str(tmp_path), [str(tmp_path)])
    assert isinstance(project.find("fast", None).loader, ExtensionFileLoader)
    assert project.find("slow", None).origin == str(tmp_path / "slow.py")
    assert project.find("none", None) is None
