// Package tracelogging reads the description that a TraceLogging event carries
// in its extended item 0x0B (format: TraceLoggingDynamic.h, Microsoft, MIT).
//
//	metadata  u16 total size | tags | name of the event, NUL | field ...
//
//	field     name, NUL | u8 in-type | u8 out-type | tags | array
//	          in-type: bits 0-4 the type; bits 5-6 the array: 0 none, 0x20 with
//	          a constant count, 0x40 with a count in the payload, 0x60 custom;
//	          0x80: an out-type follows
//	          out-type: bits 0-6 the type, or for a structure the number of its
//	          fields; 0x80: tags follow
//	          array: u16 constant count, or u16 size and bytes that describe a
//	          custom type
//
//	tags      7 bits per byte, the highest first; 0x80: another byte follows
//
// Fields without bytes are not in the [schema.Schema]. An array of such fields with a
// count in the payload takes the two bytes of the count: it becomes a field that holds
// the count.
package tracelogging
