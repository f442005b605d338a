"""The only place that grants green: what a case expects, evaluated apart, against what a candidate was seen to do."""
