// Package packed stores descriptions of events in one file: the format of the built-in catalogue
// and of those that users build.
//
// The format suits programs that need few of its providers: the index is small, and the events of
// each provider are packed separately and unpacked on demand.
//
//	magic       "ETL2PARQUET CATALOGUE 2\n"; with 1, the index has no kinds
//	sizes       u32 bytes of the packed index, u32 of the unpacked one, u32 CRC-32C of the packed one,
//	            u32 bytes of the dictionary
//	index       Zstandard frame
//	dictionary  bytes that the blocks refer to, as Zstandard's raw dictionary
//	blocks      one Zstandard frame for each provider that has events
//
// All numbers are little-endian; numbers in the index and the blocks are unsigned varints,
// and texts are a number of bytes and the bytes, in UTF-8.
//
// The index has the builds of Windows that the file knows, a number and the builds, and then
// the providers by GUID:
//
//	guid        16 bytes, as in a trace
//	name        text
//	other names number, texts
//	kind        0 a provider, 1 a component: see [Provider]
//	events      number of events; 0: only the name is known, and the four numbers below are absent
//	block       position after the dictionary, bytes packed, bytes unpacked, CRC-32C of the packed bytes
//
// A block begins with the texts, the value maps and the lists of fields, which the events
// after them refer to by number. See [block] for their parts.
//
// A file is untrusted input. The result of [Catalog.Provider] keeps the same rules as the readers
// of manifests: a count or length refers to an earlier number, the depth of structures is bounded,
// and no payload can have many more values than bytes.
package packed
