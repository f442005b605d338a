"""Run the jobs that are due."""

import logging

log = logging.getLogger("jobs")


def run_due(jobs, now):
    """Run what is due; the names of the jobs that succeeded."""
    due = sorted((job for job in jobs if job["next"] <= now), key=lambda job: (job["next"], -job["priority"]))
    succeeded, over = [], []
    for job in due:
        try:
            job["run"](job["name"])
        except Exception as error:
            log.error("%s failed: %s", job["name"], error)
        else:
            succeeded.append(job["name"])
        if not job["every"]:
            over.append(job)
        else:
            job["next"] += ((now - job["next"]) // job["every"] + 1) * job["every"]
    jobs[:] = [job for job in jobs if not any(job is other for other in over)]
    return succeeded
