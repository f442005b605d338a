"""Who gets what from the lost property office."""

from datetime import timedelta


def _plain(text):
    return text.strip().casefold()


def _fits(item, claim, today):
    """Whether an item can be what is claimed."""
    if _plain(item["kind"]) != _plain(claim["kind"]):
        return False
    colour = claim.get("colour")
    if colour is not None and _plain(item["colour"]) != _plain(colour):
        return False
    if not timedelta(0) <= item["found"] - claim["lost"] <= timedelta(days=30):
        return False
    return today - item["found"] <= timedelta(days=90)


def match_claims(items, claims, today):
    """The names and what they get."""
    left = sorted(items, key=lambda item: (item["found"], item["id"]))
    result = []
    for claim in claims:
        for item in left:
            if _fits(item, claim, today):
                left.remove(item)
                result.append((claim["name"], item["id"]))
                break
    return result
