PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet install --constraint constraints.txt

.PHONY: help demo test lint clean

help:
	@echo "make demo    fit on a bundled dataset and explain the result"
	@echo "make test    run the tests and the examples in docstrings"
	@echo "make lint    check style, types and the contract of layers"
	@echo "make clean   remove $(VENV) and the caches"

demo: $(VENV)/.installed-plots
	$(PY) -m trisect.demo

test: $(VENV)/.installed-test
	$(PY) -m pytest $(ARGS)

lint: $(VENV)/.installed-lint
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

clean:
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp per extra: an installation is repeated only when the requirements change.
$(VENV)/.installed-%: pyproject.toml constraints.txt | $(PY)
	@echo "Installing trisect[$*] into $(VENV) ..."
	@$(PIP) --editable '.[$*]'
	@touch $@

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "trisect needs Python 3.11 or newer: run make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
