// Package tracelogging reads the description that a TraceLogging event carries
// in its extended item 0x0B (format: TraceLoggingDynamic.h, Microsoft, MIT).
//
//	metadata  u16 size of it all | tags | name of the event, NUL | field ...
//
//	field     name, NUL | u8 in-type | u8 out-type | tags | array
//	          in-type: bits 0-4 the type; 0x60 the array: none, 0x20 of a
//	          constant number, 0x40 of a number in the payload, 0x60 custom;
//	          0x80: an out-type follows
//	          out-type: bits 0-6 the type, or of a structure the number of
//	          fields that belong to it; 0x80: tags follow
//	          array: u16 the constant number, or u16 size and bytes that
//	          describe a custom type
//
//	tags      7 bits a byte, the highest first; 0x80: another byte follows
//
// Fields of no bytes are not in the [schema.Schema]. An array of them, of a
// number in the payload, takes two bytes: it is a field of its number alone.
package tracelogging
