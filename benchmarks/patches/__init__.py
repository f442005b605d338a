"""Patches under suites so small that many overfit: what is called green, and what of it is right."""
