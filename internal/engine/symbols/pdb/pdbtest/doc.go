// Package pdbtest writes PDBs for tests: small ones with everything that package pdb reads, and
// large ones to measure.
package pdbtest
