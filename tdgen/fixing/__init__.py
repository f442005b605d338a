"""Failing tests of a user's project: which fail and how, where the fault is, and a change that makes them pass."""
