def _wrap(text, width):
    lines = []
    current = ""
    for word in text.split():
        if current and len(current) + 1 + len(word) <= width:
            current += " " + word
            continue
        if current:
            lines.append(current)
        while len(word) > width:
            lines.append(word[:width])
            word = word[width:]
        current = word
    if current:
        lines.append(current)
    return lines


def definition_list(entries, width, gap=2):
    if width < 12 or gap < 1:
        raise ValueError("width must be at least 12 and gap at least 1")
    cleaned = [(" ".join(term.split()), text) for term, text in entries]
    longest = max((len(term) for term, _ in cleaned), default=0)
    left = min(longest, width // 3)
    right = width - left - gap
    if right < 1:
        raise ValueError("no room for the texts")
    indent = " " * (left + gap)
    result = []
    for term, text in cleaned:
        wrapped = _wrap(text, right)
        if len(term) >= left or not wrapped:
            result.append(term)
        else:
            result.append(term.ljust(left + gap) + wrapped.pop(0))
        result.extend(indent + line for line in wrapped)
    return "\n".join(result)
