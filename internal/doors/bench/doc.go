// Package bench measures what each stage of a conversion costs on this machine, and
// compares the whole conversion with the sum of stages that it cannot do without.
//
// A round runs all stages once, for each number of workers in turn, so that the stages of a
// round are measured under the same load of the machine:
//
//	read      the file, from start to end                       bytes of the file
//	hash      SHA-256 of those bytes, which are in memory       bytes of the file
//	unpack    buffers of the file to buffers in memory          bytes of events
//	walk      from event to event in buffers in memory          bytes of events
//	index     the index pass, as info makes it                  bytes of events
//	columns   the convert pass with a sink that only counts     bytes of events
//	scatter   the values of the same columns, copied one by one bytes of columns
//	encode    Parquet from the same columns, kept in memory     bytes of columns
//	write     the encoded bytes, into files, which are synced   bytes of Parquet
//	convert   the whole conversion, into a folder               bytes of events
//
// What a stage needs is made ready before its time begins. So unpack, walk, scatter, encode
// and write are timed in pieces, which are summed.
package bench
