package explain

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/codes"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The parts of a status code. NTSTATUS and HRESULT have different facilities.
const (
	failure       = 0x8000_0000
	facilityShift = 16
	facilityMask  = 0x7ff
	lowCode       = 0xffff
)

// systemNames are the usual spellings of the systems of status codes.
var systemNames = map[schema.Unit]string{schema.AsHResult: "HRESULT", schema.AsNTStatus: "NTSTATUS", schema.AsWin32Error: "Win32 error"}

// statusSystem returns the kind that reads the codes of a system, as in "NTSTATUS
// 0xC0000022".
func statusSystem(word string) (kind string, ok bool) {
	for system, name := range systemNames {
		if strings.EqualFold(word, name) || strings.EqualFold(word, string(system)) || system == schema.AsWin32Error && strings.EqualFold(word, "win32") {
			return string(system), true
		}
	}
	return "", false
}

// readStatus reads the codes of a system. Any small number is a code, so it is read only on
// request.
func readStatus(system schema.Unit) func(*Explainer, *word) ([]Reading, error) {
	return func(_ *Explainer, w *word) ([]Reading, error) {
		return w.eachNumber(64, func(n uint64) (Reading, bool) {
			code, ok := statusCode(n)
			if !ok || !w.asked && code < failure {
				return Reading{}, false
			}
			return statusReading(string(system), system, code)
		})
	}
}

// statusCode converts a number to a code. The number may come from a signed column.
func statusCode(n uint64) (code uint32, ok bool) {
	return uint32(n), n>>32 == 0 || n>>31 == 1<<33-1
}

// statusReading explains a code; ok is false if no name is known.
func statusReading(as string, system schema.Unit, code uint32) (r Reading, ok bool) {
	names := codes.Names(system, code)
	var inner Fact
	if innerSystem, low, isInner := codes.Inner(code); system == schema.AsHResult && isInner {
		if innerNames := codes.Names(innerSystem, low); innerNames != nil {
			inner = Fact{Name: systemNames[innerSystem], Value: fmt.Sprintf("%#x (%d), %s", low, low, innerNames[0])}
			if names == nil {
				names = innerNames
			}
		}
	}
	if names == nil {
		return r, false
	}
	r = Reading{As: as, Meaning: fmt.Sprintf("%s %#08x, %s", systemNames[system], code, names[0])}
	r.Facts = append(r.Facts, Fact{Name: "number", Value: fmt.Sprintf("%#08x, %d, %d with a sign", code, code, int32(code))})
	for _, name := range names[1:] {
		r.Facts = append(r.Facts, Fact{Name: "also", Value: name})
	}
	if system == schema.AsHResult {
		facility := code >> facilityShift & facilityMask
		name := "no known name"
		if list := codes.Facility(facility); list != nil {
			name = list[0]
		}
		r.Facts = append(r.Facts, Fact{Name: "facility", Value: fmt.Sprintf("%d, %s", facility, name)}, Fact{Name: "code", Value: fmt.Sprintf("%#x (%d)", code&lowCode, code&lowCode)})
	}
	if inner.Name != "" {
		r.Facts = append(r.Facts, inner)
	}
	header := "winerror.h"
	if system == schema.AsNTStatus {
		header = "ntstatus.h"
	}
	r.Facts = append(r.Facts, Fact{Name: "source", Value: header + ", by golang.org/x/sys/windows"})
	return r, true
}

// statusesNamed finds the names of status codes.
func statusesNamed(_ *Explainer, name string) (list []Reading) {
	for _, found := range codes.Find(name) {
		r, _ := statusReading("name", found.System, found.Value)
		list = append(list, r)
	}
	return list
}
