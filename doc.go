// Package etl2parquet holds no code of its own: the program is in
// cmd/etl2parquet, the parts it is made of are in schema, decode, convert and
// internal. See docs/architecture.md.
// The tests here are about the repository as a whole.
package etl2parquet
