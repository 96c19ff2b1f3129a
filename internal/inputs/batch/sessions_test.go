package batch

import (
	"archive/zip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// The traces of one .diagsession.
const (
	mergedTrace = "diaghub"
	kernelTrace = "diaghub.kernel.1"
	userTrace   = "diaghub.user_paged.1"
)

// convertFiles converts files into a new dataset, and returns the bytes of its Parquet files by
// path.
func convertFiles(t *testing.T, sessions bool, workers int, bundling Bundling, paths ...string) map[string][]byte {
	t.Helper()
	root := t.TempDir()
	in := inputs.Find(paths, nil, nil, func(name string, err error) { t.Errorf("%s: %v", name, err) })
	c := &Conversion{
		Options: &bundle.Options{Options: pipeline.Options{Workers: workers, Memory: pipeline.DefaultMemory, TempDir: t.TempDir()}}, Inputs: in,
		Reader:   &inputs.Reader{Options: archive.Options{TempDir: t.TempDir(), Space: archive.NewSpace(1 << 30)}, Progress: inputs.NewProgress(len(in.Files), in.Size())},
		Bundling: bundling, Siblings: sessions, Traces: workers,
		Done: func(r *Result) {
			if r.Err != nil {
				t.Errorf("%s: %v", r.Name, r.Err)
			}
		},
		Warn: func(name string, err error) { t.Errorf("%s: %v", name, err) },
	}
	if err := c.Run(t.Context(), store.NewFolder(root), func() {}); err != nil {
		t.Fatal(err)
	}
	for _, s := range c.sessions.list {
		if s.kept {
			t.Error("a session keeps unpacked traces after the run")
		}
	}
	files := make(map[string][]byte)
	for path, contents := range testenv.Files(t, root) {
		if strings.HasSuffix(path, ".parquet") {
			files[path] = []byte(contents)
		}
	}
	return files
}

// TestSessionNames converts the traces of one recording together: the images that one of them
// lists name the modules in the stacks of another. Frames in no image of the trace itself are in
// its own methods, or in images of the other trace.
func TestSessionNames(t *testing.T) {
	paths := tracePaths(t, mergedTrace, kernelTrace, userTrace)
	apart := convertFiles(t, false, 3, Bundling{Mode: BundleNever}, paths...)
	together := convertFiles(t, true, 3, Bundling{Mode: BundleNever}, paths...)
	images := imagesOf(t, apart["images/"+kernelTrace+".parquet"])
	before, after := framesOf(t, apart, userTrace), framesOf(t, together, userTrace)
	inMethods, inImages, named, all := 0, 0, 0, 0
	for i, f := range before {
		if f.function == "" && f.module != "" {
			if after[i].module != f.module {
				t.Errorf("frame %d: module %q, and %q without siblings", i, after[i].module, f.module)
			}
			continue
		}
		all++
		switch {
		case f.function != "":
			inMethods++
		case images.has(f):
			inImages++
		}
		if after[i].module != "" || after[i].function != "" {
			named++
		}
	}
	if all != 7832 || inMethods != 2153 || inImages != 5679 || named != all {
		t.Errorf("of %d frames outside of the trace's images, %d lie in its methods and %d in images of the sibling, and %d have names with it; want 7832, 2153, 5679 and all", all, inMethods, inImages, named)
	}
	onlySibling := 0
	for _, row := range parquettest.Rows(t, together["images/"+userTrace+".parquet"]) {
		if strings.Contains(row["known_from"], "sibling") {
			onlySibling++
		}
	}
	if onlySibling == 0 {
		t.Error("no image says that only siblings know it")
	}
	row := parquettest.Rows(t, together["traces/"+userTrace+".parquet"])[0]
	if got := strings.Fields(row["siblings"]); len(got) != 2 || !slices.Contains(got, kernelTrace+".etl") || !slices.Contains(got, mergedTrace+".etl") {
		t.Errorf("siblings %q", row["siblings"])
	}
}

// TestSessionEvents checks that a session changes only names in the rows of events, and process ids
// found through threads.
func TestSessionEvents(t *testing.T) {
	paths := tracePaths(t, mergedTrace, kernelTrace, userTrace)
	apart := convertFiles(t, false, 3, Bundling{Mode: BundleNever}, paths...)
	together := convertFiles(t, true, 3, Bundling{Mode: BundleNever}, paths...)
	attributed := []string{"process_id", "process_name", "thread_name", "file_name", "modules", "offsets", "stack_id"}
	for path, data := range apart {
		if table, _, _ := strings.Cut(path, "/"); !strings.HasSuffix(table, "_header") && table != "events" && table != "stacks" {
			continue
		}
		with := parquettest.Sums(t, together[path])
		for column, sum := range parquettest.Sums(t, data) {
			if name, _, _ := strings.Cut(column, "."); with[column] != sum && !slices.Contains(attributed, name) {
				t.Errorf("%s: %s differs", path, column)
			}
		}
	}
}

// TestSessionBytes converts the traces of a session in several orders, with several workers, and
// from archives: the bytes of the files are the same.
func TestSessionBytes(t *testing.T) {
	paths := tracePaths(t, mergedTrace, kernelTrace, userTrace)
	want := convertFiles(t, true, 1, Bundling{Mode: BundleNever}, paths...)
	for _, workers := range []int{16, 3}[:testenv.Times(t, 1, 2, 2, 2)] {
		slices.Reverse(paths)
		sameFiles(t, want, convertFiles(t, true, workers, Bundling{Mode: BundleNever}, paths...))
	}
	session := filepath.Join(t.TempDir(), "x.diagsession")
	pack(t, session, paths)
	sameFiles(t, want, convertFiles(t, true, 2, Bundling{Mode: BundleNever}, session))

	alone := tracePaths(t, "gcevents")
	sameFiles(t, convertFiles(t, false, 2, Bundling{Mode: BundleNever}, alone...), convertFiles(t, true, 2, Bundling{Mode: BundleNever}, alone...))
	bundle := Bundling{Mode: BundleSmaller, Bytes: 1 << 30}
	sameFiles(t, convertFiles(t, true, 1, bundle, paths...), convertFiles(t, true, 3, bundle, paths...))
}

func tracePaths(t *testing.T, names ...string) []string {
	t.Helper()
	for i, name := range names {
		names[i] = testenv.Shared(t, "traces/"+name+".etl")
	}
	return names
}

func sameFiles(t *testing.T, want, got map[string][]byte) {
	t.Helper()
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Error(diff)
	}
	for path, data := range want {
		if string(got[path]) != string(data) {
			t.Errorf("%s differs", path)
		}
	}
}

// pack makes a zip of files, compressed.
func pack(t *testing.T, path string, files []string) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	for _, name := range files {
		data := testenv.ReadFile(t, name)
		w, err := z.Create(filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// frame is a frame of a stack.
type frame struct {
	process          int64
	address          uint64
	module, function string
}

// framesOf returns the frames of the stacks of a trace's events.
func framesOf(t *testing.T, files map[string][]byte, trace string) []frame {
	t.Helper()
	data := files["stacks/"+trace+".parquet"]
	processes, ids := valuesOf(t, data, "process_id"), valuesOf(t, data, "stack_id")
	modules, functions := valuesOf(t, data, "modules.list.element"), valuesOf(t, data, "functions.list.element")
	stacks := make(map[int64][]frame)
	row := -1
	for i, v := range valuesOf(t, data, "addresses.list.element") {
		if v.RepetitionLevel() == 0 {
			row++
		}
		process := int64(-1)
		if !processes[row].IsNull() {
			process = processes[row].Int64()
		}
		id := ids[row].Int64()
		stacks[id] = append(stacks[id], frame{process, v.Uint64(), modules[i].String(), functions[i].String()})
	}
	var frames []frame
	for _, id := range valuesOf(t, files["stack_events/"+trace+".parquet"], "stack_id") {
		frames = append(frames, stacks[id.Int64()]...)
	}
	return frames
}

// valuesOf returns the values of a column, by its path.
func valuesOf(t *testing.T, data []byte, column string) []parquet.Value {
	t.Helper()
	f := parquettest.Open(t, data)
	var values []parquet.Value
	for i, leaf := range f.Schema().Columns() {
		if strings.Join(leaf, ".") != column {
			continue
		}
		for _, group := range f.RowGroups() {
			parquettest.EachValue(t, group.ColumnChunks()[i], func(v parquet.Value) { values = append(values, v.Clone()) })
		}
	}
	if values == nil {
		t.Fatalf("no column %s", column)
	}
	return values
}

// imageList is images by process.
type imageList map[int64][][2]uint64

func imagesOf(t *testing.T, data []byte) imageList {
	t.Helper()
	images := make(imageList)
	bases, sizes := valuesOf(t, data, "image_base"), valuesOf(t, data, "image_size")
	for i, process := range valuesOf(t, data, "process_id") {
		images[process.Int64()] = append(images[process.Int64()], [2]uint64{bases[i].Uint64(), sizes[i].Uint64()})
	}
	return images
}

// has reports whether a frame lies in an image of its process or of the kernel.
func (l imageList) has(f frame) bool {
	in := func(m [2]uint64) bool { return f.address-m[0] < m[1] }
	if f.address>>63 == 0 {
		return slices.ContainsFunc(l[f.process], in)
	}
	return slices.ContainsFunc(l[0], in) || slices.ContainsFunc(l[4], in)
}
