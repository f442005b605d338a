"""Share the prizes of a quiz."""

from itertools import groupby, pairwise


def share_prizes(scores, prizes):
    if any(prize < 0 for prize in prizes) or any(after > before for before, after in pairwise(prizes)):
        raise ValueError("prizes must not be negative, nor increase")
    shares = {}
    place = 0
    ranking = sorted(scores, key=lambda team: (-scores[team], team))
    for points, group in groupby(ranking, key=lambda team: scores[team]):
        tied = list(group)
        pot = sum(prizes[place : place + len(tied)]) if points > 0 else 0
        shares.update(dict.fromkeys(tied, pot // len(tied)))
        place += len(tied)
    return shares, sum(prizes) - sum(shares.values())
