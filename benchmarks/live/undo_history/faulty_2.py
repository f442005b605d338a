"""Undo and redo over lists."""

LIMIT = 5


def edit(lines, undo, redo, index, text):
    """Replace a line and remember the old one; whether anything changed."""
    if not -len(lines) <= index < len(lines):
        raise IndexError(f"no line {index}")
    if index < 0:
        index += len(lines)
    undo.append((index, lines[index]))
    del undo[:-LIMIT]
    redo.clear()
    changed = lines[index] != text
    lines[index] = text
    return changed


def _step(lines, source, target):
    if not source:
        return False
    index, text = source.pop()
    target.append((index, lines[index]))
    lines[index] = text
    return True


def undo_last(lines, undo, redo):
    """Take back the last edit."""
    return _step(lines, undo, redo)


def redo_last(lines, undo, redo):
    """Do again what was taken back last."""
    return _step(lines, redo, undo)
