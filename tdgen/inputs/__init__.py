"""Inputs made up from a contract and its cases: on which implementations may be found to differ."""
