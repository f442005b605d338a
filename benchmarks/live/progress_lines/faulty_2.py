"""Work through items with a few progress lines on stderr."""

import sys


def process(items, work, label):
    """The results of `work` on each item."""
    items = list(items)
    if not items:
        print(f"{label}: nothing to do", file=sys.stderr)
        return []
    print(f"{label}: 0%", file=sys.stderr)
    results, mark = [], 0
    for done, item in enumerate(items, 1):
        try:
            results.append(work(item))
        except BaseException:
            print(f"{label}: stopped at item {done} of {len(items)}", file=sys.stderr)
            raise
        percent = round(done * 100 / len(items))
        if percent // 25 > mark:
            mark = percent // 25
            print(f"{label}: {percent}%", file=sys.stderr)
    return results
