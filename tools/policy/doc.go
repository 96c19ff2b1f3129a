// Package policy has only tests, which [make check] runs: rules for the texts, the imports and the commands
// of this repository. They run Go's tools and compile the programs of pages.
//
// [make check]: https://github.com/etl2parquet/etl2parquet/blob/main/docs/dev/testing.md
package policy
