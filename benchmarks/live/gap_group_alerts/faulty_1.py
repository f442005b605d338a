def group_alerts(alerts, gap):
    if gap < 0:
        raise ValueError("gap must not be negative")
    per_source = {}
    for minute, source, level in alerts:
        if level < 1:
            continue
        levels = per_source.setdefault(source, {})
        levels[minute] = max(level, levels.get(minute, level))
    incidents = []
    for source, levels in per_source.items():
        current = None
        for minute in sorted(levels):
            if current is None or minute - current["first"] > gap:
                current = {
                    "source": source,
                    "first": minute,
                    "last": minute,
                    "count": 0,
                    "level": levels[minute],
                }
                incidents.append(current)
            current["last"] = minute
            current["count"] += 1
            current["level"] = max(current["level"], levels[minute])
    incidents.sort(key=lambda one: (one["first"], -one["level"], one["source"]))
    return incidents
