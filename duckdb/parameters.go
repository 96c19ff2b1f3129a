package main

// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unsafe"

	"github.com/etl2parquet/etl2parquet/facts"
)

// The parameters of the functions, the positional one first.
const (
	pathParameter         = "path"
	nameParameter         = "name"
	fromParameter         = "from"
	toParameter           = "to"
	providerParameter     = "provider"
	eventParameter        = "event"
	processParameter      = "process"
	levelParameter        = "level"
	keywordParameter      = "keyword"
	payloadParameter      = "payload"
	messagesParameter     = "messages"
	manifestParameter     = "manifest"
	tmfParameter          = "tmf"
	catalogParameter      = "catalog"
	symbolsParameter      = "symbols"
	strictParameter       = "strict"
	ignoreErrorsParameter = "ignore_errors"
	filenameParameter     = "filename"
	timestampsParameter   = "timestamps"
)

// arguments are the arguments of a call.
type arguments struct{ info C.duckdb_bind_info }

// value is an argument. It must be destroyed.
type value struct{ v C.duckdb_value }

func (v value) destroy() { C.api_destroy_value(v.v) }

// get returns an argument; v.v is nil if a named argument is missing or NULL.
func (a arguments) get(name string) value {
	if name == pathParameter {
		return value{C.api_parameter(a.info, 0)}
	}
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	v := value{C.api_named_parameter(a.info, c)}
	if v.v != nil && bool(C.api_is_null(v.v)) {
		v.destroy()
		return value{}
	}
	return v
}

// errNUL is the error of a text with a NUL, at which C ends a text.
var errNUL = errors.New("the text has a character NUL")

// text returns a value as text.
func (v value) text() (string, error) {
	c := C.api_text(v.v)
	if c == nil {
		return "", errors.New("it cannot be read as text")
	}
	defer C.api_free(unsafe.Pointer(c))
	if C.api_value_type(v.v) == C.DUCKDB_TYPE_VARCHAR && bool(C.api_has_zero(v.v)) {
		return "", errNUL
	}
	return C.GoString(c), nil
}

// texts returns a value that is a text or a list of texts.
func (v value) texts(name string) ([]string, error) {
	if C.api_is_null(v.v) {
		return nil, fmt.Errorf("%s is NULL", name)
	}
	elements := []value{v}
	if C.api_value_type(v.v) == C.DUCKDB_TYPE_LIST {
		elements = nil
		for i := range int(C.api_list_size(v.v)) {
			e := value{C.api_list_child(v.v, C.idx_t(i))}
			defer e.destroy()
			elements = append(elements, e)
		}
	}
	var list []string
	for _, e := range elements {
		if C.api_is_null(e.v) {
			return nil, fmt.Errorf("%s has an element that is NULL", name)
		}
		text, err := e.text()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, text)
	}
	return list, nil
}

// texts returns an argument that is a text or a list of texts.
func (a arguments) texts(name string) ([]string, error) {
	v := a.get(name)
	if v.v == nil {
		return nil, nil
	}
	defer v.destroy()
	return v.texts(name)
}

// text returns an argument that is one text, or "" if it is missing.
func (a arguments) text(name string) (string, error) {
	list, err := a.texts(name)
	switch {
	case err != nil:
		return "", err
	case len(list) > 1:
		return "", fmt.Errorf("%s is a list, and takes one value", name)
	case len(list) == 0:
		return "", nil
	}
	return list[0], nil
}

// flag returns an argument that is true or false, by default false.
func (a arguments) flag(name string) (bool, error) {
	return choice(a, name, []string{"false", "true"}, []bool{false, true})
}

// timeBound returns an argument that is a timestamp, or a text as for the program's flags.
func (a arguments) timeBound(name string) (facts.TimeBound, error) {
	v := a.get(name)
	if v.v == nil {
		return facts.TimeBound{}, nil
	}
	defer v.destroy()
	text, err := v.text()
	if err != nil {
		return facts.TimeBound{}, fmt.Errorf("%s: %w", name, err)
	}
	if text == "" {
		return facts.TimeBound{}, fmt.Errorf("%s is an empty text", name)
	}
	switch C.api_value_type(v.v) {
	case C.DUCKDB_TYPE_TIMESTAMP, C.DUCKDB_TYPE_TIMESTAMP_TZ:
		return facts.AtTime(time.UnixMicro(int64(C.api_micros(v.v)))), nil
	case C.DUCKDB_TYPE_TIMESTAMP_S, C.DUCKDB_TYPE_TIMESTAMP_MS, C.DUCKDB_TYPE_TIMESTAMP_NS:
		text = strings.Replace(text, " ", "T", 1) + "Z"
	case C.DUCKDB_TYPE_INTERVAL: // its text would be mistaken for a time of day
		return facts.TimeBound{}, fmt.Errorf("%s: an interval is not a time; give seconds since the start as a number", name)
	}
	bound, err := facts.ParseTimeBound(text)
	if err != nil {
		return bound, fmt.Errorf("%s: %w", name, err)
	}
	return bound, nil
}

// choice returns the value for an argument that is one of some words, by default the first.
func choice[T any](a arguments, name string, words []string, values []T) (T, error) {
	text, err := a.text(name)
	if err != nil || text == "" {
		return values[0], err
	}
	for i, word := range words {
		if strings.EqualFold(word, text) {
			return values[i], nil
		}
	}
	return values[0], fmt.Errorf("%s: %q is none of %s", name, text, strings.Join(words, ", "))
}
