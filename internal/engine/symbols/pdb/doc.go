// Package pdb reads the program databases that Windows' linkers write for an image: the names of
// functions by address, their source lines, and annotations.
//
// A file is a container of streams (MSF 7.00). A stream is a list of blocks:
//
//	superblock   0x00 magic   0x20 block size   0x28 blocks   0x2c directory bytes   0x34 map of the directory
//	directory    number of streams, their sizes, the numbers of their blocks
//	stream 1     GUID, age, streams by name: /names has the names of source files
//	stream 3     DBI: modules, section contributions (address range -> module), numbers of streams
//	    publics       order of the public symbols by address
//	    records       public symbols; here also constants and types, which are skipped
//	    sections      section headers of the image: section and offset -> address
//	    OMAP          address in the original image <-> address in the image, if it was reordered
//	    each module   its procedures and annotations, then its line tables (C13)
//
// Open reads the directory, the modules and the contributions. The public symbols, without their
// names, are read together when the first one is looked up; a module is read when an address in it
// is looked up. Memory is bounded by the size of the file, whatever the file claims.
//
// Addresses are relative to the start of the image (RVA). (Sources: LLVM's "The PDB File
// Format" and Microsoft's published headers, read 2026-11. Documented, except where a
// comment says otherwise; all of it was compared with llvm-pdbutil and llvm-symbolizer.)
package pdb
