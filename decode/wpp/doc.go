// Package wpp reads TMF files: what the messages of the WPP preprocessor mean,
// which a trace holds as numbers and bytes alone. The files are made from the
// debug symbols of a program, by tracepdb among others:
//
//	// PDB:  foo.pdb                                            a comment
//	<message GUID> <provider> // SRC=<source file> MJ= MN=      begins a block
//	#typev <file_line> <number> "<text>" // LEVEL=.. FUNC=..    a message of it
//	{
//	<expression>, Item<type>[(names)] -- <10, 11, ...>          an argument
//	}
//
// The arguments stand back to back in the payload. (Format: Microsoft's
// documentation of trace message format files, and the files of drivers whose
// source is public. No trace with messages of a known file was at hand, so the
// bytes of the items are as documented and as WPP's macros write them.)
package wpp
