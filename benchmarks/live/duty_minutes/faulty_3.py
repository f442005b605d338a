from datetime import timedelta


def duty_minutes(start, end, holidays=()):
    if start.tzinfo is not None or end.tzinfo is not None:
        raise ValueError("no time zones please")
    start = start.replace(second=0, microsecond=0)
    if end.second or end.microsecond:
        end = end.replace(second=0, microsecond=0) + timedelta(minutes=1)
    if end < start:
        raise ValueError("end is before start")
    if end - start > timedelta(hours=24):
        raise ValueError("longer than 24 hours")
    free = set(holidays)

    def is_holiday(day):
        return day.isoweekday() == 7 or day in free

    result = {"day": 0, "night": 0, "holiday": 0}
    minute = start
    while minute < end:
        today = minute.date()
        if is_holiday(today):
            kind = "holiday"
        else:
            evening = 20 if is_holiday(today + timedelta(days=1)) else 22
            if minute.hour >= evening or minute.hour < 6:
                kind = "night"
            else:
                kind = "day"
        result[kind] += 1
        minute += timedelta(minutes=1)
    return result
