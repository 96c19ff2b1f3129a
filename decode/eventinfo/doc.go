// Package eventinfo reads the records in which the merge tools store the
// descriptions that Windows had of the events of a trace: class
// bbccf6c1-6cd1-48c4-80ff-839482e37671, types 32 and 33 (format: tdh.h,
// TRACE_EVENT_INFO and EVENT_MAP_INFO).
//
//	TRACE_EVENT_INFO    0x00 GUID of the provider
//	                    0x10 GUID of the class, of a classic event
//	                    0x20 EVENT_DESCRIPTOR
//	                    0x30 u32 DecodingSource
//	                    0x34 u32 offsets of names, and number of properties
//	                    0x68 u32 number of top-level properties; those after
//	                         them belong to structures
//	                    0x6C u32 TEMPLATE_FLAGS, 4 bits, and the event's tag, 28
//	                    0x70 EVENT_PROPERTY_INFO[]
//
//	EVENT_MAP_INFO      0x00 u32 offset of its name, 0x04 u32 kind,
//	                    0x08 u32 number of entries, 0x0C u32 type of values
//	                    0x10 { u32 offset of a name, u32 value }[]
//
// Offsets are from the start of the structure; 0 means that there is no text. Texts
// are UTF-16 up to a NUL, and many end with a space that is not part of them.
package eventinfo
