package symbols

import (
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/microsoft"
)

// Bounds on hostile names. Larger names are returned as they are.
const (
	maxDecorated = 1 << 15
	maxTextBits  = 16
)

const importPrefix = "__imp_" // of the address of an imported function

// readableName turns the name of a symbol into the one that profilers show: qualified, with template
// arguments, without results, parameters and calling conventions. It reads the names of Microsoft's C++,
// of Itanium C++ (MinGW), of Rust, and the decorated names of C on x86, and returns others as they are.
// A pointer to an imported function keeps its prefix, because it is not the function.
func readableName(symbol string) string {
	if len(symbol) > maxDecorated || symbol == "" {
		return symbol
	}
	if imported, ok := strings.CutPrefix(symbol, importPrefix); ok {
		return importPrefix + plainName(imported)
	}
	return plainName(symbol)
}

func plainName(symbol string) string {
	if strings.HasPrefix(symbol, "?") || strings.HasPrefix(symbol, ".?") {
		if name, ok := microsoft.Name(symbol); ok {
			return name
		}
		return symbol
	}
	if name, ok := itanium(symbol, nameOnly...); ok {
		return name
	}
	return nameOfC(symbol)
}

// nameOnly leaves the parameters out, and the suffixes of clones such as .cold.
var nameOnly = []demangle.Option{demangle.NoParams, demangle.NoEnclosingParams, demangle.NoClones}

// itanium reads a symbol of Itanium C++ or Rust. On x86 it has one more underscore.
func itanium(symbol string, options ...demangle.Option) (string, bool) {
	s := symbol
	if strings.HasPrefix(s, "__") {
		s = s[1:]
	}
	isRust := strings.HasPrefix(s, "_R")
	if len(s) > maxDecorated || !isRust && !strings.HasPrefix(s, "_Z") {
		return "", false
	}
	if isRust { // in Rust names a dot does not mark a clone, so NoClones does not apply
		s, _, _ = strings.Cut(s, ".")
	}
	text, err := demangle.ToString(s, append(slices.Clone(options), demangle.LLVMStyle, demangle.MaxLength(maxTextBits))...)
	return text, err == nil && text != ""
}

// nameOfC returns the name of a C function with a calling convention of x86: _name@8 (stdcall),
// @name@8 (fastcall), name@@8 (vectorcall). The name of an ARM64EC function begins with #. Other
// names are returned as they are: the underscore that cdecl adds cannot be distinguished from one
// that belongs to the name.
func nameOfC(symbol string) string {
	if name, ok := strings.CutPrefix(symbol, "#"); ok && name != "" {
		return name
	}
	at := strings.LastIndexByte(symbol, '@')
	if at < 1 || !isSize(symbol[at+1:]) {
		return symbol
	}
	name := symbol[:at]
	switch {
	case name[0] == '_' || name[0] == '@':
		name = name[1:]
	case name[len(name)-1] == '@':
		name = name[:len(name)-1]
	default:
		return symbol
	}
	if name == "" || strings.ContainsAny(name, "@") {
		return symbol
	}
	return name
}

// isSize reports whether a text is the decimal size of some parameters.
func isSize(text string) bool {
	if text == "" || len(text) > 5 {
		return false
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
