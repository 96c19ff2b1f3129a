// Package pe reads, from a Windows image (.exe, .dll, .sys), what names its code without a PDB, and
// what identifies it: the export table, the PDB that belongs to it, its time stamp and its size.
//
//	0x3c          offset of the PE header
//	PE header     "PE\0\0", then the COFF header: sections, time stamp
//	optional      0x10b (PE32) or 0x20b (PE32+), size of the image, data directories
//	sections      where addresses are in the file
//	directory 0   exports: functions by ordinal, names with their ordinals
//	directory 6   debug entries: CodeView (RSDS) has the PDB's name, GUID and age
//
// debug/pe of the standard library reads symbol tables and all section headers before anything
// else, and fails if one of them is damaged. This package needs few of these bytes, and reads only
// these, on demand. Memory is bounded by the size of the file. (Source: Microsoft's "PE Format",
// read 2026-11. Documented, except for RSDS, which is in LLVM's documentation of PDBs.)
package pe
