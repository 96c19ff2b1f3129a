package find_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/find"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// The files of these tests have an identity as their text: "PDB GUID AGE" or "IMAGE TIME SIZE".

var (
	guid  = must(schema.ParseGUID("3844DBB9-2017-4967-BE7A-A4A2C20430FA"))
	other = must(schema.ParseGUID("00000000-2017-4967-BE7A-A4A2C20430FA"))
	ntdll = find.PDB{Name: `C:\build\ntdll.pdb`, GUID: guid, Age: 26}
	image = find.Image{Name: `\Device\HarddiskVolume3\Windows\System32\ntdll.dll`, TimeStamp: 0x1234ABC, Size: 0x1F0000}
)

const (
	pdbID   = "3844DBB920174967BE7AA4A2C20430FA1A"
	imageID = "01234ABC1f0000"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func pdbText(guid schema.GUID, age uint32) string { return fmt.Sprintf("PDB %v %d\n", guid, age) }

func imageText(timeStamp, size uint32) string { return fmt.Sprintf("IMAGE %d %d\n", timeStamp, size) }

func readPDB(path string) (schema.GUID, uint32, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return schema.GUID{}, 0, err
	}
	var text string
	var age uint32
	if _, err := fmt.Sscanf(string(b), "PDB %s %d\n", &text, &age); err != nil {
		return schema.GUID{}, 0, errors.New("not a PDB")
	}
	guid, err := schema.ParseGUID(text)
	return guid, age, err
}

func readImage(path string) (timeStamp, size uint32, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	if _, err := fmt.Sscanf(string(b), "IMAGE %d %d\n", &timeStamp, &size); err != nil {
		return 0, 0, errors.New("not an image")
	}
	return timeStamp, size, nil
}

// finder is a finder under test, with its notes.
type finder struct {
	*find.Finder
	mu    sync.Mutex
	notes []string
}

func newFinder(t *testing.T, o find.Options) *finder {
	t.Helper()
	f := &finder{}
	o.ReadPDB, o.ReadImage = readPDB, readImage
	o.Note = func(text string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.notes = append(f.notes, text)
	}
	var err error
	if f.Finder, err = find.New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// write writes files, given as names and contents, below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		testenv.WriteFile(t, path, content)
	}
}

// tree returns the files below a folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(testenv.Files(t, dir)))
}

// TestOutside links files and folders of a place to others, which the finder must not follow out of the folders
// that may be opened. What the user named elsewhere is read.
func TestOutside(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"outside/ntdll.pdb": pdbText(guid, 26), "root/plain/ntdll.pdb": pdbText(guid, 26), "root/linked/x": ""})
	if err := errors.Join(os.Symlink("../../outside/ntdll.pdb", filepath.Join(dir, "root/linked/ntdll.pdb")), os.Symlink("../outside", filepath.Join(dir, "root/folder"))); err != nil {
		t.Skip(err)
	}
	from := new(reach.Files)
	if err := from.AddFolderOf(filepath.Join(dir, "root")); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]bool{"root/plain": true, "root/linked": false, "root/folder": false, "outside": true} {
		f := newFinder(t, find.Options{Paths: []string{filepath.Join(dir, place)}})
		f.From(from)
		if _, err := f.PDB(t.Context(), find.PDB{Name: "ntdll.pdb", GUID: guid, Age: 26}); (err == nil) != want {
			t.Errorf("%s: %v", place, err)
		}
	}
}

// TestLayouts finds files in every layout of folders.
func TestLayouts(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		pdb   string // where the PDB is found, "" if not
		image string
		says  string // in the error for the PDB
		notes string
	}{
		"plain":              {map[string]string{"ntdll.pdb": pdbText(guid, 26), "ntdll.dll": imageText(0x1234ABC, 0x1F0000)}, "ntdll.pdb", "ntdll.dll", "", ""},
		"two tiers":          {map[string]string{"ntdll.pdb/" + pdbID + "/ntdll.pdb": pdbText(guid, 26), "ntdll.dll/" + imageID + "/ntdll.dll": imageText(0x1234ABC, 0x1F0000)}, "ntdll.pdb/" + pdbID + "/ntdll.pdb", "ntdll.dll/" + imageID + "/ntdll.dll", "", ""},
		"two tiers, no case": {map[string]string{"NTDLL.PDB/" + strings.ToLower(pdbID) + "/NtDll.pdb": pdbText(guid, 26), "NTDLL.dll/" + strings.ToUpper(imageID) + "/ntdll.DLL": imageText(0x1234ABC, 0x1F0000)}, "NTDLL.PDB/" + strings.ToLower(pdbID) + "/NtDll.pdb", "NTDLL.dll/" + strings.ToUpper(imageID) + "/ntdll.DLL", "", ""},
		"three tiers":        {map[string]string{"index2.txt": "", "nt/ntdll.pdb/" + pdbID + "/ntdll.pdb": pdbText(guid, 26)}, "nt/ntdll.pdb/" + pdbID + "/ntdll.pdb", "", "", ""},
		"no three tiers":     {map[string]string{"nt/ntdll.pdb/" + pdbID + "/ntdll.pdb": pdbText(guid, 26)}, "", "", "not in DIR", ""},
		"symbols/dll":        {map[string]string{"Symbols/DLL/ntdll.pdb": pdbText(guid, 26)}, "Symbols/DLL/ntdll.pdb", "", "", ""},
		"exe":                {map[string]string{"exe/ntdll.pdb": pdbText(guid, 26)}, "exe/ntdll.pdb", "", "", ""},
		"other case":         {map[string]string{"NTDLL.PDB": pdbText(guid, 26)}, "NTDLL.PDB", "", "", ""},
		"second matches":     {map[string]string{"ntdll.pdb": pdbText(guid, 1), "dll/ntdll.pdb": pdbText(guid, 26)}, "dll/ntdll.pdb", "", "", ""},
		"other age":          {map[string]string{"ntdll.pdb": pdbText(guid, 1)}, "", "", "ntdll.pdb is another one: it has 3844dbb9-2017-4967-be7a-a4a2c20430fa age 1, and 3844dbb9-2017-4967-be7a-a4a2c20430fa age 26 is needed", ""},
		"other GUID":         {map[string]string{"ntdll.pdb/" + pdbID + "/ntdll.pdb": pdbText(other, 26)}, "", "", "it has 00000000-2017-4967-be7a-a4a2c20430fa age 26", ""},
		"no PDB":             {map[string]string{"ntdll.pdb": "<html>"}, "", "", "ntdll.pdb: not a PDB", ""},
		"a folder":           {map[string]string{"ntdll.pdb/x": ""}, "", "", "not in DIR", ""},
		"pointer":            {map[string]string{"ntdll.pdb/" + pdbID + "/file.ptr": "PATH:/etc/passwd"}, "", "", "not in DIR", "file.ptr refers to a file elsewhere"},
		"compressed":         {map[string]string{"ntdll.pd_": "MSCF"}, "", "", "ntdll.pd_ is compressed: a cache folder is needed", ""},
		"nothing":            {nil, "", "", "not in DIR", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, test.files)
			f := newFinder(t, find.Options{Paths: []string{dir}})
			check := func(file *find.File, err error, want, says string) {
				t.Helper()
				if want == "" {
					if !errors.Is(err, find.ErrNotFound) || file != nil || !strings.Contains(strings.ReplaceAll(err.Error(), dir, "DIR"), says) {
						t.Errorf("%+v, %v, want an error with %q", file, err, says)
					}
					return
				}
				if err != nil || file.Path != filepath.Join(dir, filepath.FromSlash(want)) || file.From != dir {
					t.Errorf("%+v, %v, want %s", file, err, want)
				}
			}
			file, err := f.PDB(t.Context(), ntdll)
			check(file, err, test.pdb, test.says)
			file, err = f.Image(t.Context(), image)
			check(file, err, test.image, "")
			if notes := strings.Join(f.notes, "\n"); (test.notes == "") != (notes == "") || !strings.Contains(notes, test.notes) {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

// TestFiles checks that files named by the user are used if they match, whatever their names.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"ntdll(1).pdb": pdbText(guid, 26), "other.pdb": pdbText(other, 1), "copy.exe": imageText(0x1234ABC, 0x1F0000)})
	f := newFinder(t, find.Options{Paths: []string{filepath.Join(dir, "other.pdb") + ";" + filepath.Join(dir, "ntdll(1).pdb"), filepath.Join(dir, "copy.exe")}})
	if file, err := f.PDB(t.Context(), ntdll); err != nil || filepath.Base(file.Path) != "ntdll(1).pdb" {
		t.Error(file, err)
	}
	if file, err := f.Image(t.Context(), image); err != nil || filepath.Base(file.Path) != "copy.exe" {
		t.Error(file, err)
	}
	_, err := f.PDB(t.Context(), find.PDB{Name: "other.pdb", GUID: guid, Age: 1})
	if err == nil || !strings.Contains(err.Error(), "it has 00000000-") {
		t.Error(err)
	}
}

// TestHostileNames checks names that lead elsewhere. There is a file where each would lead.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"secret.pdb": pdbText(guid, 26), "in/x": ""})
	f := newFinder(t, find.Options{Paths: []string{filepath.Join(dir, "in")}})
	for _, name := range []string{`..\secret.pdb`, "../secret.pdb", filepath.Join(dir, "secret.pdb"), "..", "", "nul", "a\x00b", "x:secret.pdb"} {
		file, err := f.PDB(t.Context(), find.PDB{Name: name, GUID: guid, Age: 26})
		if !errors.Is(err, find.ErrNotFound) {
			t.Errorf("%q: %+v, %v", name, file, err)
		}
	}
}

// TestNotes checks that a note says once why a place is not used.
func TestNotes(t *testing.T) {
	path := "srv*https://user:secret@server/symbols;missing-folder;https://server/symbols"
	f := newFinder(t, find.Options{Paths: []string{path, path, "srv*"}})
	want := []string{
		"the symbol path names the server https://server/symbols, which is not asked without the option symbol-server",
		"the symbol path names missing-folder, which is no folder or file",
		"the symbol path srv* names no folder, file or server",
	}
	if !slices.Equal(f.notes, want) {
		t.Errorf("notes %q", f.notes)
	}
}

func TestOptions(t *testing.T) {
	for name, o := range map[string]find.Options{
		"no readers": {},
		"no cache":   {ReadPDB: readPDB, ReadImage: readImage, Server: []string{"https://server"}},
		"no address": {ReadPDB: readPDB, ReadImage: readImage, Server: []string{"server"}, Cache: "x"},
		"file":       {ReadPDB: readPDB, ReadImage: readImage, Server: []string{"file:///server"}, Cache: "x"},
		"no host":    {ReadPDB: readPDB, ReadImage: readImage, Server: []string{"https://"}, Cache: "x"},
	} {
		if _, err := find.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// compress makes a cabinet of a file with gcab.
func compress(t *testing.T, name, content string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{name: content})
	c := exec.Command(testenv.Tool(t, "gcab"), "-c", "-n", "-z", "made.cab", name)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(must(os.ReadFile(filepath.Join(dir, "made.cab"))))
}

// TestCompressed checks that a file is decompressed into the cache, and found there the next time.
func TestCompressed(t *testing.T) {
	text := pdbText(guid, 26) + strings.Repeat("compressible ", 100_000)
	whole := compress(t, "ntdll.pdb", text)
	for name, test := range map[string]struct {
		file, content string
		limit         int64
		says          string
	}{
		"in a store":  {"ntdll.pdb/" + pdbID + "/ntdll.pd_", whole, 0, ""},
		"in a folder": {"NTDLL.PD_", whole, 0, ""},
		"renamed":     {"ntdll.pd_", compress(t, "x.pdb", text), 0, ""},
		"other":       {"ntdll.pd_", compress(t, "ntdll.pdb", pdbText(other, 1)), 0, "ntdll.pd_ is another one: it has 00000000-"},
		"cut":         {"ntdll.pd_", whole[:len(whole)/2], 0, "corrupt"},
		"no cabinet":  {"ntdll.pd_", "SZDD", 0, "ntdll.pd_: corrupt cabinet"},
		"too large":   {"ntdll.pd_", whole, 1000, "too large: more than 1000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			store, cache := t.TempDir(), filepath.Join(t.TempDir(), "made", "cache")
			write(t, store, map[string]string{test.file: test.content})
			f := newFinder(t, find.Options{Paths: []string{store}, Cache: cache, MaxBytes: test.limit})
			file, err := f.PDB(t.Context(), ntdll)
			if test.says != "" {
				if !errors.Is(err, find.ErrNotFound) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("error %v, want %q", err, test.says)
				}
				if left := tree(t, cache); len(left) > 0 {
					t.Errorf("left %v", left)
				}
				return
			}
			if err != nil || string(must(os.ReadFile(file.Path))) != text {
				t.Fatalf("%+v, %v", file, err)
			}
			if got := tree(t, cache); !slices.Equal(got, []string{"ntdll.pdb/" + pdbID + "/ntdll.pdb"}) {
				t.Errorf("cache has %v", got)
			}
			again := newFinder(t, find.Options{Cache: cache})
			if file, err := again.PDB(t.Context(), ntdll); err != nil || file.From != cache {
				t.Errorf("%+v, %v", file, err)
			}
		})
	}
}
