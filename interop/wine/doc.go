// Package wine is for tests only: it runs the Windows program under Wine, and
// the tests of packages that meet the file system, and compares the program's
// output with that on Linux. Nothing here was run on Windows itself. Where Wine
// and Microsoft's documentation differ, a comment says so.
package wine
