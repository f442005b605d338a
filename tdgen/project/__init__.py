"""The user's existing project: read without being imported or run, and written back only as it was read."""
