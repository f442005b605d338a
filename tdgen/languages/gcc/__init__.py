"""What the back ends for C and C++ share: one compilation with sanitizers in the sandbox, and a fork for each case."""
