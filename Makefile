# What is here runs with Go alone; tests that need Python make their own
# environment and skip, saying so, where they cannot.

GO ?= go
SYSTEMS := linux/amd64 linux/arm64 linux/386 darwin/arm64 windows/amd64
FUZZTIME ?= 5s

.PHONY: all build test check format vet staticcheck systems race many damage fuzz bench

all: build

build: ; CGO_ENABLED=0 $(GO) build -trimpath -o etl2parquet ./cmd/etl2parquet

test: ; $(GO) test -timeout 20m ./...

check: format vet staticcheck systems ; $(GO) test -run 'TestImports|TestBuilds' .

format: ; @unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not formatted: $$unformatted"; exit 1; }

vet: ; $(GO) vet ./...

staticcheck: ; $(GO) tool staticcheck ./...

systems: ; @for s in $(SYSTEMS); do echo "build for $$s"; CGO_ENABLED=0 GOOS=$${s%/*} GOARCH=$${s#*/} $(GO) build -o /dev/null ./... || exit 1; done

# The tests in which goroutines meet; the others take ten times as long with
# the detector and have nothing for it to find.
RACES := TestDeterminism$$$$|TestWorkersOption|TestDataset|TestCancel|TestFailure|TestMisfits|TestTwoTraces|TestProgress|TestSecondRun|TestCombinedWorkers|TestCombinedAgain
CMD_RACES := SideBySide|Turns|Budget|Interrupt|ShardsTogether|Progress|Report|Web|BucketCuts

race: ; $(GO) test -race -short -timeout 20m -run '$(RACES)' ./convert && $(GO) test -race ./store/... ./remote ./spool && $(GO) test -race -short -timeout 20m -run '$(CMD_RACES)' ./cmd/...

# 10,000 traces in one run: minutes, and gigabytes in the temporary folder.
many: ; $(GO) test ./interop -timeout 60m -run TestManyTraces -v -long

damage: ; $(GO) test ./decode -run TestDamagedTraces -long

fuzz: ; FUZZTIME=$(FUZZTIME) ./.ci/fuzz

bench: ; $(GO) test ./convert -run '^$$' -bench Ratios -benchtime 1x -timeout 60m
