"""Break subtitles into balanced lines."""

import unicodedata


def shown_width(text):
    return sum(map(_columns, text))


def _columns(character):
    if unicodedata.category(character).startswith("M"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def subtitle_break(text, limit):
    words = text.split()
    if not words:
        return []
    whole = " ".join(words)
    if shown_width(whole) <= limit:
        return [whole]
    breaks = []
    for count in range(1, len(words)):
        upper, lower = " ".join(words[:count]), " ".join(words[count:])
        above, below = shown_width(upper), shown_width(lower)
        if max(above, below) <= limit:
            after_mark = words[count - 1].endswith((",", ".", "!", "?"))
            breaks.append((not after_mark, abs(above - below), above, [upper, lower]))
    if not breaks:
        raise ValueError(f"does not fit into two lines of {limit}: {whole!r}")
    return min(breaks)[3]
