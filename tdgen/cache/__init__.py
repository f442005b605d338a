"""What outlives a process: verified solutions and functions in a store, and the journal of the runs that were not."""

from tdgen.cache.disk import cache_folder, default_folder
from tdgen.cache.journal import Journal, Run, runs
from tdgen.cache.solutions import Answered, Functions, Row, Said, Solutions, match_key
from tdgen.cache.store import DiskStore, clear_folder, open_store

__all__ = [
    "Answered",
    "DiskStore",
    "Functions",
    "Journal",
    "Row",
    "Run",
    "Said",
    "Solutions",
    "cache_folder",
    "clear_folder",
    "default_folder",
    "match_key",
    "open_store",
    "runs",
]
