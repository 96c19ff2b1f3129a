// Package manifest reads instrumentation manifests: XML in which a provider
// describes its events. [Parse] makes a [schema.Schema] of each event;
// [ProviderIDs] only lists the providers that a file describes.
//
// Manifests come from Windows SDKs, from tools that export the providers registered
// on a system, and from EventSource, which logs its manifest into the trace in
// chunks: [Pieces] collects and assembles the chunks.
//
// Only elements of the XML and their attributes are read, in any namespace:
//
//	instrumentationManifest
//	  instrumentation > events > provider   name, guid
//	    channels > channel                  chid, name, value
//	    levels > level                      name, value, message
//	    tasks > task                        name, value, message
//	      opcodes > opcode                  for this task only
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
// Any other element is transparent: its children count as children of the element
// around it. The exceptions are UserData, which describes the XML form of an event, and
// counters, which has providers of performance counters: they are skipped with their contents.
//
// Input is not trusted. Document types and entities other than the five of XML are
// rejected, sizes and depths are bounded, and an error loses only the event or field
// that has it: see [Manifest.Errors].
package manifest
