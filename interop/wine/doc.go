// Package wine is for tests only. It runs the Windows program, and the tests of packages that
// use the file system, under Wine, and compares the program's output with that on Linux.
// Nothing here was run on Windows itself. Comments mark differences between Wine and
// Microsoft's documentation.
package wine
