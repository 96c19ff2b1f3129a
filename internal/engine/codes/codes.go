// Package codes names status codes of Windows: HRESULT, NTSTATUS and Win32 errors.
//
// The names in codes.txt are from Microsoft's headers (winerror.h, ntstatus.h), by way of the Go project's
// module golang.org/x/sys, windows/zerrors_windows.go (BSD licence, see THIRD_PARTY_NOTICES).
package codes

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/schema"
)

// text has a line for each code, by system and code: the system, the code in hexadecimal, and its names, the best
// first.
//
//go:embed codes.txt
var text string

// facility is the system of HRESULT facilities.
const facility = "facility"

// Code is a code with its names, at least one.
type Code struct {
	Value uint32
	Names []string
}

// Systems returns the systems of codes, as units of columns name them.
func Systems() []schema.Unit {
	return []schema.Unit{schema.AsHResult, schema.AsNTStatus, schema.AsWin32Error}
}

var tables = sync.OnceValue(func() map[string][]Code {
	all := make(map[string][]Code)
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		n, err := strconv.ParseUint(words[1], 16, 32)
		if err != nil {
			panic("codes.txt: " + err.Error()) // a test reads it
		}
		all[words[0]] = append(all[words[0]], Code{uint32(n), words[2:]})
	}
	return all
})

// All returns the codes of a system, in ascending order. The caller must not change them.
func All(system schema.Unit) []Code { return tables()[string(system)] }

// Names returns the names of a code, the best first; nil if none is known.
func Names(system schema.Unit, code uint32) []string { return names(string(system), code) }

// Facility returns the names of the facility of an HRESULT.
func Facility(n uint32) []string { return names(facility, n) }

func names(system string, code uint32) []string {
	list := tables()[system]
	i, ok := slices.BinarySearchFunc(list, code, func(c Code, code uint32) int { return int(int64(c.Value) - int64(code)) })
	if !ok {
		return nil
	}
	return list[i].Names
}

// The HRESULTs that wrap codes of the other systems.
const (
	fromWin32     = 0x8007_0000 // HRESULT_FROM_WIN32: the error in the low 16 bits
	fromWin32Mask = 0xffff_0000
	fromNT        = 0x1000_0000 // FACILITY_NT_BIT, in an NTSTATUS
)

// Inner returns the code of another system that an HRESULT wraps; ok is false if it wraps none.
func Inner(hresult uint32) (system schema.Unit, code uint32, ok bool) {
	switch {
	case hresult&fromWin32Mask == fromWin32:
		return schema.AsWin32Error, hresult &^ fromWin32Mask, true
	case hresult&fromNT != 0:
		return schema.AsNTStatus, hresult &^ fromNT, true
	}
	return "", 0, false
}

// Found is a code that has a name.
type Found struct {
	System schema.Unit
	Code
}

// Name returns the best name of a code. If the code has none, it returns the name of the code that
// an HRESULT wraps, or "". The macros for DuckDB return the same.
func Name(system schema.Unit, code uint32) string {
	if names := Names(system, code); names != nil {
		return names[0]
	}
	if system == schema.AsHResult {
		if of, inner, ok := Inner(code); ok {
			return Name(of, inner)
		}
	}
	return ""
}

// Find returns the codes with a name. Case does not matter.
func Find(name string) (list []Found) {
	for _, system := range Systems() {
		for _, c := range All(system) {
			if slices.ContainsFunc(c.Names, func(n string) bool { return strings.EqualFold(n, name) }) {
				list = append(list, Found{system, c})
			}
		}
	}
	return list
}
