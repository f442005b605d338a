"""The table of a football league."""

import re

RESULT = re.compile(r"\s*(\S.*?)\s+([0-9]+)-([0-9]+)\s+(.*\S)\s*")


def parse_result(line):
    """The home team, its goals, those of the away team, the away team."""
    match = RESULT.fullmatch(line)
    if match is None or match[1] == match[4]:
        raise ValueError(f"not a result: {line!r}")
    return match[1], int(match[2]), int(match[3]), match[4]


def _points(own, other):
    return 3 if own > other else 1 if own == other else 0


def totals(results):
    """For each team matches, points, goals scored and conceded."""
    found = {}
    for line in results:
        home, own, other, away = parse_result(line)
        for team, plus, minus in ((home, own, other), (away, other, own)):
            played, points, scored, conceded = found.get(team, (0, 0, 0, 0))
            found[team] = played + 1, points + _points(plus, minus), scored + plus, conceded + minus
    return found


def direct_points(results, teams):
    """The points out of the matches among the teams."""
    points = dict.fromkeys(teams, 0)
    for line in results:
        home, own, other, away = parse_result(line)
        if home in points and away in points:
            points[home] += _points(own, other)
            points[away] += _points(other, own)
    return points


def standings(results):
    """The groups of teams that share a place, best first."""
    found = totals(results)
    keys = {}
    for team, (_, points, scored, conceded) in found.items():
        level = [other for other in found if found[other][1] == points]
        keys[team] = points, direct_points(results, level)[team], scored - conceded, scored
    groups = {}
    for team in sorted(found, key=str.casefold):
        groups.setdefault(keys[team], []).append(team)
    return [groups[key] for key in sorted(groups, reverse=True)]


def table(results):
    """The lines of the table."""
    found = totals(results)
    lines, place = [], 1
    for group in standings(results):
        for team in group:
            _, points, scored, conceded = found[team]
            difference = scored - conceded
            sign = "+" if difference > 0 else ""
            lines.append(f"{place}. {team}, {points} point{'' if points == 1 else 's'}, {sign}{difference}")
        place += 1
    return "\n".join(lines)
