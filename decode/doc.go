// Package decode turns the bytes of an ETL trace into buffers, events and their headers. It knows
// nothing about Arrow or paths, and starts no goroutines.
//
// A trace is a sequence of buffers with nothing before or between them. All
// numbers are little-endian.
//
//	file    +----------+----------+----------+-- -- --+
//	        | buffer 0 | buffer 1 | buffer 2 |        |
//	        +----------+----------+----------+-- -- --+
//	         holds the trace header event first
//
//	buffer  0x00                 0x48                  Offset       BufferSize
//	        +--------------------+-------+-----+-------+-------------+
//	        | WMI_BUFFER_HEADER  | event | pad | event | fill (0xFF) |
//	        +--------------------+-------+-----+-------+-------------+
//	         events begin at multiples of 8; in a compressed buffer,
//	         everything after the header is one compressed stream, no fill
//
//	event   0x00       0x04      size of the header        Size
//	        +----------+---------+-------+-----------------+
//	        | marker   | header, by type | extras, payload |
//	        +----------+---------+-------+-----------------+
//	         marker: byte 3 is 0xC0 (byte 2 is the header type) or 0x90
//	         (a WPP message); 0xFFFFFFFF ends the buffer
//
// [NewFile] reads the trace header and finds the buffers. [File.ReadBuffer] reads
// and decompresses one; many goroutines may call it, each with its own [Buffer].
// [Buffer.Next] steps over the events of a buffer. An [Event] is a window into the
// buffer; the header views ([SystemHeader], [EventHeader], ...) read fields from
// it without copying.
//
// Input is not trusted. A size or an offset is checked before it is used, and no allocation is
// larger than the bytes present justify. Damage is returned as an [Error] with its position.
package decode
