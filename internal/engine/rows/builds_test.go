package rows

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/catalogtest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestBuilds checks payloads that do not fit the form of the trace's build. If another build's form
// fits exactly, it decodes the payload, and the table problems reports it. If none fits, the
// payload has the form of the trace's build, and keeps the undecoded rest.
func TestBuilds(t *testing.T) {
	id := catalogtest.GUID(1)
	form := func(build int, names ...string) packed.Event {
		s := &schema.Schema{Source: schema.FromCatalog, ID: 7, Event: schema.Event{GUID: id, Class: "P", Name: "E", Certainty: schema.Documented}}
		for _, name := range names {
			s.Fields = append(s.Fields, schema.Field{Name: name, Original: name, Kind: schema.U16})
		}
		return packed.Event{Schema: s, Builds: []int{build}}
	}
	data, err := packed.Pack([]packed.Provider{{GUID: id, Name: "P", Events: []packed.Event{form(19041, "a"), form(22000, "a", "b"), form(26100, "a", "b", "c")}}}, []int{19041, 22000, 26100})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "my.catalog")
	testenv.WriteFile(t, path, data)
	files := indextest.OpenFiles(t, nil, nil)
	if err := files.AddCatalogs([]string{path}); err != nil {
		t.Fatal(err)
	}
	event := func(payload string) string {
		return "event64 provider=" + id.String() + " id=7 t=+1ms payload=" + payload + "\n"
	}
	trace := etltest.MustParse(t, "trace build=22631 buffersize=4096\nbuffer cpu=0\n"+
		event("u16:1|2")+event("u16:3|4|5")+event("u16:3|4|6")+event("u16:6")+event("u16:7|8")+event("u16:9|10|11|12"))
	got := dumpPayloads(t, indextest.With(t, bytes.NewReader(trace), int64(len(trace)), files))
	for _, want := range []string{
		"row 0\n", "    a=1\n    b=2\n",
		"    a=3\n    b=4\n    c=5\n", "    a=3\n    b=4\n    c=6\n",
		"    a=6\n",
		"    a=7\n    b=8\n",
		"    a=9\n    b=10\n    payload_rest=hex:0b000c00\n",
		"other_build, 2 times, first at 1:0xa0", "fit that of builds 26100,", "other_build, 1 times, first at 1:0x150", "fit that of builds 19041,",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
