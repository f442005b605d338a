"""Tests first: the cases an author writes from a contract, and the pytest file that says the same."""
