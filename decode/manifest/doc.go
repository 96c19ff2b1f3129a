// Package manifest reads instrumentation manifests: the XML in which a provider
// says what its events mean. [Parse] makes a [schema.Schema] of each event;
// [ProviderIDs] only finds out whose events a file describes.
//
// Manifests come from Windows SDKs, from tools that write them from what is
// registered on a system, and from EventSource, which logs its own into the
// trace in chunks: [Pieces] collects and assembles those.
//
// What is read of the XML is little: elements and their attributes, in any
// namespace, from any writer.
//
//	instrumentationManifest
//	  instrumentation > events > provider   name, guid
//	    channels > channel                  chid, name, value
//	    levels > level                      name, value, message
//	    tasks > task                        name, value, message
//	      opcodes > opcode                  of this task alone
//	    opcodes > opcode                    name, value, message
//	    keywords > keyword                  name, mask, message
//	    maps > valueMap, bitMap             name
//	      map                               value, message
//	    templates > template                tid
//	      data, binary                      name, inType, outType, length, count, map
//	      struct                            name, count
//	    events > event                      value, version, and names of the above
//	  localization > resources              culture
//	    stringTable > string                id, value
//
// Elements that are not named here are looked through, so that it does not
// matter which others stand around these; but UserData, which says how an
// event looks as XML, is skipped with all that it holds.
//
// Input is not trusted. There are no document types and no entities but the
// five of XML, sizes and depths are bounded, and what is wrong costs only the
// event or field that has it: see [Manifest.Errors].
package manifest
