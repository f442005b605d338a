"""Small changes to a function's source: mutants that a strong suite kills, and repairs that a search tries."""
