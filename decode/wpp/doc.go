// Package wpp reads TMF files. They describe the messages of the WPP preprocessor. A trace contains
// only the numbers and argument bytes of these messages. Tools such as tracepdb make the files from
// the debug symbols of a program:
//
//	// PDB:  foo.pdb                                            a comment
//	<message GUID> <provider> // SRC=<source file> MJ= MN=      begins a block
//	#typev <file_line> <number> "<text>" // LEVEL=.. FUNC=..    a message of it
//	{
//	<expression>, Item<type>[(names)] -- <10, 11, ...>          an argument
//	}
//
// The arguments follow one another in the payload without padding. (Format:
// Microsoft's documentation of trace message format files, and the files of drivers
// whose source is public. No trace with messages of a known file was available, so
// the bytes of the items are as documented and as WPP's macros write them.)
package wpp
