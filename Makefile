# Every target brings what it needs: a virtual environment in .venv, made from pyproject.toml with Python 3.11 or newer.

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)

BIN := .venv/bin
READY := .venv/.ready
PROOF := build/kubernetes/v0.36.6
HELM := v3.18.4
PACKAGES := --editable '.[docs,import,test]' --editable ./server
SOURCES := apigen server benchmarks tests handwritten examples
COMPILED := tests/kubernetes tests/scheme tests/things tests/lenses tests/singular_plural tests/enums tests/bugs_of_others tests/hub tests/strategies tests/validation generated/tests
# The extension does nothing in these: they test specs, proofs and types, or start processes that do not find it.
PURE := tests/kubernetes/test_nothing_idle.py tests/kubernetes/whole/test_refreshing.py tests/lenses/test_lens_proofs.py tests/lenses/test_lens_types.py tests/lenses/test_wrong_lenses.py
IN_COMPILED_FORM := -p tests.native.compiled $(COMPILED) $(addprefix --ignore=,$(PURE))

# Where it is set, each of the processes that tests start compiles apigen anew, in ten times what its work takes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help generate verify diff browser helm test test-complete test-thorough cluster-programs test-cluster test-compiled compiled-share test-generated test-newest native native-sanitized fuzz fuzz-share mutation lint lint-style lint-types lint-pyright format kubernetes kubernetes-evolution kubernetes-proof kubernetes-output kubernetes-types kubernetes-tests kubernetes-share docs bench bench-short site diff-proof diff-shares clean dist test-install diff-seeded bench-cluster

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

generate: $(READY) ## write generated/ and the locks from api-specs/
	$(BIN)/apigen generate

verify: $(READY) ## check that generated/ is up to date with api-specs/
	$(BIN)/apigen verify

diff: $(READY) ## review what the specs change since the default branch, or since OLD=…; ARGS="--output html=review.html"
	$(BIN)/apigen diff $(ARGS) $(OLD)

browser: $(READY) ## install chromium, in which tests open the page of a review, if no browser is installed
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v "$$name" >/dev/null && exit 0; done; \
	if command -v apt-get >/dev/null; then \
		as=$$(test "$$(id -u)" = 0 || echo sudo); export DEBIAN_FRONTEND=noninteractive; \
		$$as apt-get update -qq && $$as apt-get install -y -qq --no-install-recommends chromium; \
	else $(BIN)/python -m playwright install chromium; fi

helm: ## build helm, with which tests render the chart of the webhook server, if it is not installed
	@command -v helm >/dev/null || test -x build/tools/helm || \
		{ mkdir -p build/tools && GOFLAGS=-mod=mod GOBIN="$(CURDIR)/build/tools" go install helm.sh/helm/v3/cmd/helm@$(HELM); }

test: $(READY) ## run all tests; ARGS="-k name" picks some
	$(BIN)/python -m pytest $(ARGS)

test-complete: $(READY) ## run all tests, also the slow ones of which each commit runs a share; ARGS="-k name" picks some
	APIGEN_COMPLETE=1 $(BIN)/python -m pytest $(ARGS)

test-thorough: $(READY) ## run all tests with 1,000 random examples each where `test` takes 40; takes hours
	APIGEN_COMPLETE=1 APIGEN_EXAMPLES=1000 $(BIN)/python -m pytest $(ARGS)

test-compiled: $(READY) ## run the tests of generated code once more, in its compiled form; ARGS="-k name" picks some
	$(BIN)/python -m pytest $(IN_COMPILED_FORM) $(ARGS)

compiled-share: $(READY) ## run the share of these tests that CI runs; each commit has another one
	$(BIN)/python -m pytest $(IN_COMPILED_FORM) -p tests.share --one-in 8

cluster-programs: $(READY) ## build kube-apiserver, etcd and kubectl from their Go modules, once for a machine
	$(BIN)/python -m tests.cluster.programs

test-cluster: cluster-programs ## run CRDs and webhooks on a real API server
	$(BIN)/python -m pytest -n 0 tests/cluster tests/crd tests/server/test_manifests.py $(ARGS)

test-generated: $(READY) ## run the tests of generated code, pure and then with the extension; ARGS="-k name" picks some
	$(BIN)/python -m pytest tests/runtime $(COMPILED) $(ARGS)
	$(BIN)/python -m pytest $(IN_COMPILED_FORM) $(ARGS)

test-newest: $(READY) ## run test-generated on the newest Python that Debian packages; needs root; ARGS="--suite sid"
	$(BIN)/python -m tests.newest_python $(ARGS)

native: $(READY) ## build and install the optional extension that makes generated code faster
	$(BIN)/python -m pip install --quiet --no-build-isolation ./native

native-sanitized: $(READY) ## modify documents and objects at random under sanitizers; ARGS="--seconds 600 --seed 2"
	$(BIN)/python -m tests.native.sanitized $(ARGS)

fuzz: $(READY) ## mutate 1,000,000 documents, with the extension and without; ARGS="--documents 9000 --seed 2"
	$(BIN)/python -m tests.fuzz $(ARGS)

fuzz-share: kubernetes-output ## mutate as many documents as CI does, in half a minute
	$(BIN)/python -m tests.fuzz --documents 4000 --seconds 30 --processes 1 --ratio 20   # processors of CI are shared

mutation: $(READY) ## apply small changes to the code that protects data, which tests must detect; ARGS="--target numbering" picks
	$(BIN)/python -m tests.mutation $(ARGS)

lint: lint-style lint-types lint-pyright ## check specs, style and types; -j2 does two at once

lint-style: $(READY)
	$(BIN)/apigen lint
	$(BIN)/ruff check
	$(BIN)/black --check --quiet $(SOURCES)
	$(BIN)/black --check --quiet --config /dev/null apigen/runtime   # copied into output, so formatted like it

lint-types: $(READY)
	$(BIN)/mypy
	$(BIN)/mypy --strict generated

lint-pyright: $(READY)
	$(BIN)/pyright

format: $(READY) ## format hand-written code
	$(BIN)/ruff check --fix --quiet --exit-zero
	$(BIN)/black --quiet $(SOURCES)
	$(BIN)/black --quiet --config /dev/null apigen/runtime

kubernetes: $(READY) ## import, compile and check all of Kubernetes' API; RELEASE=v0.35.0 takes another release
	$(BIN)/python -m tests.kubernetes.whole $(if $(RELEASE),--release $(RELEASE)) $(if $(API),--api $(API)) \
		$(if $(APIMACHINERY),--apimachinery $(APIMACHINERY)) $(if $(FEATURES),--features $(FEATURES)) $(ARGS)

kubernetes-evolution: $(READY) ## gates, lifecycles, storage and strategies compared with Kubernetes' own code
	$(BIN)/python -m tests.kubernetes.evolution $(ARGS)

kubernetes-proof: kubernetes-types kubernetes-tests ## compile all of Kubernetes' API; check its types and run its generated tests

kubernetes-output: $(READY)
	$(BIN)/python -m tests.kubernetes.whole.building api-specs/kubernetes $(PROOF)

kubernetes-types: kubernetes-output
	cd $(PROOF) && ../../../$(BIN)/python -m mypy --strict -p kubernetes_api

kubernetes-share: SHARE := -p tests.share --one-in 12
kubernetes-share: ## run the share of the generated tests of all of Kubernetes that CI runs; each commit has another one
kubernetes-tests kubernetes-share: kubernetes-output
	cd $(PROOF) && PYTHONPATH=../../.. ../../../$(BIN)/python -m pytest -q -n auto -p no:cacheprovider $(SHARE) \
		kubernetes_api/tests
	cd $(PROOF) && PYTHONPATH=../../.. ../../../$(BIN)/python -m pytest -q -n auto -p no:cacheprovider $(SHARE) \
		-p tests.native.compiled -k round_trips kubernetes_api/tests

docs: $(READY) ## write the generated parts of docs/, and the output of its examples
	$(BIN)/python -m tests.docs.update

site: $(READY) ## build the documentation as a website in build/site
	$(BIN)/python -m tests.docs.site

bench: $(READY) ## measure everything and compare with other tools, in ten minutes; ARGS="compiler --compare HEAD~9 --write"
	$(BIN)/python -m benchmarks $(ARGS)

bench-short: $(READY) ## measure in a minute what CI does; fails if a ratio is twice the stored one; ARGS=--write stores the ratios
	$(BIN)/python -m benchmarks.short $(ARGS)

diff-seeded: $(READY) ## seed 500 breaking edits into the CRDs of gateway-api: all are errors
	APIGEN_COMPLETE=1 $(BIN)/python -m pytest -q -n 0 tests/review/releases/test_seeded_edits.py

bench-cluster: cluster-programs ## measure the conversion webhook behind a real API server, in minutes; ARGS=--write stores benchmarks/cluster.md
	$(BIN)/python -m benchmarks.cluster $(ARGS)

diff-proof: $(READY) ## review 100,000 random schema pairs and search for unreported breaks, up to an hour
	$(BIN)/python -m tests.review.model $(ARGS)
	$(BIN)/python -m tests.review.pipeline   # CRDs: the review against the engine
	if command -v go >/dev/null; then $(BIN)/python -m tests.runtime.structural.comparing 0 20000; fi   # the engine of CRDs

diff-shares: $(READY) ## fail if fewer findings have a counterexample than the published figures, in minutes
	$(BIN)/python -m tests.review.counterexamples.share --check $(ARGS)

dist: $(READY) ## build wheels and source distributions of apigen, server/ and native/ in dist/, and check what they hold
	rm -rf dist && mkdir dist
	for folder in . server native; do $(BIN)/python -m build --no-isolation --outdir dist $$folder >/dev/null || exit 1; done
	$(BIN)/python -m tests.packaging.contents dist

test-install: dist ## install them into an empty environment, and run the tutorial there; needs a package index
	$(BIN)/python -m pytest -n 0 tests/packaging/test_empty_environment.py $(ARGS)

clean: ## remove the files that targets write, except generated/
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml server/pyproject.toml
	@test -n "$(PYTHON)" || { echo "apigen needs Python 3.11 or newer; say where it is: make PYTHON=…" >&2; exit 1; }
	test -x $(BIN)/python || "$(PYTHON)" -m venv .venv
	$(BIN)/python -m pip install --quiet uv && $(BIN)/uv pip install --quiet --native-tls --python $(BIN)/python $(PACKAGES) \
		|| $(BIN)/python -m pip install --quiet $(PACKAGES)   # ten times as slow; for an index that only pip can reach
	touch $@
