"""Fill in letters."""

import re
from pathlib import Path

PLACEHOLDER = re.compile(r"\[\[(\w+)\]\]", re.ASCII)


class MissingField(Exception):
    """A person lacks a field of the template."""

    def __init__(self, person_id, field):
        super().__init__(f"{person_id} has no field '{field}'")
        self.person_id = person_id
        self.field = field


def _letter(template, person):
    def value(match):
        if match[1] not in person:
            raise MissingField(person["id"], match[1])
        return person[match[1]]

    return PLACEHOLDER.sub(value, template)


def merge(template, people, folder):
    """Write each person's letter; the names of those that were written."""
    letters = [(f"{person['id']}.txt", _letter(template, person)) for person in people]
    folder = Path(folder)
    if letters:
        folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, letter in letters:
        path = folder / name
        if path.exists() and path.read_text(encoding="utf-8") == letter:
            continue
        path.write_text(letter, encoding="utf-8")
        written.append(name)
    print(f"written: {len(written)}, unchanged: {len(letters) - len(written)}")
    return written
