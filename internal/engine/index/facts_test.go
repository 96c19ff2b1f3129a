package index_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// factsOf returns the entities in the tables for some kinds of fact.
var factsOf = map[index.Facts]func(*index.Index) []any{
	index.OwnerFacts: func(x *index.Index) []any {
		processes := slices.Clone(x.Tables().Processes)
		for i := range processes {
			processes[i].Path = "" // it may be that of an image
		}
		return []any{processes, x.Tables().Threads}
	},
	index.OwnerFacts | index.ImageFacts: func(x *index.Index) []any { return []any{x.Tables().Processes} },
	index.ImageFacts: func(x *index.Index) []any {
		images := slices.Clone(x.Tables().Images)
		for i := range images {
			images[i].Debug, images[i].Version = -1, -1
		}
		return []any{images}
	},
	index.VersionFacts:                    func(x *index.Index) []any { return []any{x.Tables().Versions} },
	index.ImageFacts | index.VersionFacts: func(x *index.Index) []any { return []any{x.Tables().Images, x.Tables().Debug} },
	index.FileFacts:                       func(x *index.Index) []any { return []any{x.Tables().Files} },
	index.MethodFacts:                     func(x *index.Index) []any { return []any{x.Tables().Methods, x.Tables().Modules, x.Tables().Texts()} },
	index.StackFacts: func(x *index.Index) []any {
		return []any{x.Tables().Stacks.Buffers(decode.MinTicks, decode.MaxTicks, nil)}
	},
}

// TestWithout checks that leaving out facts changes only their own tables.
func TestWithout(t *testing.T) {
	for _, path := range testenv.SharedTraces(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			whole := build(t, path, 0)
			for _, wanted := range []index.Facts{
				0, index.OwnerFacts, index.ImageFacts, index.ImageFacts | index.VersionFacts, index.FileFacts, index.StackFacts,
				index.OwnerFacts | index.MethodFacts, index.OwnerFacts | index.ImageFacts,
			} {
				x := build(t, path, index.AllFacts&^wanted)
				if diff := cmp.Diff(indextest.Summary(t, whole, path), indextest.Summary(t, x, path)); diff != "" {
					t.Errorf("with facts %b, the summary differs: %s", wanted, diff)
				}
				if got, want := x.Tables().Stacks.Any(), whole.Tables().Stacks.Any(); got != want {
					t.Errorf("with facts %b, the trace has stacks: %v, want %v", wanted, got, want)
				}
				for facts, of := range factsOf {
					if wanted&facts == facts && !reflect.DeepEqual(of(x), of(whole)) {
						t.Errorf("with facts %b, those of %b differ", wanted, facts)
					}
					if wanted&facts == 0 && !isEmpty(of(x)) {
						t.Errorf("with facts %b, there are those of %b", wanted, facts)
					}
				}
			}
		})
	}
}

func isEmpty(lists []any) bool {
	for _, list := range lists {
		if v := reflect.ValueOf(list); v.Kind() == reflect.Slice && v.Len() > 0 {
			return false
		}
	}
	return true
}

func build(t *testing.T, path string, without index.Facts) *index.Index {
	t.Helper()
	x, err := index.Build(t.Context(), decodetest.OpenFile(t, path), index.Options{Workers: 1, Without: without})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// TestKindID checks that events with one id are of one kind.
func TestKindID(t *testing.T) {
	for _, path := range testenv.SharedTraces(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			keys, ofKernel := make(map[decode.KindID]catalog.Key), make(map[uint64]catalog.Key)
			indextest.Each(t, decodetest.OpenFile(t, path), func(_ int, _ *decode.Buffer, ev *decode.Event) {
				var key catalog.Key
				key.Of(ev)
				var other catalog.Key
				var ok bool
				var id decode.KindID
				if kind, isKernel := ev.KernelKind(); isKernel {
					other, ok = ofKernel[kind]
					ofKernel[kind] = key
				} else if ev.KindID(&id) {
					other, ok = keys[id]
					keys[id] = key
				}
				if ok && other != key {
					t.Fatalf("%+v has the id of %+v", key, other)
				}
			})
		})
	}
}

// TestWritePartial checks that an index without some facts is not written.
func TestWritePartial(t *testing.T) {
	path := "../../../testdata/sample.etl"
	x, err := index.Build(t.Context(), decodetest.OpenFile(t, path), index.Options{Workers: 1, Without: index.FileFacts, Sums: true})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Write(t.Output(), 0); err == nil {
		t.Error("an index without files was written")
	}
}

// TestVersions checks that the version of a file is kept once, however many processes record it,
// and that the first of two records wins.
func TestVersions(t *testing.T) {
	const image = "system64 hook=0x030a ver=3 pid=1 tid=2 t=+1ms payload=u64:%#x|0x1000,u32:100|1|%d|0,u64:0,zero:16,str16:\"a.dll\"\n"
	version := func(stamp int, text string) string {
		return fmt.Sprintf("full64 guid=b3e675d7-2554-4f18-830b-2762732560de type=64 ver=0 t=+9ms payload=u32:0x1000|%d,str16:\"a.dll\",str16:\"\",str16:%q,"+
			"str16:\"\",str16:\"\",str16:\"\",str16:\"\",str16:\"\",str16:\"\",str16:\"\"\n", stamp, text)
	}
	x := indextest.Data(t, etltest.MustParse(t, "trace buffersize=0x10000\nbuffer cpu=0\n"+fmt.Sprintf(image, 0x10000, 7)+fmt.Sprintf(image, 0x20000, 8)+
		version(7, "1.0")+version(8, "2.0")+version(7, "1.1")+version(8, "2.1")+version(7, "1.0")))
	var got []string
	for _, m := range x.Tables().Images {
		got = append(got, x.Tables().Versions[m.Version].Version)
	}
	if want := []string{"1.0", "2.0"}; !slices.Equal(got, want) {
		t.Errorf("versions %q, want %q", got, want)
	}
	if n := len(x.Tables().Versions); n != 2 {
		t.Errorf("%d versions of two files", n)
	}
}
