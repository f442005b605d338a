"""What can be changed, by kind: each operator takes the scope and a live node, and gives the edits that it knows of.

An operator makes mutants, repairs or both, which the catalogue says. The prior of an edit, from 0 to 1, says how often
one of the kind, at such a place, is the one that repairs. Priors are set by hand, after what a study of one-line faults
found (Karampatsis and Sutton 2020, "How Often Do Single-Statement Bugs Occur? The ManySStuBs4J Dataset"), not fitted: a
wrong operator, number, name or argument comes first, a line that is missing as a whole last.
"""
