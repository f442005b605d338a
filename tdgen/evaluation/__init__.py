"""How far a green can be trusted, measured on problems whose hidden tests decide.

Where to read:

- `problems`: a problem, and the instruction that is made of its prose alone
- `datasets`: the files that problems come from, by their shape
- `asserts`: a data set's test as single hidden tests
- `hidden`: running them, once, on a sealed solution
- `once`: the same model asked without tdgen, once and several times
- `running`: solve, judge, compare; a folder of logs that goes on where it was, and that `replaying` plays again
- `scores`: the figures, with their intervals
- `report`: the page
"""

from tdgen.evaluation.datasets import read_dataset
from tdgen.evaluation.problems import Problem
from tdgen.evaluation.records import Record
from tdgen.evaluation.replaying import replay
from tdgen.evaluation.running import Evaluation, evaluate
from tdgen.evaluation.scores import Scores, scores

__all__ = ["Evaluation", "Problem", "Record", "Scores", "evaluate", "read_dataset", "replay", "scores"]
