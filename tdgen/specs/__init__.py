"""From prose to contracts: reading the instruction, planning its functions, and holding the plan to its promises."""
