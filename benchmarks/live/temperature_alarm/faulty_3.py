"""Log the alarms of a cold store."""

import logging

log = logging.getLogger("coldstore")


def _degrees(tenths):
    return f"{tenths // 10}.{tenths % 10}"


def watch(readings, high, low):
    """Log and return the alarms."""
    alarms, silent, begin, peak = [], 0, None, None
    for minute, reading in enumerate(readings):
        if reading is None:
            silent += 1
            if silent == 3:
                log.error("minute %d: sensor silent", minute)
            continue
        silent = 0
        if begin is None:
            if reading >= high:
                begin, peak = minute, reading
                log.warning("minute %d: alarm at %s", minute, _degrees(reading))
            continue
        peak = max(peak, reading)
        if reading <= low:
            log.info("minute %d: over after %d minutes, peak %s", minute, minute - begin, _degrees(peak))
            alarms.append((begin, minute, peak))
            begin = None
    if begin is not None:
        log.critical("still on after %d minutes, peak %s", len(readings) - 1 - begin, _degrees(peak))
        alarms.append((begin, None, peak))
    return alarms
