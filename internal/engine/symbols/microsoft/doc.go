// Package microsoft reads the names that Microsoft's C++ compilers, and Clang for Windows, give
// to symbols: ?push@?$Stack@H@@QEAAXH@Z is Stack<int>::push.
//
// A decorated name is, in the order of its characters:
//
//	?                   a C++ name
//	push@               the innermost name; ?0 for a constructor, ?H for operator+, ...
//	?$Stack@H@ ... @    the scopes around it, from the innermost to the outermost
//	3                   a variable: 0 to 2 static member, 3 global, 4 static in a function
//	Q                   or a function: its access, kind, and what a thunk adjusts
//	E A                 attributes and qualifiers of this
//	A                   calling convention
//	X H@ Z              result, parameters, exception specification
//
// Names and types that were mentioned before are written as one digit: the first ten names of a
// decorated name (a list for each template instantiation), and the first ten parameter types
// longer than a character. Numbers are a digit, one less than their value, or digits A to P and
// @; ? is their sign.
//
// Microsoft never documented the form. This package is based on the output of Clang, and tested
// against llvm-undname.
package microsoft
