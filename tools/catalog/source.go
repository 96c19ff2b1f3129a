package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ulikunitz/xz"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// sourceProvider is a line of providers.jsonl.xz. Its README says what each key means.
type sourceProvider struct {
	GUID       string            `json:"guid"`
	Name       string            `json:"name"`
	OtherNames []string          `json:"other_names"`
	Keywords   map[string]string `json:"keywords"` // name by mask
	Tasks      map[string]string `json:"tasks"`    // name by value
	Opcodes    map[string]string `json:"opcodes"`  // value by Task/Opcode, or /Opcode
	Events     []sourceEvent     `json:"events"`
}

type sourceEvent struct {
	ID      uint16       `json:"id"`
	Version uint8        `json:"version"`
	Forms   []sourceForm `json:"forms"`
}

type sourceForm struct {
	Builds   []int                `json:"builds"`
	Task     string               `json:"task"`
	Opcode   string               `json:"opcode"`
	Level    string               `json:"level"`
	Symbol   string               `json:"symbol"`
	Keywords []string             `json:"keywords"`
	Fields   []sourceField        `json:"fields"`
	Maps     map[string]sourceMap `json:"maps"`
	Full     int                  `json:"full"` // 1: missing lengths, counts and out-types do not exist
}

type sourceField struct {
	Name         string        `json:"n"`
	Type         string        `json:"t"`
	Out          string        `json:"o"`
	Map          string        `json:"m"`
	Count        amount        `json:"c"`
	Length       amount        `json:"l"`
	Members      []sourceField `json:"f"`  // of a structure
	IsStructure  int           `json:"s"`  // 1: perhaps a structure, with unstated members
	IsBare       int           `json:"g"`  // 1: not stated whether it is an array
	LikelyOut    string        `json:"oh"` // the out-type that all fields of this name have
	LikelyLength int           `json:"lh"` // the length that fields of this name have elsewhere
	LikelyFields []sourceField `json:"fh"` // the members that structures of this name have elsewhere
}

// unstatedLength is the length of a binary value that is only known to be constant.
const unstatedLength = "?"

// amount is a count or length: a number, or the name of an earlier field.
type amount struct {
	number int
	field  string
}

func (a *amount) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &a.number) == nil {
		return nil
	}
	if err := json.Unmarshal(text, &a.field); err != nil {
		return err
	}
	if n, err := strconv.Atoi(a.field); err == nil {
		*a = amount{number: n}
	}
	return nil
}

// sourceMap is ["values", {"0x1": "label"}], or "bits" instead.
type sourceMap struct {
	bits   bool
	labels map[string]string
}

func (m *sourceMap) UnmarshalJSON(text []byte) error {
	var kind string
	if err := json.Unmarshal(text, &[]any{&kind, &m.labels}); err != nil {
		return err
	}
	m.bits = kind == "bits"
	if !m.bits && kind != "values" {
		return fmt.Errorf("a map of %q", kind)
	}
	return nil
}

// values returns the map as names of numbers.
func (m *sourceMap) values(name string) (*schema.Values, error) {
	v := &schema.Values{Name: name, Flags: m.bits}
	for text, label := range m.labels {
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("map %s: %w", name, err)
		}
		if label != "" {
			v.Names = append(v.Names, schema.ValueName{Value: n, Name: label})
		}
	}
	slices.SortFunc(v.Names, func(a, b schema.ValueName) int { return cmp.Compare(a.Value, b.Value) })
	return v, nil
}

// readProviders reads providers.jsonl.xz.
func readProviders(folder string) ([]sourceProvider, error) {
	file, err := os.Open(filepath.Join(folder, "providers.jsonl.xz"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := xz.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, err
	}
	var list []sourceProvider
	for lines := json.NewDecoder(text); ; {
		var p sourceProvider
		switch err := lines.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("provider %d: %w", len(list)+1, err)
		}
		list = append(list, p)
	}
}

// readClassic reads classic-providers.tsv: the names of the providers of classic GUIDs.
func readClassic(folder string) (list []packed.Provider, err error) {
	err = readTable(filepath.Join(folder, "classic-providers.tsv"), 2, func(id schema.GUID, columns []string) error {
		list = append(list, packed.Provider{GUID: id, Name: columns[1]})
		return nil
	})
	return list, err
}

// readNames reads provider-names.tsv: names of further providers, and of components, which log WPP
// messages or classic events under their GUIDs.
func readNames(folder string) (list []packed.Provider, err error) {
	err = readTable(filepath.Join(folder, "provider-names.tsv"), 4, func(id schema.GUID, columns []string) error {
		p := packed.Provider{GUID: id, Name: columns[1]}
		switch columns[2] {
		case "component":
			p.IsComponent = true
		case "provider":
		default:
			return fmt.Errorf("%s is a %q", columns[1], columns[2])
		}
		if columns[3] != "" {
			p.OtherNames = strings.Split(columns[3], " / ")
		}
		list = append(list, p)
		return nil
	})
	return list, err
}

// readTable reads a table whose first column has GUIDs, with or without a header.
func readTable(path string, columns int, add func(schema.GUID, []string) error) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		values := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if values[0] == "guid" {
			continue
		}
		id, err := schema.ParseGUID(values[0])
		if err == nil && len(values) != columns {
			err = fmt.Errorf("%d columns, not %d", len(values), columns)
		}
		if err == nil {
			err = add(id, values)
		}
		if err != nil {
			return fmt.Errorf("%s: %q: %w", path, line, err)
		}
	}
	return nil
}
