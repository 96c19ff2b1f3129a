package rows

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// userTrace is a decoded trace, whose events the user's files may describe.
type userTrace struct {
	x    *index.Index
	rows []row              // of all events, in their order
	of   map[TableID]Filler // the filler of each table
}

// newUserTrace decodes a trace that fits one slab.
func newUserTrace(t testing.TB, trace []byte, files *catalog.Files) *userTrace {
	t.Helper()
	f := decodetest.Open(t, trace)
	x, err := index.Build(context.Background(), f, index.Options{Workers: 2, Schemas: files, Messages: catalog.MessagesAll})
	if err != nil {
		t.Fatal(err)
	}
	u := &userTrace{x: x, of: make(map[TableID]Filler)}
	ctx := newContext(x, PayloadUndecoded)
	ctx.fields = true
	var g Gathered
	p := wholePlan(x)
	if _, ok, err := g.Gather(x, p, slabs.Whole(), nil); err != nil || !ok {
		t.Fatal(ok, err)
	}
	for id, filler := range g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) }) {
		if filler == nil {
			continue
		}
		if err := filler.start().batch.Check(); err != nil {
			t.Fatal(err)
		}
		u.of[TableID(id)] = filler
	}
	for i := range g.Entries {
		e := &g.Entries[i]
		var r row
		ctx.file.Event(&r.Event, g.bytes(e), e.header)
		finder := &catalog.Finder{Catalog: ctx.Catalog}
		r.complete(ctx, finder, finder.Find(&r.Event), new(extendedItems))
		u.rows = append(u.rows, r)
	}
	u.checkFields(t)
	return u
}

// checkFields compares the JSON of each event with the columns of its table.
func (u *userTrace) checkFields(t testing.TB) {
	t.Helper()
	next := make(map[TableID]int)
	for i := range u.rows {
		r := &u.rows[i]
		id := TableID(r.Family)
		header := u.of[id].start()
		text := ""
		if fields := header.batch.OptionalColumn(schema.FieldsColumn); fields != nil && fields.Has(next[id]) {
			text = string(bytesAt(header.batch, fields, valueIndex(fields, next[id])))
		}
		next[id]++
		if (r.Literal.Event != nil) != (text != "") {
			t.Fatalf("event %d: described: %t, JSON %q", i, r.Literal.Event != nil, text)
		}
		if text == "" {
			continue
		}
		var object map[string]any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&object); err != nil || d.More() {
			t.Fatalf("event %d: %v: %s", i, err, text)
		}
		if r.Literal.Table == nil {
			continue
		}
		id = payloadTable(r.Literal.Table)
		p := u.of[id].(*payloadRows)
		at := next[id]
		next[id]++
		known := make(map[string]bool)
		for _, c := range r.Literal.Table.Table.PayloadColumns() {
			key := r.Literal.Table.Table.FieldKey(c.Name)
			if known[key] {
				t.Fatalf("event %d: two columns have the key %s", i, key)
			}
			known[key] = true
			compareJSON(t, p.batch, p.batch.Column(c.Name), at, object[key])
		}
		for key := range object {
			if !known[key] {
				t.Fatalf("event %d: JSON has %s, but the table has no column for it", i, key)
			}
		}
	}
}

// valueIndex returns the index of a row's value in a column; the row must have one.
func valueIndex(c *columns.Column, row int) int {
	if !c.Spec.Nullable {
		return row
	}
	n := 0
	for before := range row {
		if c.Has(before) {
			n++
		}
	}
	return n
}

// compareJSON compares a row's value in a column with the value in JSON.
func compareJSON(t testing.TB, b *columns.Batch, c *columns.Column, row int, got any) {
	t.Helper()
	name := c.Spec.Name
	if !c.Has(row) {
		if got != nil {
			t.Fatalf("%s is NULL, and %v in JSON", name, got)
		}
		return
	}
	value := valueIndex(c, row)
	if !c.Spec.List {
		compareElement(t, b, c, value, got)
		return
	}
	list, ok := got.([]any)
	from := uint32(0)
	if value > 0 {
		from = c.Lists[value-1]
	}
	if n := int(c.Lists[value] - from); !ok || len(list) != n {
		t.Fatalf("%s has %d values, JSON %v", name, n, got)
	}
	for i := range list {
		compareElement(t, b, c, int(from)+i, list[i])
	}
}

func compareElement(t testing.TB, b *columns.Batch, c *columns.Column, at int, got any) {
	t.Helper()
	if c.Spec.Type == schema.Struct {
		object, ok := got.(map[string]any)
		if !ok {
			t.Fatalf("%s is a structure, JSON %v", c.Spec.Name, got)
		}
		for i := range c.Members {
			compareJSON(t, b, &c.Members[i], at, object[c.Members[i].Spec.Name])
		}
		return
	}
	var want string
	switch c.Spec.Type {
	case schema.Uint64:
		want = strconv.FormatUint(uint64(c.Ints[at]), 10)
	case schema.Binary:
		want = hex.EncodeToString(bytesAt(b, c, at))
	case schema.String:
		want = string(bytesAt(b, c, at))
	case schema.Timestamp:
		want = strconv.FormatInt(c.Ints[at], 10)
		if when, err := time.Parse(time.RFC3339Nano, fmt.Sprint(got)); err == nil {
			got = strconv.FormatInt(when.UnixMicro(), 10)
		}
	case schema.Float, schema.Double:
		want = elementText(b, c, at)
		if n, ok := got.(json.Number); ok {
			bits := 64
			if c.Spec.Type == schema.Float {
				bits = 32
			}
			v, err := strconv.ParseFloat(string(n), bits)
			if err != nil {
				t.Fatalf("%s: %v", c.Spec.Name, err)
			}
			got = strconv.FormatFloat(v, 'g', -1, bits)
		}
	default:
		want = elementText(b, c, at)
	}
	if fmt.Sprint(got) != want {
		t.Fatalf("%s is %q, and %q in JSON", c.Spec.Name, want, got)
	}
}

// TestUserEvents checks the events of providers: the names of their kinds, the columns of their
// payloads, and the columns of their header tables that depend on payloads.
func TestUserEvents(t *testing.T) {
	paths, err := filepath.Glob("testdata/user/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d goldens: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			data := testenv.ReadFile(t, path)
			a := indextest.ParseArchive(string(data))
			files := a.SchemaFiles(t)
			u := newUserTrace(t, etltest.MustParse(t, a.Files["trace"]), files)
			var text strings.Builder
			u.dump(t, &text)
			for _, err := range files.Errors() {
				fmt.Fprintf(&text, "file: %s\n", err)
			}
			head, _, _ := strings.Cut(string(data), indextest.ExpectMark)
			indextest.CompareGolden(t, path, head+indextest.ExpectMark, a.Files["expect"], text.String())
		})
	}
}

// shownHeaders are the columns of headers that depend on the decoded payload.
var shownHeaders = []string{"event_name", "event_tags", "payload", "level_name", "function_name", "source", "message", "fields"}

func (u *userTrace) dump(t testing.TB, text *strings.Builder) {
	t.Helper()
	types := fixed.EventTypes(u.x)
	dumpSome(text, types, func(row int, name string) bool {
		return !slices.Contains([]string{"first_event", "last_event"}, name)
	})
	ids := make([]TableID, 0, len(u.of))
	for id := range u.of {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		b := u.of[id].start().batch
		dumpSome(text, b, func(_ int, name string) bool {
			if !b.Table.IsPayload() {
				return slices.Contains(shownHeaders, name)
			}
			common := slices.Concat(schema.CommonColumns(), schema.EventColumns())
			isCommon := slices.ContainsFunc(common, func(c schema.Column) bool { return c.Name == name })
			return !isCommon || name == "event_name" || name == "provider_name"
		})
		if p, ok := u.of[id].(*payloadRows); ok {
			for _, m := range p.takeProblems() {
				fmt.Fprintf(text, "  %s\n", problemText(&m.problem))
			}
		}
	}
	for _, p := range u.x.Problems.All() {
		fmt.Fprintf(text, "%s\n", problemText(&p))
	}
}

// maxShown bounds the length of values in goldens: long records that describe events are already in
// the traces.
const maxShown = 400

// dumpSome writes some columns of a batch, without nulls and without the trace header event.
func dumpSome(text *strings.Builder, b *columns.Batch, shown func(row int, name string) bool) {
	rows := make([]string, b.Rows)
	for i := range b.Columns {
		for row, value := range shownTexts(b, &b.Columns[i]) {
			if name := b.Columns[i].Spec.Name; value != "" && shown(row, name) {
				if len(value) > maxShown && b.Columns[i].Spec.Type != schema.Struct {
					value = fmt.Sprintf("%s... (%d characters)", value[:maxShown/8], len(value))
				}
				rows[row] += fmt.Sprintf("    %s=%s\n", name, value)
			}
		}
	}
	name := b.Table.Name
	for row, values := range rows {
		if strings.Contains(values, `"Header"`) || strings.Contains(values, "events/EventTrace/Header") || strings.HasPrefix(b.Table.Name, "events/EventMetadata/") {
			continue
		}
		if name != "" {
			fmt.Fprintf(text, "%s\n", name)
			name = ""
		}
		fmt.Fprintf(text, "  row %d\n%s", row, values)
	}
}
