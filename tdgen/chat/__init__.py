"""A conversation about what is solved: what each turn changed and let be, and why things are as they are.

`turns` compares two solutions, `why` answers from the record, `talk` is a conversation with planner, tester and
developer: an instruction, what further words change, and questions in between. Only `talk` asks a model, by a solve.
"""
