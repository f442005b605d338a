# Two commands are enough: `make demo` and `make test`. Both set up their environment on a machine that has only
# python3 (3.11 or later, with venv), make and a network.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Where the environment forbids Python to keep what it compiled, every process of the tests would compile all anew.
export PYTHONDONTWRITEBYTECODE :=

DOCS := $(VENV)/.docs

.PHONY: docs demo test test-quick check format bench bench-store bench-cluster bench-chaos bench-sandbox bench-soak bench-repair bench-trust bench-patches bench-batch bench-live bench-seeded bench-classes bench-projects bench-guard bench-fix bench-service bench-plugin bench-languages house clean

demo: $(READY)
	@$(BIN)/tdgen demo

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal

test-quick: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)
	$(BIN)/python benchmarks/bench_solve.py

bench-store: $(READY)
	$(BIN)/python benchmarks/bench_store.py

bench-cluster: $(READY)
	$(BIN)/python benchmarks/bench_cluster.py $(ARGS)

bench-chaos: $(READY)
	$(BIN)/python benchmarks/bench_chaos.py $(ARGS)

bench-sandbox: $(READY)
	$(BIN)/python benchmarks/bench_sandbox.py

bench-soak: $(READY)
	$(BIN)/python benchmarks/bench_soak.py $(ARGS)

bench-repair: $(READY)
	$(BIN)/python benchmarks/bench_repair.py

bench-trust: $(READY)
	$(BIN)/python benchmarks/bench_trust.py

bench-patches: $(READY)
	$(BIN)/python benchmarks/bench_patches.py

bench-batch: $(READY)
	$(BIN)/python benchmarks/bench_batch.py

bench-live: $(READY)
	$(BIN)/python benchmarks/bench_live.py

bench-seeded: $(READY)
	$(BIN)/python benchmarks/bench_seeded.py $(ARGS)

bench-classes: $(READY)
	$(BIN)/python benchmarks/bench_classes.py $(ARGS)

bench-projects: $(READY)
	$(BIN)/python benchmarks/bench_projects.py $(ARGS)

bench-guard: $(READY)
	$(BIN)/python benchmarks/bench_guard.py $(ARGS)

bench-fix: $(READY)
	$(BIN)/python benchmarks/bench_fix.py $(ARGS)

bench-service: $(READY)
	$(BIN)/python benchmarks/bench_service.py

bench-languages: $(READY)
	$(BIN)/python benchmarks/bench_languages.py $(ARGS)

bench-plugin: $(READY)
	$(BIN)/python benchmarks/bench_plugin.py $(ARGS)

house: $(READY)
	@$(BIN)/python benchmarks/house.py $(ARGS)

# The site, in build/site. Built without a network; a warning is an error.
docs: $(DOCS)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -W ignore::DeprecationWarning -m mkdocs build --strict

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "tdgen needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { echo "python3 lacks venv: on Debian, apt-get install python3-venv" >&2; exit 2; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(DOCS): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@
