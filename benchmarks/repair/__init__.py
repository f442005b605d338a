"""The parts of `bench_repair.py`: what is solved, in which ways, and the tables of what came of it."""
