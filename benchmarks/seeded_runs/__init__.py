"""Runs whose answers hold a fault that is known: the seeds, the model that plays them, and what caught the fault."""
