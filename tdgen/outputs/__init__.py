"""What leaves for the user's disk: a solution in its folder or file, plans and suites to be edited."""
