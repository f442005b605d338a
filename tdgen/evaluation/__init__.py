"""How far a green can be trusted, measured on problems whose hidden tests decide."""
