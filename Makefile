PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
# Which tests: everything with make test MARKED=
MARKED ?= not slow
PIP := $(PY) -m pip --disable-pip-version-check --quiet install --constraint constraints.txt

.PHONY: help demo test lint clean

help:
	@echo "make demo    decide on a bundled dataset and explain the result"
	@echo "make test    run the tests and the examples in docstrings, without the slow ones"
	@echo "make lint    check style, types and the contract of layers"
	@echo "make clean   remove $(VENV) and the caches"

demo: $(VENV)/.installed-plots
	$(PY) -m trisect.cli demo

# One thread for linear algebra: on small arrays more of them only wait for each other.
test: export OPENBLAS_NUM_THREADS = 1
test: $(VENV)/.installed-experiments
	$(PY) -m pytest -m "$(MARKED)" $(ARGS)

lint: $(VENV)/.installed-lint
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	PYTHONPATH=src:experiments/src $(VENV)/bin/lint-imports

clean:
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find src tests experiments -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp per extra: an installation is repeated only when the requirements change.
$(VENV)/.installed-%: pyproject.toml constraints.txt | $(PY)
	@echo "Installing trisect[$*] into $(VENV) ..."
	@$(PIP) --editable '.[$*]'
	@touch $@

$(VENV)/.installed-experiments: pyproject.toml experiments/pyproject.toml constraints.txt | $(PY)
	@echo "Installing trisect[test] and trisect-experiments[test] into $(VENV) ..."
	@$(PIP) --editable '.[test]' --editable './experiments[test]'
	@touch $@

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "trisect needs Python 3.11 or newer: run make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
