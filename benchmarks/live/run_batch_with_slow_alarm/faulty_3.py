def run_batch(items, work, clock, on_slow, limit, budget=None):
    if limit < 0 or (budget is not None and budget < 0):
        raise ValueError("limit and budget must not be negative")
    begin = clock()
    results = []
    slow_in_a_row = 0
    for index, item in enumerate(items):
        if slow_in_a_row == 3:
            return results, list(items[index:])
        if budget is not None and clock() - begin > budget:
            return results, list(items[index:])
        before = clock()
        try:
            result = work(item)
            failed = False
        except Exception:
            failed = True
        seconds = clock() - before
        if not failed:
            results.append(result)
        if seconds > limit:
            slow_in_a_row += 1
            on_slow(item, seconds)
        else:
            slow_in_a_row = 0
    return results, []
