import re
from pathlib import Path

_PART = re.compile(r"(.+)\.part([1-9][0-9]*)", re.DOTALL)


def join_parts(folder, keep_parts=False):
    root = Path(folder)
    if not root.is_dir():
        raise NotADirectoryError(str(root))
    sets = {}
    for entry in list(root.iterdir()):
        match = _PART.fullmatch(entry.name)
        if match and entry.is_file():
            sets.setdefault(match.group(1), {})[int(match.group(2))] = entry
    joined = []
    for name in sorted(sets):
        parts = sets[name]
        if sorted(parts) != list(range(1, len(parts) + 1)):
            continue
        target = root / name
        if target.exists():
            continue
        data = b"".join(parts[n].read_bytes() for n in sorted(parts))
        target.write_bytes(data)
        if not keep_parts:
            for part in parts.values():
                part.unlink()
        joined.append(name)
    return joined
