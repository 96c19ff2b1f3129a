// Package symbols names the functions in which addresses of native code lie.
//
// A [Set] is what a run has of symbols: PDBs, and where there is none, the export tables
// of images. A [Trace] asks it for the images of one trace. Only the symbols of images in
// which an address lies are looked for, once for all traces.
package symbols
