"""Mirror a folder."""

import shutil
from pathlib import Path


def _files(folder):
    """The files of a folder that take part, by relative path."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".tmp" and path.name != ".tmp"
    }


def _delete(path, top):
    """Delete a file, and the folders that leaves empty."""
    path.unlink()
    folder = path.parent
    while folder != top and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def mirror(source, target, dry_run=False):
    """Make the target hold the files of the source; how many files that takes."""
    source, target = Path(source), Path(target)
    if not source.is_dir():
        raise NotADirectoryError(f"{source} is not a folder")
    wanted, present = _files(source), _files(target)
    target.mkdir(parents=True, exist_ok=True)
    count = 0
    for name in sorted(wanted.keys() | present.keys()):
        if name not in wanted:
            sign = "-"
        elif name not in present:
            sign = "+"
        elif wanted[name].read_bytes() != present[name].read_bytes():
            sign = "~"
        else:
            continue
        count += 1
        print(sign, name)
        if dry_run:
            continue
        if sign == "-":
            _delete(present[name], target)
        else:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(wanted[name], target / name)
    if not count:
        print("up to date")
    return count
