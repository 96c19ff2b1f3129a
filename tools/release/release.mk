# Releases: see docs/dev/releasing.md.

.PHONY: dist publish dist-check dist-twice dist-test duckdb-release workflows

# The version of the next release, in each place that names it: TestVersionsAgree compares them.
VERSION := $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' python/pyproject.toml)

# The environment of goreleaser.
RELEASE = VERSION=$(VERSION) COMMIT=$$(git rev-parse HEAD) TIMESTAMP=$$(git log -1 --format=%ct) \
	DATE=$$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)

# These build with the Go that go.mod names, from the module proxy. goreleaser 2.17 needs a module
# that the proxy refuses.
GORELEASER ?= GOFLAGS= $(GO) run github.com/goreleaser/goreleaser/v2@v2.16.0
ACTIONLINT ?= GOFLAGS= $(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

## Everything that a release has, into dist and build/release. Nothing is published.
dist: ; GORELEASER_CURRENT_TAG=v$(VERSION) $(RELEASE) $(GORELEASER) release --snapshot --clean

## Makes a release and publishes it, with the accounts of the workflow that runs this for a tag.
publish:
	mkdir -p build
	awk '/^## /{on = $$2 == "$(VERSION)"; next} on' CHANGELOG.md > build/notes.md && test -s build/notes.md
	$(RELEASE) $(GORELEASER) release --clean --release-notes build/notes.md

## Tries each file that make dist has made: unpacks, installs, runs and removes it.
dist-check: ; tools/release/check

## Makes a release twice, in different folders, and compares the bytes.
dist-twice: ; tools/release/twice

## What CI runs: makes and tries the files that can be run here, on Linux on amd64.
dist-test: ; $(GO) -C tools/image test ./... && ONLY=tried $(MAKE) dist && tools/release/check

## The DuckDB extension for this system, with the name that a release gives it.
duckdb-release:
	mkdir -p build/extensions && $(GO) -C duckdb run ./build -version "v$(VERSION)" -folder ../build/extensions

## Check the workflows of GitHub, and the configuration of releases.
workflows: ; $(ACTIONLINT) && $(RELEASE) $(GORELEASER) check
