"""The service: instructions posted to a queue, solved one after the other, and watched as they are.

`orders` says what may be asked, `events` what is told. `run_store` is what a service needs of the place where its runs
lie, `run_folder` such a place for one process; `run` is one run as it is worked on, `run_queue` has all of them worked
on. `runs` puts them behind HTTP, `streaming` their events; `guard` and `access` stand in front of that, `server` has
all of it, and `listening` opens the port. A service that was killed goes on where it was.
"""
