"""Edits that may heal a fault, by kind: each takes a live node and gives guesses, a prior with each.

A prior is a share from 0 to 1 that says how often an edit of the kind, at such a place, is the one that heals. They are
set by hand, after what a study of one-line faults found (Karampatsis and Sutton 2020, "How Often Do Single-Statement
Bugs Occur? The ManySStuBs4J Dataset"), not fitted: a wrong operator, number, name or argument comes first, a line that
is missing as a whole last.
"""
