"""How far a green can be trusted, measured on problems whose hidden tests decide.

Where to read:

- `problems`: a problem, and the instruction that is made of its prose alone
- `datasets`: the files that problems come from, by their shape
- `tasks`: a folder of instructions, each with a hidden pytest file
- `asserts`: a data set's test as single hidden tests
- `hidden`, `modules`, `refusals`: judging a sealed solution, once: by hidden tests of a function, by a hidden pytest
  file, by what is said of a contradiction
- `once`: the same model asked without tdgen, once and several times
- `running`: solve, judge, compare; a folder of logs that goes on where it was, and that `replaying` plays again
- `scores`, `kinds`: the figures, with their intervals; by kind
- `report`: the page
"""

from tdgen.evaluation.judging import Problem
from tdgen.evaluation.records import Record
from tdgen.evaluation.replaying import keep, replay
from tdgen.evaluation.running import Evaluation, evaluate
from tdgen.evaluation.scores import KindScores, Scores, scores
from tdgen.evaluation.tasks import Task, read_dataset, read_tasks

__all__ = [
    "Evaluation",
    "KindScores",
    "Problem",
    "Record",
    "Scores",
    "Task",
    "evaluate",
    "keep",
    "read_dataset",
    "read_tasks",
    "replay",
    "scores",
]
