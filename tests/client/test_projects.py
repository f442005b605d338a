"""A project as sandboxes show it."""

from pathlib import Path

import pytest

from tdgen.client.projects import mounted_project
from tdgen.errors import InputError
from tdgen.project.root import find_project


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The site-packages of a project whose environment has Python 3.10."""
    site = tmp_path / ".venv/lib/python3.10/site-packages"
    site.mkdir(parents=True)
    (tmp_path / ".venv/bin").mkdir()
    (tmp_path / ".venv/bin/python").touch()
    (tmp_path / ".venv/pyvenv.cfg").write_text("version = 3.10.4\n")
    (tmp_path / "pyproject.toml").touch()
    return site


class TestMountedProject:
    """The project as sandboxes show it."""

    def test_an_older_environment_needs_its_own_pytest(self, old: Path, tmp_path: Path) -> None:
        """It is told before anything is paid for."""
        with pytest.raises(
            InputError, match=r"has Python 3\.10 and no pytest.*`.*/\.venv/bin/python -m pip install pytest`"
        ):
            mounted_project(find_project(tmp_path))
        (old / "pytest").mkdir()
        (old / "pytest/__init__.py").touch()
        assert mounted_project(find_project(tmp_path)).python.endswith(".venv/bin/python")

    def test_one_that_is_too_old_is_refused(self, old: Path, tmp_path: Path) -> None:
        """With what to do; nothing would run there."""
        (tmp_path / ".venv/pyvenv.cfg").write_text("version = 3.8.18\n")
        with pytest.raises(
            InputError, match=r"\.venv has Python 3\.8, and the sandbox runs 3\.9 and later.*venv --clear"
        ):
            mounted_project(find_project(tmp_path))

    def test_nothing_private_is_shown(self, tmp_path: Path) -> None:
        """To no kind of job."""
        for name in ("pyproject.toml", ".env"):
            (tmp_path / name).touch()
        shown = mounted_project(find_project(tmp_path)).shown_to("project")
        assert str(tmp_path / "pyproject.toml") in shown
        assert str(tmp_path / ".env") not in shown
