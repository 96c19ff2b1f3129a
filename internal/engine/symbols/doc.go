// Package symbols names the functions at addresses of native code.
//
// A [Set] holds the symbols of a run: PDBs or, for images without one, the export tables of the
// images. A [Trace] gets the symbols for the images of one trace. It looks for the symbols of an
// image only when an address in it is looked up, once for all traces.
package symbols
