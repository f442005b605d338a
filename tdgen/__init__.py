"""tdgen: prose in, tested Python functions out, tests first."""

__version__ = "0.1.0"
