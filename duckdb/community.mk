# The targets that the CI of DuckDB's community registry calls: see duckdb/community/README.md.

.PHONY: set_duckdb_version set_duckdb_tag output_distribution_matrix configure_ci configure release debug test_release test_debug

EXTENSION := build/release/extension/etl2parquet/etl2parquet.duckdb_extension
EXTENSION_VERSION ?= $(shell sed -n 's/^  version: //p' duckdb/community/description.yml)
DUCKDB_TEST_PYTHON ?= configure/venv/bin/python3

# The extension does not depend on DuckDB's version: it uses the stable part of the C API.
set_duckdb_version set_duckdb_tag: ;
output_distribution_matrix: ; @cat extension-ci-tools/config/distribution_matrix.json
configure_ci: ;

# DuckDB's test runner, for test_release.
configure:
	python3 -m venv configure/venv
	$(DUCKDB_TEST_PYTHON) -m pip install duckdb git+https://github.com/duckdb/duckdb-sqllogictest-python

release debug:
	mkdir -p $(dir $(EXTENSION))
	$(GO) -C duckdb run ./build -version "$(EXTENSION_VERSION)" -o ../$(EXTENSION)

# In containers the CI has no DuckDB to test with, and sets LINUX_CI_IN_DOCKER.
test_release test_debug:
	$(if $(filter 1,$(LINUX_CI_IN_DOCKER)),@echo tests are skipped,$(DUCKDB_TEST_PYTHON) -m duckdb_sqllogictest --test-dir duckdb/test/sql --external-extension $(EXTENSION))
