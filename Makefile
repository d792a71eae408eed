# Everything runs in .venv, made on first use with the pins of constraints.txt. `make` lists the targets.

VENV := .venv
BIN := $(VENV)/bin
DEMO := build/demo
# Tried in order; `make PYTHON=/path/to/python` names one.
CANDIDATES = $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input -c constraints.txt
# Where Python may not write bytecode by itself, every command would compile the package anew.
COMPILE = $(BIN)/python -m compileall -q -x '/($(VENV)|\.lint|build|dist|tests)/' ./
# The rules that sample_logs asks for, compiled into kernels/ (jit/cache.py): by two processes, for Numba
# compiles one function at a time, each with a cache of its own: what is in the user's would not be compiled.
RULES := build/rules
OTHERS := $(addprefix sample_logs/,acpc blotto koper)
COMPILE_RULES = rm -rf $(RULES) && $(MAKE) --no-print-directory -j2 $(RULES)/two-players $(RULES)/others
PYTEST_ARGS ?=
HAMMER_ARGS ?=
MUTATIONS_ARGS ?=
# A file to a worker, in the order of tests/conftest.py: by itself xdist would begin those of few tests last, slow or not.
TWO_CORES := -n 2 --dist loadfile --no-loadscope-reorder
BENCH_ARGS ?=
CALIBRATION_ARGS ?=
OLD ?= 09b225e
REGRESS_ARGS ?=
MODELS_ARGS ?=
TRIPS_ARGS ?=
COSTS_ARGS ?=
WHY_ARGS ?=
COVERAGE_ARGS ?=
PYTHONS ?=
LOGS ?=

.PHONY: help demo test check wheel release docs docs-commands journeys fuzz fuzz-records hammer bombs attacks mutations guided boundscheck audit lint bench regress found pictures calibration edits compare-study coverage leaks second-half why-study collusion dealers strangers information models clones round-trips export-costs clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile

demo: $(VENV)/.railbird ## ingest, verify and report on sample_logs
	rm -rf $(DEMO)
	$(BIN)/railbird ingest sample_logs --store $(DEMO)/store
	$(BIN)/railbird verify --store $(DEMO)/store
	$(BIN)/railbird report --store $(DEMO)/store --out $(DEMO)/report
	@echo "The report: $(DEMO)/report/index.html"

test: $(VENV)/.dev ## run the suite on two cores (PYTEST_ARGS="..." adds options)
	$(BIN)/python -m pytest $(TWO_CORES) $(PYTEST_ARGS)

check: $(VENV)/.dev ## the quick half of the suite (PYTEST_ARGS as well)
	$(BIN)/python -m pytest $(TWO_CORES) -m "not (slow or compile or browser or cluster)" $(PYTEST_ARGS)

wheel: $(VENV)/.railbird ## build a wheel that carries the compiled rules, for this Python and kind of machine
	rm -rf build/lib kernels
	$(COMPILE_RULES)
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist .
	@ls -l dist/railbird-*.whl

release: $(VENV)/.railbird ## build a wheel and a source archive from a clean clone, try them with each of PYTHONS ("python3.12 python3.13") on LOGS
	$(BIN)/python -m railbird.tools.release $(addprefix --python ,$(PYTHONS)) $(LOGS)

docs: $(VENV)/.docs ## build the docs site into build/site, which opens from the folder and has search
	$(BIN)/python -m railbird.tools.site pages build/pages
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/python -m railbird.tools.site finish build/site
	@echo "The site: build/site/index.html"

docs-commands: $(VENV)/.dev ## run every command of the docs that can run here, also those that take long
	RAILBIRD_DOCS=1 $(BIN)/python -m pytest -n 2 tests/test_docs_commands.py tests/test_auditing.py $(PYTEST_ARGS)

journeys: $(VENV)/.dev ## from logs to an answer in two or three commands, a minute of processor time each
	RAILBIRD_JOURNEYS=1 $(BIN)/python -m pytest -n 2 tests/test_journeys.py tests/analytics/test_why.py $(PYTEST_ARGS)

fuzz: $(VENV)/.dev ## run the properties with examples of this run's own (FUZZ=seed repeats one)
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n 2 -m hypothesis $(if $(FUZZ),--hypothesis-seed=$(FUZZ)) $(PYTEST_ARGS)

fuzz-records: $(VENV)/.dev ## damage records of CORPUS by chance for SECONDS (300); FUZZ=seed repeats a run
	RAILBIRD_CORPUS=$(CORPUS) $(BIN)/python tests/bench/fuzz_records.py --seconds $(or $(SECONDS),300) $(if $(FUZZ),--seed $(FUZZ))

edits: $(VENV)/.dev ## logs of EDITS (3000) random edits through kernels as plain Python: no index is negative (five minutes)
	RAILBIRD_EDITS=$(or $(EDITS),3000) $(BIN)/python -m pytest tests/jit/test_indices.py -k editing

hammer: $(VENV)/.dev ## kills, interrupts, full disks, rounds of commands, damaged stores for MINUTES (10) from SEED (1); HAMMER_ARGS="--only kill"
	PYTHONPATH=$(CURDIR)/tests $(BIN)/python -m hammer.program --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1) $(HAMMER_ARGS)

bombs: $(VENV)/.dev ## drop bombs on ingest: 28 kinds in full size, some minutes (HAMMER_ARGS="--only gzip-zeros --scale 0.1")
	$(BIN)/python tests/hammer/bombs.py $(HAMMER_ARGS)

attacks: $(VENV)/.dev ## try four attacks on this version, or on an older one (HAMMER_ARGS="--commit 09b225e")
	$(BIN)/python tests/hammer/attacks.py $(HAMMER_ARGS)

audit: $(VENV)/.dev ## look for known advisories, licences, and code that runs code
	$(BIN)/python -m railbird.tools.audit

mutations: $(VENV)/.dev ## small logs with edits at random, some 200 a second (MUTATIONS_ARGS="--logs 100000 --seed 2")
	$(BIN)/python tests/hammer/mutations.py $(MUTATIONS_ARGS)

guided: $(VENV)/.guided ## small logs and archives, changed where coverage guides, for MINUTES (10); atheris has wheels for Python 3.11
	$(BIN)/python tests/hammer/guided.py --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

# Kernels that check their indices are kept apart, and never in kernels/.
boundscheck: $(VENV)/.dev ## kernels that check their indices: replay tests, 20,000 mutated logs (MUTATIONS_ARGS="--logs 100 --seed 2")
	mkdir -p -m 700 build/boundscheck
	NUMBA_BOUNDSCHECK=1 RAILBIRD_COMPILE=1 RAILBIRD_CACHE=build/boundscheck $(BIN)/python tests/hammer/mutations.py --logs 20000 $(MUTATIONS_ARGS)
	NUMBA_BOUNDSCHECK=1 RAILBIRD_COMPILE=1 RAILBIRD_CACHE=build/boundscheck $(BIN)/python -m pytest -q -n 2 tests/replay tests/variants $(PYTEST_ARGS)

# mypy names a package after its folder, and a clone's folder may have any name: it checks over a link.
lint: $(VENV)/.dev ## ruff, ruff format, mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	mkdir -p .lint
	ln -sfn .. .lint/railbird
	cd .lint && ../$(BIN)/mypy -n 2 --config-file ../pyproject.toml -p railbird
	cd .lint && MYPYPATH=../tests ../$(BIN)/mypy -n 2 --config-file ../pyproject.toml --explicit-package-bases ../tests

bench: $(VENV)/.dev ## run the benchmarks (BENCH_ARGS="..." adds options)
	$(BIN)/python tests/bench/run.py $(BENCH_ARGS)

regress: $(VENV)/.dev ## compare all answers with those of an older version (OLD=COMMIT, REGRESS_ARGS="--views hands --only LOGS")
	$(BIN)/python tests/regress/run.py --old $(OLD) $(REGRESS_ARGS)

collusion: $(VENV)/.dev ## play tournaments with a known truth, write docs/collusion.md (half an hour; goes on where it was stopped)
	$(BIN)/python tests/bench/collusion.py --write docs/collusion.md $(BENCH_ARGS)

strangers: $(VENV)/.dev ## play tournaments of strangers, write docs/collusion.md (three hours; goes on where it was stopped), then read the honest logs of CORPUS
	RAILBIRD_CORPUS=$(CORPUS) $(BIN)/python tests/bench/strangers.py --write docs/collusion.md $(BENCH_ARGS)

models: $(VENV)/.dev ## judge models of players on the logs of CORPUS, write docs/models.md (goes on where it was stopped)
	OPENBLAS_NUM_THREADS=1 RAILBIRD_CORPUS=$(CORPUS) $(BIN)/python tests/bench/models.py $(MODELS_ARGS)

clones: $(VENV)/.dev ## play clones of the arena's bots, write docs/clones.md (goes on where it was stopped)
	$(BIN)/python tests/bench/clones.py $(BENCH_ARGS)

information: $(VENV)/.dev ## play matches with planted leaks, write docs/information.md (an hour; goes on where it was stopped)
	$(BIN)/python tests/bench/information.py --write docs/information.md $(BENCH_ARGS)

found: $(VENV)/.dev ## write the pages about the folders of CORPUS that tests/corpus.txt and tests/engines.txt name
	rm -rf build/corpus
	$(BIN)/railbird ingest $(addprefix $(CORPUS)/,$(file < tests/corpus.txt) $(file < tests/engines.txt)) --store build/corpus
	$(BIN)/python -m railbird.tools.corpus_pages build/corpus

pictures: $(VENV)/.dev ## take the README's pictures again, in Chromium
	$(BIN)/python tests/support/pictures.py docs/pictures

dealers: $(VENV)/.dev ## judge honest and faulty dealers, write docs/auditing.md (half an hour; goes on where it was stopped)
	$(BIN)/python tests/bench/dealers.py --write docs/auditing.md $(BENCH_ARGS)

round-trips: $(VENV)/.dev ## export 10,000 simulated hands and the PHH of CORPUS, read them again, write docs/export.md (TRIPS_ARGS="..." adds options)
	RAILBIRD_CORPUS=$(CORPUS) $(BIN)/python tests/bench/round_trips.py --write docs/export.md $(TRIPS_ARGS)

export-costs: $(VENV)/.dev ## time and memory of exports of 100,000 and 1,000,000 hands of CORPUS, write docs/export.md (ten minutes)
	RAILBIRD_CORPUS=$(CORPUS) $(BIN)/python tests/bench/export_costs.py --write docs/export.md $(COSTS_ARGS)

calibration: $(VENV)/.dev ## check luck-adjusted winnings on simulated matches (CALIBRATION_ARGS="..." adds options)
	$(BIN)/python tests/bench/calibration.py $(CALIBRATION_ARGS)

compare-study: $(VENV)/.dev ## how often `compare` errs, and how soon it decides; an hour on two cores, goes on where it stopped (STUDY_ARGS)
	$(BIN)/python tests/bench/compare_study.py --part 0/2 $(STUDY_ARGS) & $(BIN)/python tests/bench/compare_study.py --part 1/2 $(STUDY_ARGS); wait
	$(BIN)/python tests/bench/compare_study.py --write docs/compare.md

coverage: $(VENV)/.dev ## how often intervals of rates and standings hold the truth; half an hour, writes docs/definitions.md (COVERAGE_ARGS)
	$(BIN)/python tests/bench/coverage.py --write docs/definitions.md $(COVERAGE_ARGS)

leaks: $(VENV)/.dev ## are planted leaks found and their plays worth what they say; hours, goes on where it stopped (LEAKS_ARGS)
	$(BIN)/python tests/bench/leaks_study.py --part 0/2 $(LEAKS_ARGS) & $(BIN)/python tests/bench/leaks_study.py --part 1/2 $(LEAKS_ARGS); wait
	$(BIN)/python tests/bench/leaks_study.py --write docs/exploit.md

second-half: $(VENV)/.dev ## do plays found in the first halves of CORPUS's matches win as much in the second; ten minutes, writes docs/exploit.md
	rm -rf build/second-half
	$(BIN)/railbird ingest $(addprefix $(CORPUS)/,acpc auction-2024 bounty-2025 holdem-mit permutation-2020 river-of-blood-2023 swap-2022 toss-2026) --store build/second-half
	$(BIN)/python tests/bench/second_half.py build/second-half --write docs/exploit.md

why-study: $(VENV)/.dev ## does `why` name a planted weakness first; an hour, goes on where it stopped (WHY_ARGS), writes docs/why.md
	$(BIN)/python tests/bench/why_study.py $(WHY_ARGS)
	$(BIN)/python tests/bench/why_study.py --write docs/why.md

clean: ## remove .venv and everything built
	rm -rf $(VENV) .lint build dist kernels *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Collusion exits with 1 where it has something to show.
$(RULES)/%: COMMAND = RAILBIRD_COMPILE=1 RAILBIRD_CACHE=$@/cache $(BIN)/railbird
$(RULES)/two-players:
	@mkdir -p $@
	@$(COMMAND) ingest $(filter-out $(OTHERS),$(wildcard sample_logs/*)) --store $@/store > $@/said
	@$(COMMAND) luck --store $@/store > $@/said
	@$(COMMAND) collusion --store $@/store > $@/said || test $$? = 1

$(RULES)/others:
	@mkdir -p $@
	@$(COMMAND) ingest $(OTHERS) --store $@/store > $@/said
	@$(COMMAND) collusion --store $@/store > $@/said || test $$? = 1

# A command found by name may still not run (a version manager's shim), so each candidate is asked its version.
$(VENV)/.made:
	@for python in $(CANDIDATES); do \
	    if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        rm -rf $(VENV) && "$$python" -m venv $(VENV) && touch $@; exit; \
	    fi; \
	done; \
	echo "railbird needs Python 3.11 or newer; tried: $(CANDIDATES). Name one with: make PYTHON=..." >&2; exit 1

# The build backend comes from the pins too, hence no isolated (and unpinned) build environment.
$(VENV)/.railbird: $(VENV)/.made pyproject.toml constraints.txt
	$(INSTALL) setuptools
	$(INSTALL) --no-build-isolation -e .
	$(COMPILE)
	$(COMPILE_RULES)
	@touch $@

$(VENV)/.dev: $(VENV)/.railbird
	$(INSTALL) --no-build-isolation -e '.[dev]'
	@touch $@

$(VENV)/.guided: $(VENV)/.dev
	$(INSTALL) --no-build-isolation -e '.[guided]'
	@touch $@

$(VENV)/.docs: $(VENV)/.railbird
	$(INSTALL) --no-build-isolation -e '.[docs]'
	@touch $@
