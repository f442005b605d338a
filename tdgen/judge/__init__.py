"""The only place that grants green: what a case expects, evaluated apart, against what a candidate was seen to do."""

from tdgen.judge.expected import Expected
from tdgen.judge.oracle import Oracle
from tdgen.judge.probes import candidate_probe
from tdgen.judge.verdict import judge

__all__ = ["Expected", "Oracle", "candidate_probe", "judge"]
