// Package find finds PDBs and images by their identity: in folders, in symbol stores, in a cache,
// and on symbol servers. It only accepts a file whose own identity matches.
//
// The places come from symbol paths, in the form that the debuggers of Windows read:
//
//	C:\symbols;srv*D:\cache*https://server/symbols;cache*E:\cache
//
// Nothing is fetched unless Options.Server allows it, whatever a path names. Nothing is written
// outside Options.Cache. The names of files come from traces and may be hostile: see baseName.
//
// A symbol store, and a server, has a file at name/id/name. The id of a PDB is its GUID without
// dashes and its age (%s%X); that of an image its time stamp and its size (%08X%x). The last
// character of the name of a compressed file is _. A store of three tiers has an index2.txt in
// its root, and the files one level deeper, at na/name/id/name. Source: the documentation of
// SymStore and of symbol servers in Debugging Tools for Windows, read in 2026; documented.
package find
