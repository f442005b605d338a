"""Count ranked ballots."""

import sys


def parse_ballot(line: str) -> list[str]:
    """The names of a ballot, best first."""
    names = [name.strip() for name in line.split(">")]
    if not all(names):
        raise ValueError("a name is empty")
    if len(set(names)) < len(names):
        raise ValueError("a name occurs twice")
    return names


def count_round(ballots: list[list[str]], out: set[str]) -> dict[str, int]:
    """For each one in the race how many ballots count."""
    votes = {name: 0 for ballot in ballots for name in ballot if name not in out}
    for ballot in ballots:
        for name in ballot:
            if name not in out:
                votes[name] += 1
                break
    return votes


def runoff(ballots: list[list[str]]) -> list[str]:
    """The lines that tell how the count goes."""
    if not ballots:
        raise ValueError("there are no ballots")
    out: set[str] = set()
    lines: list[str] = []
    first = count_round(ballots, out)
    while True:
        votes = count_round(ballots, out)
        ranked = sorted(votes, key=lambda name: (-votes[name], name))
        lines.append(f"Round {len(out) + 1}: " + ", ".join(f"{name} {votes[name]}" for name in ranked))
        if 2 * votes[ranked[0]] > len(ballots):
            lines.append(f"Winner: {ranked[0]}")
            return lines
        fewest = min((votes[name], first[name]) for name in votes)
        loser = max(name for name in votes if (votes[name], first[name]) == fewest)
        lines.append(f"Out: {loser}")
        out.add(loser)


def main(argv: list[str]) -> int:
    """Run as a script."""
    if argv not in ([], ["--strict"]):
        print("usage: [--strict]", file=sys.stderr)
        return 2
    ballots, invalid = [], 0
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            ballots.append(parse_ballot(line))
        except ValueError as error:
            print(f"line {number}: {error}", file=sys.stderr)
            invalid += 1
    if argv and invalid:
        return 1
    try:
        lines = runoff(ballots)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
