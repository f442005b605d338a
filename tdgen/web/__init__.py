"""The service: instructions posted to a queue, solved one after the other, and watched as they are.

`orders` says what may be asked, `events` what is told, `log` keeps a run's events on disk, `run` is one run,
`run_queue` all of them; `runs` puts them behind HTTP, `guard` and `access` stand in front of that, `server` has all of
it, and `listening` opens the port. What a run is lies in a folder of its own in the cache, so that a service that was
killed goes on where it was.
"""
