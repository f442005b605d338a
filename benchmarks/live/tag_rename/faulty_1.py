"""Tags of nested notes."""

from collections import Counter


def _notes(note):
    yield note
    for child in note["children"]:
        yield from _notes(child)


def rename_tag(note, old, new):
    """Rename a tag everywhere; the number of notes that changes."""
    if not new.strip():
        raise ValueError("empty tag")
    if old.lower() == new.lower():
        raise ValueError(f"same tag: {old}")
    changed = 0
    for each in _notes(note):
        tags = each["tags"]
        if not any(tag.lower() == old.lower() for tag in tags):
            continue
        present = False
        renamed = []
        for tag in tags:
            if tag.lower() != old.lower() and tag != new:
                renamed.append(tag)
            elif not present:
                renamed.append(new)
                present = True
        tags[:] = renamed
        changed += 1
    return changed


def print_tags(note):
    """Print how many notes have each tag."""
    counts = Counter(tag for each in _notes(note) for tag in set(each["tags"]))
    if not counts:
        print("(no tags)")
        return
    wide = max(len(tag) for tag in counts)
    digits = len(str(max(counts.values())))
    for tag, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{tag:<{wide}}  {count:>{digits}}")
