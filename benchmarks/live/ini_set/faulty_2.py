"""Change one setting of an INI-like file, comments and all else kept."""

from pathlib import Path


def _option(line):
    """The key and value of an option line; None for any other line."""
    text = line.strip()
    if not text or text.startswith(("#", ";", "[")) or "=" not in text:
        return None
    key, value = text.split("=", 1)
    return key.strip(), value.strip()


def set_option(path, section, key, value):
    """Set the option, and say whether it was changed, unchanged or added."""
    path = Path(path)
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    new = f"{key} = {value}"
    header = f"[{section}]"
    result = "added"
    start = next((n for n, line in enumerate(lines) if line.strip() == header), None)
    if start is None:
        lines += ([""] if lines else []) + [header, new]
    else:
        place = start + 1
        for n in range(start + 1, len(lines)):
            if lines[n].strip().startswith("["):
                break
            option = _option(lines[n])
            place = n + 1
            if option is None:
                continue
            if option[0] == key:
                if option[1] == value:
                    return "unchanged"
                lines[n] = new
                result = "changed"
                break
        if result == "added":
            lines.insert(place, new)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return result
