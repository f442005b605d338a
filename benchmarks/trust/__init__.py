"""How far green can be believed: published suites, wrong asserts and all, as test author; known code as developer."""
