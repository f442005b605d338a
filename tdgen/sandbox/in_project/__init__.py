"""What runs inside only where a sandbox shows a project: its own tests, and which lines of it each of them runs.

A server of the kind `project` loads it by name; no other program needs it.
"""
