"""The cache lies where the platform keeps such things."""

from pathlib import Path

import pytest

from tdgen.cache import default_folder
from tdgen.errors import StoreError


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"HOME": "/home/ann"}, "linux", "/home/ann/.cache/tdgen"),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": "/var/c"}, "linux", "/var/c/tdgen"),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": "relative"}, "linux", "/home/ann/.cache/tdgen"),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": ""}, "linux", "/home/ann/.cache/tdgen"),
        ({"HOME": "/Users/ann"}, "darwin", "/Users/ann/Library/Caches/tdgen"),
        ({"HOME": "/Users/ann", "XDG_CACHE_HOME": "/var/c"}, "darwin", "/var/c/tdgen"),
    ],
)
def test_the_platforms_custom(environ: dict[str, str], platform: str, folder: str):
    """XDG_CACHE_HOME where it is absolute, else the platform's folder in the user's home."""
    assert default_folder(environ, platform) == Path(folder)


def test_no_home(monkeypatch: pytest.MonkeyPatch):
    """A user without a home is told what to set."""

    def nowhere(_: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", classmethod(nowhere))
    with pytest.raises(StoreError, match="set --cache-dir"):
        default_folder({}, "linux")
