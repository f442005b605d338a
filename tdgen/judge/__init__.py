"""The only place that grants green: what a case expects, evaluated apart, against what a candidate was seen to do."""

from tdgen.judge.oracle import Oracle
from tdgen.judge.probes import call_probe, candidate_probe
from tdgen.judge.verdict import NO_COPY, NOT_EVALUATED, Expected, agree, judge

__all__ = ["NOT_EVALUATED", "NO_COPY", "Expected", "Oracle", "agree", "call_probe", "candidate_probe", "judge"]
