package report

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// MaxPage is the number of bytes that a page stays below.
const MaxPage = 3_000_000

//go:embed assets
var assets embed.FS

// scripts are the parts of the page's script, in their order.
var scripts = []string{"base.js", "time.js", "flame.js", "tables.js", "compare.js", "main.js"}

// asset returns a file of the page.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// page returns a page with data.
func page(d *document) ([]byte, error) {
	packed, err := pack(d)
	if err != nil {
		return nil, err
	}
	var script strings.Builder
	script.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range scripts {
		script.WriteString(asset(name))
	}
	script.WriteString("})();\n")
	style := asset("page.css")
	policy := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'", hashOf(script.String()), hashOf(style))
	return []byte(strings.NewReplacer("{{policy}}", policy, "{{style}}", style, "{{script}}", script.String(), "{{data}}", packed).Replace(asset("page.html"))), nil
}

// hashOf returns the hash of a text in a policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// emptyLists gives all lists without elements an empty slice, in place of nil, which JSON has as null: the page's script
// takes each list for one.
func emptyLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			emptyLists(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			emptyLists(v.Field(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		if kind := v.Type().Elem().Kind(); kind == reflect.Struct || kind == reflect.Slice {
			for i := range v.Len() {
				emptyLists(v.Index(i))
			}
		}
	}
}

// pack returns data as JSON, compressed with zlib, in base64: no letter of it is markup.
func pack(d *document) (string, error) {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err != nil {
		return "", err
	}
	emptyLists(reflect.ValueOf(d))
	e := json.NewEncoder(z)
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
