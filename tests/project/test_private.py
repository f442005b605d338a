"""What of a project nothing in the sandbox sees."""

from pathlib import Path

import pytest

from tdgen.project.private import is_private, private_paths
from tdgen.project.root import find_project


def test_secrets_and_the_repository_are_found(tmp_path: Path) -> None:
    """In the root, in folders of tools and in packages; a test's own keys, examples and an environment's are seen."""
    files = [
        "pyproject.toml",
        ".env",
        ".env.example",
        ".git/config",
        ".streamlit/secrets.toml",
        "shop/server.key",
        "shop/secrets.py",
        "tests/data/server.pem",
        "tests/.env",
        ".venv/lib/cacert.pem",
        ".venv/bin/python",
        "node_modules/x/.env",
    ]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".venv/pyvenv.cfg").write_text("version = 3.12.4\n")
    found = [Path(path).relative_to(tmp_path).as_posix() for path in private_paths(find_project(tmp_path))]
    assert found == [".env", ".git", ".streamlit/secrets.toml", "shop/server.key", "tests/.env"]


@pytest.mark.parametrize(
    ("name", "among_tests"),
    [(".env", False), (".env.production", True), ("id_rsa", False), ("tls.pem", False), ("terraform.tfstate", False)],
)
def test_a_name_tells_a_secret(name: str, among_tests: bool) -> None:
    """As the tools name them that make it."""
    assert is_private(name, among_tests=among_tests)


@pytest.mark.parametrize("name", ["secrets.py", ".env.example", "environment.py", "keys.json", "pem.py"])
def test_other_names_tell_none(name: str) -> None:
    """Code, and what is made to be shared."""
    assert not is_private(name)
