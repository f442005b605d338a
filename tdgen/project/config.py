"""What a project's own settings files say of its layout: folders that are imported from, and folders of tests."""

from __future__ import annotations

import configparser
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tdgen.errors import InputError

_MOST: Final = 4_000_000


class Layout(NamedTuple):
    """Folders by their paths from the project's root, as the settings files name them."""

    imports: tuple[str, ...]
    tests: tuple[str, ...]


def read_layout(root: Path) -> Layout:
    """What pyproject.toml, setup.cfg, pytest.ini and tox.ini say; InputError where one of them can't be read."""
    path = root / "pyproject.toml"
    text = _text(path)
    try:
        toml = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path} can't be read: {error}") from None
    setup, ini, tox = (_ini(root / name) for name in ("setup.cfg", "pytest.ini", "tox.ini"))
    pytest = {
        **_table(tox, "pytest"),
        **_table(setup, "tool:pytest"),
        **_table(toml, "tool", "pytest", "ini_options"),
        **_table(ini, "pytest"),
    }
    imports = [*_built_from(toml, setup), *_words(pytest.get("pythonpath"))]
    return Layout(tuple(dict.fromkeys(imports)), tuple(dict.fromkeys(_words(pytest.get("testpaths")))))


def _built_from(toml: Mapping[str, Any], setup: Mapping[str, Any]) -> Iterator[str]:
    """The folders that setuptools, hatch and poetry take packages from."""
    setuptools = _table(toml, "tool", "setuptools")
    for package, folder in _table(setuptools, "package-dir").items():
        yield folder if not package else str(Path(str(folder)).parent)
    yield from _words(_table(setuptools, "packages", "find").get("where"))
    wheel = _table(toml, "tool", "hatch", "build", "targets", "wheel")
    sources = wheel.get("sources")
    yield from _words(list(sources) if isinstance(sources, Mapping) else sources)
    yield from (str(Path(package).parent) for package in _words(wheel.get("packages")))
    poetry = _table(toml, "tool", "poetry").get("packages")
    for package in poetry if isinstance(poetry, list) else ():
        yield from _words(package.get("from") if isinstance(package, Mapping) else None)
    for line in str(_table(setup, "options").get("package_dir", "")).splitlines():
        package, _, folder = (part.strip() for part in line.partition("="))
        if not package and folder:
            yield folder
    yield from _words(_table(setup, "options.packages.find").get("where"))


def _ini(path: Path) -> Mapping[str, Any]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(_text(path), str(path))
    except configparser.Error as error:
        raise InputError(f"{path} can't be read: {' '.join(str(error).split())}") from None
    return {name: dict(parser[name]) for name in parser.sections()}


def _text(path: Path) -> str:
    """The text of a file, "" where there is none."""
    try:
        if path.stat().st_size > _MOST:
            raise InputError(f"{path} can't be read: it is larger than {_MOST:,} bytes")
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path} can't be read: {getattr(error, 'strerror', None) or 'it is no UTF-8'}") from None


def _table(tables: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """The table under these names; an empty one where there is none."""
    table: Any = tables
    for name in names:
        table = table.get(name) if isinstance(table, Mapping) else None
    return table if isinstance(table, Mapping) else {}


def _words(value: Any) -> list[str]:
    """The texts of a list, or the words of a text."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
