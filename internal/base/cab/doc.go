// Package cab reads Windows cabinet files: stored, MSZIP and LZX.
//
// A cabinet is, in little-endian order:
//
//	CFHEADER   "MSCF", sizes and counts, flags           0x24 bytes and options
//	CFFOLDER   a compressed stream: offset of its blocks 8 bytes each
//	CFFILE     a file: folder, offset in it, time, name  16 bytes and the name
//	CFDATA     a block: checksum, sizes, data            8 bytes and the data
//
// A block holds at most 32 KiB of its folder. A block depends on the blocks before it, so a
// folder is read from its beginning.
//
// Sources: [MS-CAB] for the container, [MS-MCI] for MSZIP, and [MS-PATCH] for
// LZX, where the form in cabinets differs from the DELTA form: no windows
// above 2 MiB, no matches beyond 257 bytes, and no chunk sizes in the stream,
// because each frame is a block. The tests compress in this form, and cabextract reads
// their output.
//
// Not supported: Quantum, and folders that begin or end in another cabinet of a set. Memory
// does not depend on what a cabinet claims: a folder takes 70 KiB and, with LZX, its window of
// at most 2 MiB.
package cab
