"""A simulated model: an OpenAI-compatible endpoint that errs at stated rates and mends by a stated law.

It answers from the references of the HumanEval data set (read when it runs, no part of this project), so that a
pipeline can be measured again and again, for nothing, with the same mistakes. What it knows of a question is what the
prompt says; it has no memory of what it answered. Where to read:

- `problems`: the data set, and which share of its tests the simulated tester writes down
- `faults`: what it does wrong, and how often
- `law`: when it mends what is wrong, written down before it was run
- `mind`: from a conversation to an answer
- `endpoint`: the same over HTTP

Nothing of it runs code of the data set, or code it was handed, outside tdgen's sandbox.
"""
