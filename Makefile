# These targets need only Go. Tests that need more are skipped without it, and missing.sh lists them
# at the end.

GO ?= go
GOTEST = $(GO) tool gotestsum --format pkgname --hide-summary skipped --jsonfile "$$(mktemp)" --post-run-command tools/testenv/missing.sh
# Arguments of go test that put temporary files of tests in memory, if Linux has that many GiB for
# them and lets programs run there. Conversions sync each file to the disk: half of the time of tests.
in_memory = $(shell test "$$(df -Pk /dev/shm 2>/dev/null | awk 'END {print int($$4 / 1048576)}')" -ge $(1) && \
	! grep -q ' /dev/shm .*noexec' /proc/mounts && echo "-exec 'env TMPDIR=/dev/shm GOTMPDIR=/dev/shm'")
# This limit is for tests that hang: none may depend on the load of the machine.
HANGS := -timeout 3h
SYSTEMS := linux/amd64 linux/arm64 linux/386 darwin/arm64 windows/amd64
# Wheels are built for these, too.
WHEELS := darwin/amd64 windows/arm64
FUZZTIME ?= 5s

.PHONY: help all build test test-change test-all check format vet staticcheck systems race notices many duckdb duckdb-test fuzz bench wheels python-test spark-test site

# Lines with two signs describe the targets. They are wrapped for terminals of 80 columns.
help: ; @awk '/^## / {about = substr($$0, 4); next} \
	/^[a-z][a-z_-]*:/ && about { \
		sub(/:.*/, ""); line = sprintf("%-14s", $$0); n = split(about, words, " "); \
		for (i = 1; i <= n; i++) { \
			if (length(line) + length(words[i]) > 79) {print line; line = sprintf("%14s", "")} \
			line = line " " words[i]} \
		print line} \
	{about = ""}' $(MAKEFILE_LIST)

all: build

## The program, ./etl2parquet.
build: ; CGO_ENABLED=0 $(GO) build -trimpath -o etl2parquet ./cmd/etl2parquet

# Tests wait for the disk and for programs they run: four packages at a time keep two processors
# busy. The slowest packages are listed, so that they begin first and the others run beside them.
# They are not vetted here, and those of tools not run: make check does that. The tests of the wheels
# and of Wine are in the tier all, those of interop in the tier of changes.
OF_TESTS = -vet=off -p 4 -shuffle=on $(HANGS)
TESTED = ./internal/lake/bundle ./cmd/etl2parquet ./internal/engine/pipeline \
	$(shell $(GO) list ./... | grep -v -e '/tools/' -e '/interop' -e '/python')

# docs/dev/testing.md describes these tiers.
## The quick tests: every feature, in minutes.
test: ; $(GOTEST) -- $(call in_memory,2) -short $(OF_TESTS) $(TESTED)

## The tests of a change: also those that take longer, and DuckDB and pyarrow as readers.
test-change: ; $(GOTEST) -- $(call in_memory,8) $(OF_TESTS) ./interop $(TESTED)

## Everything: other programs, many kills, large traces. It takes hours; .ci/run all has parts of it.
test-all: export ETL2PARQUET_TESTS ?= all
test-all: TESTED = ./...
test-all: ; $(GOTEST) -- $(call in_memory,8) $(OF_TESTS) $(TESTED)

## Format, vet, staticcheck, notices, rules of this repository.
check: format vet staticcheck ; $(GO) run ./tools/notices -check $(SYSTEMS) $(WHEELS) && $(GO) test -vet=off -shuffle=on $(HANGS) ./tools/...

format: ; @unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not formatted: $$unformatted"; exit 1; }

vet: ; $(GO) vet ./...

staticcheck: ; $(GO) tool staticcheck ./...

## Builds for all systems.
systems: ; @for s in $(SYSTEMS); do echo "build for $$s"; CGO_ENABLED=0 GOOS=$${s%/*} GOARCH=$${s#*/} $(GO) build -trimpath -o /dev/null ./... || exit 1; done

# The quick run with the race detector, which needs cgo and so a C compiler, for the packages that use
# several goroutines. In the others it can find nothing, and they are slow with it. The slowest
# packages begin first. Left out is interop, where other programs read what this one has written.
SHARING := {{$$p := .ImportPath}}{{range .Imports}}{{if or (eq . "sync") (eq . "sync/atomic") (eq . "golang.org/x/sync/errgroup")}}{{$$p}} {{end}}{{end}}
## The quick tests with the race detector; it needs a C compiler.
race: export CGO_ENABLED = 1
race: ; $(GOTEST) -- $(call in_memory,2) -race -short $(OF_TESTS) ./cmd/etl2parquet ./internal/lake/bundle ./internal/engine/pipeline $$($(GO) list -f '$(SHARING)' ./... | tr ' ' '\n' | sort -u | grep -v '/interop$$') ./cmd/...

## 10,000 traces in one run: minutes, and gigabytes in the temporary folder.
many: ; ETL2PARQUET_TESTS=all $(GO) test ./interop $(HANGS) -run TestManyTraces -v

## Write the licences of linked modules; run it after a module has changed.
notices: ; $(GO) run ./tools/notices $(SYSTEMS) $(WHEELS)

## The DuckDB extension for this system; it needs a C compiler.
duckdb duckdb-test: export CGO_ENABLED = 1
duckdb: ; cd duckdb && $(GO) run ./build

include duckdb/community.mk
include tools/release/release.mk

## Tests of the extension, with one release of DuckDB; with ETL2PARQUET_TESTS=all with each.
duckdb-test:
	@command -v gcc >/dev/null || { echo "MISSING a C compiler: install gcc"; test "$$CI" != true; exit; }
	$(GO) -C duckdb vet ./... && $(GOTEST) --raw-command -- $(GO) -C duckdb test -json -shuffle=on $(HANGS) ./...

## Run each fuzz target for FUZZTIME.
fuzz: ; FUZZTIME=$(FUZZTIME) ./.ci/fuzz

## Benchmarks.
bench: ; $(GO) test ./internal/lake/bundle -run '^$$' -bench Methods -benchtime 1x $(HANGS)

## The wheels of the Python package, for six systems, into dist.
wheels: ; $(GO) run ./python/wheels -o dist

## The documentation as a site, into build/site. It needs Python 3 with venv.
site: ; $(GO) run ./tools/site -o build/site

## Tests of the wheel for this system.
python-test: ; ETL2PARQUET_TESTS=all $(GO) test ./python $(HANGS) -run 'TestPythonPackage$$/package' -v
## Tests of the wheel with Spark; they need Java 17.
spark-test: ; ETL2PARQUET_TESTS=all $(GO) test ./python $(HANGS) -run 'TestPythonPackage$$/spark' -v
