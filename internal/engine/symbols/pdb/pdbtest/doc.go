// Package pdbtest writes PDBs for tests: small ones with all that package pdb reads, and
// large ones to measure.
package pdbtest
