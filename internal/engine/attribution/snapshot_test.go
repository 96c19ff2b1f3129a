package attribution

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// sampleSnapshot returns a snapshot of a trace with two buffers in which each index has its
// greatest value.
func sampleSnapshot() *Snapshot {
	var code packedPool
	text, hash := []byte("text"), hashOfText([]byte("text"))
	code.limit = 1 << 10
	code.number(text, hash)
	return &Snapshot{
		Tables: Tables{
			Threads: []Thread{{name: 1}}, names: []string{"", "name"},
			Images: []Image{{Debug: 0, Version: 0}, {Debug: -1, Version: -1}}, Debug: []DebugInfo{{}}, Versions: []FileVersion{{}},
			Methods: []Method{{module: 0, Runtime: RuntimeScript, Namespace: 1, Name: 1, Signature: 1, origin: 0, reJIT: 1}, {module: -1}},
			Modules: []Module{{}}, code: code.close(), origins: []Origin{{}}, reJITs: []uint64{7},
			Volumes: []Volume{{`\Device\X`, "C:"}}, Windows: `C:\`,
			Stacks: Stacks{refs: []Reference{{Buffer: 0}, {Buffer: 1}}, matches: []Match{{Ref: 0}, {Ref: 1<<32 | 8}}, loose: []walkable{{ref: 0}, {ref: 1<<32 | 8}}},
		},
		Keys: []snapshotKey{{Key: 4, Frames: "\x01\x02"}, {Key: 5, Create: true, Frames: "\x00"}, {Key: 5, Frames: "\x02\x02\x04"}},
		Said: []observation{{1, 0}, {2, 1}, {3, 2}, {4, 1}},
	}
}

// TestRestore checks that a snapshot is rejected if any index is beyond its list.
func TestRestore(t *testing.T) {
	for name, change := range map[string]func(s *Snapshot){
		"name of a thread":             func(s *Snapshot) { s.Tables.Threads[0].name = 2 },
		"no names":                     func(s *Snapshot) { s.Tables.names, s.Tables.Threads = nil, nil },
		"debug information":            func(s *Snapshot) { s.Tables.Images[0].Debug = 1 },
		"debug information below none": func(s *Snapshot) { s.Tables.Images[0].Debug = -2 },
		"version":                      func(s *Snapshot) { s.Tables.Images[0].Version = 1 },
		"version below none":           func(s *Snapshot) { s.Tables.Images[0].Version = -2 },
		"module":                       func(s *Snapshot) { s.Tables.Methods[0].module = 1 },
		"module below none":            func(s *Snapshot) { s.Tables.Methods[0].module = -2 },
		"runtime":                      func(s *Snapshot) { s.Tables.Methods[0].Runtime = RuntimeScript + 1 },
		"namespace":                    func(s *Snapshot) { s.Tables.Methods[0].Namespace = 2 },
		"name of a method":             func(s *Snapshot) { s.Tables.Methods[0].Name = 2 },
		"signature":                    func(s *Snapshot) { s.Tables.Methods[0].Signature = 2 },
		"origin":                       func(s *Snapshot) { s.Tables.Methods[0].origin = 1 },
		"id of a compilation":          func(s *Snapshot) { s.Tables.Methods[0].reJIT = 2 },
		"volume without a device":      func(s *Snapshot) { s.Tables.Volumes[0].Device = "" },
		"windows without a drive":      func(s *Snapshot) { s.Tables.Windows = `\Windows\` },
		"windows without a backslash":  func(s *Snapshot) { s.Tables.Windows = `C:\Windows` },
		"windows is a drive":           func(s *Snapshot) { s.Tables.Windows = `C:` },
		"buffer of a stack":            func(s *Snapshot) { s.Tables.Stacks.refs[1].Buffer = 2 },
		"buffer of a stack below 0":    func(s *Snapshot) { s.Tables.Stacks.refs[1].Buffer = -1 },
		"event of a part":              func(s *Snapshot) { s.Tables.Stacks.matches[1].Ref = 2 << 32 },
		"event of a part below 0":      func(s *Snapshot) { s.Tables.Stacks.matches[1].Ref = -1 },
		"event before a walk":          func(s *Snapshot) { s.Tables.Stacks.loose[1].ref = 2 << 32 },
		"event before a walk below 0":  func(s *Snapshot) { s.Tables.Stacks.loose[1].ref = -1 },
		"frames without an end":        func(s *Snapshot) { s.Keys[0].Frames = "\x02\x02" },
		"more frames than claimed":     func(s *Snapshot) { s.Keys[0].Frames = "\x01\x02\x02" },
		"no frames":                    func(s *Snapshot) { s.Keys[0].Frames = "" },
		"many frames":                  func(s *Snapshot) { s.Keys[0].Frames = strings.Repeat("\xff", 9) + "\x01" },
		"key that is not there":        func(s *Snapshot) { s.Said[3].fact = 3 },
		"keys out of order":            func(s *Snapshot) { s.Said[3].fact = 0 },
	} {
		s := sampleSnapshot()
		change(s)
		if _, err := s.Restore(1<<10, 2, nil); !errors.Is(err, ErrSnapshot) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	s := sampleSnapshot()
	tables, err := s.Restore(1<<10, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		key  uint64
		at   decode.Ticks
		want []uint64
	}{{4, 0, []uint64{1}}, {4, 2, nil}, {5, 1, nil}, {5, 2, []uint64{}}, {5, 3, []uint64{1, 3}}, {5, 9, []uint64{}}, {6, 1, nil}, {3, 1, nil}} {
		got, ok, err := tables.Stacks.Frames(test.key, test.at, []uint64{})
		if err != nil || ok != (test.want != nil) || ok && !reflect.DeepEqual(got, test.want) {
			t.Errorf("key %d at %d: %d, %t, %v, want %d", test.key, test.at, got, ok, err, test.want)
		}
	}
	again, err := tables.Snapshot()
	if want := sampleSnapshot(); err != nil || !reflect.DeepEqual(again.Keys, want.Keys) || !reflect.DeepEqual(again.Said, want.Said) {
		t.Errorf("%+v, %+v, %v", again.Keys, again.Said, err)
	}
}

// TestMemory checks that each list counts with its capacity.
func TestMemory(t *testing.T) {
	if n := new(Tables).Memory(); n != 0 {
		t.Errorf("empty tables hold %d bytes", n)
	}
	const room = 5
	for name, test := range map[string]struct {
		tables Tables
		each   int64
	}{
		"texts":       {Tables{texts: room}, 1},
		"names":       {Tables{names: make([]string, 1, room)}, sizeOf[string]()},
		"origins":     {Tables{origins: make([]Origin, 1, room)}, sizeOf[Origin]()},
		"rejits":      {Tables{reJITs: make([]uint64, 1, room)}, 8},
		"processes":   {Tables{Processes: make([]Process, 1, room)}, sizeOf[Process]()},
		"threads":     {Tables{Threads: make([]Thread, 1, room)}, sizeOf[Thread]()},
		"images":      {Tables{Images: make([]Image, 1, room)}, sizeOf[Image]()},
		"files":       {Tables{Files: make([]File, 1, room)}, sizeOf[File]()},
		"methods":     {Tables{Methods: make([]Method, 1, room)}, sizeOf[Method]()},
		"modules":     {Tables{Modules: make([]Module, 1, room)}, sizeOf[Module]()},
		"debug":       {Tables{Debug: make([]DebugInfo, 1, room)}, sizeOf[DebugInfo]()},
		"versions":    {Tables{Versions: make([]FileVersion, 1, room)}, sizeOf[FileVersion]()},
		"volumes":     {Tables{Volumes: make([]Volume, 1, room)}, sizeOf[Volume]()},
		"definitions": {Tables{Stacks: Stacks{definitions: make([]observation, 1, room)}}, sizeOf[observation]()},
		"ends":        {Tables{Stacks: Stacks{ends: make([]int, 1, room)}}, sizeOf[int]()},
		"refs":        {Tables{Stacks: Stacks{refs: make([]Reference, 1, room)}}, sizeOf[Reference]()},
		"latest":      {Tables{Stacks: Stacks{latest: make([]decode.Ticks, 1, room)}}, 8},
		"matches":     {Tables{Stacks: Stacks{matches: make([]Match, 1, room)}}, sizeOf[Match]()},
		"loose":       {Tables{Stacks: Stacks{loose: make([]walkable, 1, room)}}, sizeOf[walkable]()},
		"open":        {Tables{Stacks: Stacks{open: make([]openWalk, 1, room)}}, sizeOf[openWalk]()},
		"frames":      {Tables{Stacks: Stacks{frames: frameStore{blocks: [][]byte{make([]byte, 0, 2), make([]byte, 1, 3)}}}}, 1},
	} {
		if got := test.tables.Memory(); got != room*test.each {
			t.Errorf("%s: %d bytes, want %d", name, got, room*test.each)
		}
	}
}
