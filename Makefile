# Two commands to know: `make demo` and `make test`. Each makes the environment (.venv) first if it is missing.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest $(PYTEST_ARGS)

.PHONY: help demo test check bench attacks soak clean
help:
	@echo 'make demo      play a small tournament of the bundled bots; table, site and replays land in demo/'
	@echo 'make test      run every test that this machine can run, and say which it cannot'
	@echo 'make check     lint, types, import contracts and the quick tests (under 3 minutes)'
	@echo 'make bench     measure speed beside peers, as a table and JSON'
	@echo 'make attacks   run the whole attack suite against every sandbox of this machine'
	@echo 'make soak      the long runs: 300-match tournament, 20,000 random matches a game, 500 matches with attackers'

$(BIN)/.ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo 'Botpit needs Python 3.11 or newer, and none was found; install it and run make again' >&2; exit 1; }
	@echo 'Making the environment in $(VENV) (a minute or so, once) ...'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo 'Python is there but its venv module is not (on Debian: apt install python3-venv)' >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(BIN)/.ready
	@$(BIN)/harness demo demo

test: $(BIN)/.ready
	@echo 'Running every test that this machine can run ...'
	@$(PYTEST)

check: $(BIN)/.ready
	@echo 'Lint, types, import contracts, quick tests ...'
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(PYTEST) -m 'not slow' -n 2 --dist=loadfile --ignore=tests/e2e --ignore=tests/rogues --ignore=tests/sandbox

bench: $(BIN)/.ready
	@$(BIN)/python -m benchmarks

attacks: $(BIN)/.ready
	@echo 'Every attack on every sandbox of this machine ...'
	@BOTPIT_ATTACKS=all $(PYTEST) tests/rogues

soak: $(BIN)/.ready
	@$(PYTEST) -m slow
	@for game in $$($(BIN)/python -c 'from referee.games import GAMES; print(*GAMES)'); do \
		$(BIN)/python -m benchmarks.soak $$game || exit 1; done
	@$(BIN)/python -m benchmarks.soak_sandbox

clean:
	rm -rf $(VENV) demo build dist benchmarks/.peers .ci/tools/node_modules .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
