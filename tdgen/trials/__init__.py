"""Who is wrong, the case or the code? A separate call that sees contract and case, and never any code."""
