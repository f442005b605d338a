"""Tags typed into one field."""


def split_tags(text):
    tags = {}
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        if text[place] == '"':
            tag, place = _quoted(text, place + 1)
        else:
            start = place
            while place < len(text) and not text[place].isspace():
                place += 1
            tag = text[start:place]
        if tag:
            tags.setdefault(tag.lower(), tag)
    return list(tags.values())


def _quoted(text, place):
    """The quoted tag whose content begins at a place, and where it ends."""
    parts = []
    while True:
        end = text.find('"', place)
        if end < 0:
            raise ValueError("a quote is never closed")
        parts.append(text[place:end])
        place = end + 1
        if text[place : place + 1] != '"':
            break
        parts.append('"')
        place += 1
    if place < len(text) and not text[place].isspace():
        raise ValueError("no space after a closing quote")
    return "".join(parts), place


def join_tags(tags):
    if "" in tags:
        raise ValueError("an empty tag")
    return " ".join(_quote(tag) if _must_be_quoted(tag) else tag for tag in tags)


def _must_be_quoted(tag):
    return tag.startswith('"') or any(character.isspace() for character in tag)


def _quote(tag):
    return '"' + tag.replace('"', '""') + '"'
