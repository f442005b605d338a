"""Small tasks for languages other than Python: read (`tasks`), answered by a simulated model (`model`)."""
