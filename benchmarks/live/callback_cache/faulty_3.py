"""A least-recently-used cache over a plain dict."""


def _evict(cache, key, on_evict):
    value = cache.pop(key)
    if on_evict is not None:
        on_evict(key, value)


def fetch(cache, key, load, limit, on_evict=None):
    """The value of a key, from the cache or from `load`."""
    if limit < 1:
        raise ValueError("limit must be at least 1")
    if key in cache:
        value = cache.pop(key)
        cache[key] = value
        return value
    value = load(key)
    cache[key] = value
    while len(cache) > limit:
        _evict(cache, next(iter(cache)), on_evict)
    return value


def drop(cache, predicate, on_evict=None):
    """Remove the entries a predicate picks; how many there were."""
    count = 0
    for key, value in list(cache.items()):
        if predicate(key, value):
            _evict(cache, key, on_evict)
            count += 1
    return count
