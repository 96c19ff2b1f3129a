// Package tdh knows the types that providers declare their fields with: the
// in-types, which say how a value is stored, and the out-types, which say how
// people want to see it. Manifests name them, the records of the merge tools
// number them, and TraceLogging has the same in-types under the same numbers.
//
// [Apply] turns them into the kinds of package schema. [Declare] keeps the name and
// the types that a source gives a field, and writes them in one form for all of them:
//
//	ProcessId, win:UInt32, win:HexInt32.
//
// that is the name that the provider gave it, the in-type, and the out-type
// unless it is the in-type's own. A field of fields is a "struct". What else a
// source says follows, each behind a comma.
package tdh
