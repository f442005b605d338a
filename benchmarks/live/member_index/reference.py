"""The index of a directory of members."""

import unicodedata

PARTICLES = {"van", "von", "de", "der", "den"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def member_index(names):
    index = {}
    for name in names:
        if not name or name != name.strip():
            raise ValueError(f"not a name: {name!r}")
    for name in sorted(names, key=_filing_form):
        first = _filing_form(name)[:1]
        letter = first.upper() if first and first in _LETTERS else "#"
        index.setdefault(letter, []).append(name)
    return sorted(index.items(), key=lambda item: (item[0] == "#", item[0]))


def _filing_form(name):
    words = name.split(" ")
    while len(words) > 1 and words[0].casefold() in PARTICLES:
        del words[0]
    apart = unicodedata.normalize("NFKD", " ".join(words))
    return "".join(character for character in apart if unicodedata.category(character) != "Mn").casefold()
