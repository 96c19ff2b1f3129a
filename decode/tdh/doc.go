// Package tdh defines the types with which providers declare fields: in-types, which
// give the form in which a value is stored, and out-types, which give the form in
// which it is shown. Manifests name them, the records of the merge tools number them,
// and TraceLogging uses the numbers of the in-types.
//
// [Apply] turns types into the kinds of package schema. [Declare] keeps the name and
// the types of a field as its source declares them, and documents the field in a form
// that is the same for all sources:
//
//	ProcessId, win:UInt32, win:HexInt32.
//
// These are the provider's name of the field, the in-type, and the out-type unless it
// is the default of the in-type. A structure has the type "struct". Further facts from
// the source follow, separated by commas.
package tdh
