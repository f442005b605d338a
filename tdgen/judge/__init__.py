"""The only place that grants green: what a case expects, evaluated apart, against what a candidate was seen to do."""

from tdgen.judge.oracle import Oracle
from tdgen.judge.probes import call_probe, candidate_probe
from tdgen.judge.verdict import NOT_EVALUATED, Expected, agree, judge

__all__ = ["NOT_EVALUATED", "Expected", "Oracle", "agree", "call_probe", "candidate_probe", "judge"]
