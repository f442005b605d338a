"""What of a project no code that is tested may read: keys, passwords and tokens, and the repository's own data.

The sandbox has no network, but what code prints goes to a model and into reports. The files are known by the names that
tools give them; a name says it where no content needs to be read.
"""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from tdgen.project.root import Project, is_own

FOLDERS: Final = frozenset({
    ".git", ".hg", ".svn", ".jj", ".ssh", ".aws", ".azure", ".gcloud", ".gnupg", ".docker", ".kube", ".terraform",
})  # fmt: skip
"""Folders of tools, wherever they lie in a project; earlier versions of the code are in a repository's too."""
FILES: Final = (
    ".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".pypirc", ".npmrc", ".pgpass", ".git-credentials",
    ".htpasswd", ".vault_pass*", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.ppk", "*.kdbx", "*.keystore", "*.jks",
    "*.tfstate*", "credentials.json", "client_secret*.json", "service-account*.json", "service_account*.json",
    "secrets.json", "secrets.toml", "secrets.yaml", "secrets.yml", "secrets.ini",
)  # fmt: skip
KEYS: Final = ("*.pem", "*.key", "*.p12", "*.pfx")
"""Files that hold no secret where they lie among tests."""
PUBLIC: Final = tuple(f".env.{kind}" for kind in ("example", "sample", "template", "dist", "defaults", "test", "ci"))


def private_paths(project: Project) -> tuple[str, ...]:
    """The folders and files of the project that nothing in the sandbox sees, sorted; none of its environment's."""
    found: list[str] = []
    for folder, folders, names in os.walk(project.root):
        here = Path(folder)
        found += (str(here / name) for name in folders if name in FOLDERS)
        is_of_tests = any(here.is_relative_to(tests) for tests in project.test_folders)
        found += (str(here / name) for name in names if is_private(name, among_tests=is_of_tests))
        folders[:] = [
            name for name in folders if name not in FOLDERS and (is_own(here, name) or _is_of_settings(here, name))
        ]
    return tuple(sorted(found))


def _is_of_settings(folder: Path, name: str) -> bool:
    """Whether it is a tool's folder, such as .streamlit, and no cache or environment of one."""
    path = folder / name
    is_made = name.endswith("_cache") or name in (".tox", ".nox", ".eggs") or (path / "pyvenv.cfg").exists()
    return name.startswith(".") and not is_made and not path.is_symlink()


def is_private(name: str, *, among_tests: bool = False) -> bool:
    """Whether a file of that name holds what nobody else may know."""
    patterns = FILES if among_tests else (*FILES, *KEYS)
    return name not in PUBLIC and any(fnmatch(name, pattern) for pattern in patterns)
