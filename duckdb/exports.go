package main

// #cgo CFLAGS: -I${SRCDIR}/include
// #include "bridge.h"
import "C"

import (
	"fmt"
	"runtime/cgo"
	"runtime/debug"
	"strings"
	"unsafe"

	"github.com/etl2parquet/etl2parquet/duckdb/views"
	"github.com/etl2parquet/etl2parquet/internal/engine/codes"
)

// guard calls f and reports its error or its panic, because a panic must not end the host.
func guard(report func(text *C.char), f func() error) {
	defer func() {
		if p := recover(); p != nil {
			fail(report, fmt.Sprintf("etl2parquet has a bug: %v\n%s", p, debug.Stack()))
		}
	}()
	if err := f(); err != nil {
		fail(report, err.Error())
	}
}

func fail(report func(*C.char), text string) {
	c := C.CString(strings.ReplaceAll(text, "\x00", `\x00`))
	defer C.free(unsafe.Pointer(c))
	report(c)
}

// goFunction returns the name and the parameters of a table function, or nil. Its caller
// frees them.
//
//export goFunction
func goFunction(id C.int, parameters **C.char) *C.char {
	if int(id) >= len(functions) {
		return nil
	}
	text := ""
	for _, name := range functions[id].parameters {
		text += name + "\x00"
	}
	*parameters = (*C.char)(C.CBytes([]byte(text + "\x00")))
	return C.CString(functions[id].name)
}

// goCodeFunction returns the name of a function that names status codes, or nil. Its caller
// frees it.
//
//export goCodeFunction
func goCodeFunction(id C.int) *C.char {
	systems := codes.Systems()
	if int(id) >= len(systems) {
		return nil
	}
	return C.CString(codes.FunctionName(systems[id]))
}

//export goNameCodes
func goNameCodes(info C.duckdb_function_info, id C.int, chunk C.duckdb_data_chunk, output C.duckdb_vector) {
	guard(func(text *C.char) { C.api_scalar_error(info, text) }, func() error {
		return nameCodes(codes.Systems()[id], chunk, output)
	})
}

//export goViews
func goViews() *C.char {
	return C.CString(views.SQL())
}

//export goBind
func goBind(info C.duckdb_bind_info, function C.int) (data C.uintptr_t) {
	guard(func(text *C.char) { C.api_bind_error(info, text) }, func() error {
		b, err := functions[function].bind(arguments{info})
		if err != nil {
			return err
		}
		b.declare(info)
		data = C.uintptr_t(cgo.NewHandle(b))
		return nil
	})
	return data
}

//export goInit
func goInit(info C.duckdb_init_info, bound C.uintptr_t) (data C.uintptr_t) {
	guard(func(text *C.char) { C.api_init_error(info, text) }, func() error {
		wanted := make([]int, C.api_column_count(info))
		for i := range wanted {
			wanted[i] = int(C.api_column_index(info, C.idx_t(i)))
		}
		s := newScan(cgo.Handle(bound).Value().(*binding), wanted)
		C.api_set_max_threads(info, C.idx_t(s.threads()))
		data = C.uintptr_t(cgo.NewHandle(s))
		return nil
	})
	return data
}

//export goLocalInit
func goLocalInit() C.uintptr_t { return C.uintptr_t(cgo.NewHandle(new(cursor))) }

//export goNext
func goNext(info C.duckdb_function_info, chunk C.duckdb_data_chunk, global, local C.uintptr_t) {
	guard(func(text *C.char) { C.api_function_error(info, text) }, func() error {
		s, c := cgo.Handle(global).Value().(*scan), cgo.Handle(local).Value().(*cursor)
		return c.fill(s, chunk)
	})
}

// closer is the data of a callback if it must be closed.
type closer interface{ close() }

//export goRelease
func goRelease(data C.uintptr_t) {
	guard(func(*C.char) {}, func() error {
		h := cgo.Handle(data)
		if c, ok := h.Value().(closer); ok {
			c.close()
		}
		h.Delete()
		return nil
	})
}
