"""Split a class into teams."""

import sys


def deal(names: list[str], teams: int) -> list[list[str]]:
    """Deal the names in a zigzag."""
    if teams < 1:
        raise ValueError("there must be at least one team")
    if len(names) < teams:
        raise ValueError(f"{len(names)} names are too few for {teams} teams")
    if len(set(names)) < len(names):
        raise ValueError("a name occurs twice")
    dealt: list[list[str]] = [[] for _ in range(teams)]
    for n, name in enumerate(names):
        lap, place = divmod(n, teams)
        dealt[teams - 1 - place if lap % 2 else place].append(name)
    return dealt


def team_lines(teams: list[list[str]]) -> list[str]:
    """The lines to print."""
    return [f"Team {n} ({len(team)}): {', '.join(team)}" for n, team in enumerate(teams, 1)]


def main(argv: list[str]) -> int:
    """Run as a script."""
    try:
        (argument,) = argv
        teams = int(argument)
    except ValueError:
        print("usage: the number of teams", file=sys.stderr)
        return 2
    names = [line.strip() for line in sys.stdin if line.strip()]
    try:
        lines = team_lines(deal(names, teams))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
