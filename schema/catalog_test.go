package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// knownEvent is a record of kernel-events.json, the layouts as they were
// collected from the sources.
type knownEvent struct {
	HookID  *string      `json:"hookid"`
	Name    string       `json:"name"`
	GUID    string       `json:"guid"`
	Opcode  uint8        `json:"opcode"`
	Version *uint8       `json:"version"` // nil: any
	Layout  string       `json:"layout"`
	Fields  []knownField `json:"fields"`
}

type knownField struct {
	Name     string          `json:"name"`
	Type     string          `json:"type"`
	Count    json.RawMessage `json:"count"` // a number, "rest", or the name of a field
	Optional bool            `json:"optional"`
}

// knownEvents reads kernel-events.json, or skips the test where it is not at hand.
func knownEvents(t testing.TB) []knownEvent {
	t.Helper()
	text, err := os.ReadFile("../../shared/format/kernel-events.json")
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("SKIPPED: the collected layouts are not at hand: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Events []knownEvent `json:"events"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Events) != 787 {
		t.Fatalf("%d layouts, want 787", len(file.Events))
	}
	return file.Events
}

// key names the hook, or class and opcode, that the event is found by.
func (k *knownEvent) key() string {
	if k.HookID != nil {
		return *k.HookID
	}
	return k.GUID + " " + strconv.Itoa(int(k.Opcode))
}

func (k *knownEvent) lookup(t testing.TB, version uint8) (Literal, bool) {
	t.Helper()
	if k.HookID != nil {
		hook, err := strconv.ParseUint(*k.HookID, 0, 16)
		if err != nil {
			t.Fatal(err)
		}
		return KernelCatalog().Hook(uint16(hook), version)
	}
	return KernelCatalog().Type(mustGUID(k.GUID), k.Opcode, version)
}

var (
	beforeWord = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	afterShort = regexp.MustCompile(`([A-Z]+)([A-Z][a-z])`)
)

// snake turns the name of a source into a column's: TThreadId, t_thread_id.
func snake(name string) string {
	name = afterShort.ReplaceAllString(name, "${1}_$2")
	return strings.ToLower(beforeWord.ReplaceAllString(name, "${1}_$2"))
}

// knownKinds are the kinds of the types in kernel-events.json.
var knownKinds = map[string]Kind{
	"u8": U8, "i8": I8, "u16": U16, "i16": I16, "u32": U32, "i32": I32, "u64": U64, "i64": I64,
	"hex32": U32, "hex64": U64, "ptr": Pointer, "size_t": Size, "guid": GUIDs, "filetime": FileTime, "wintime": Ticks,
	"string16z": Text16, "string8z": Text8, "char16": Chars16, "wbemsid": WBEMSID, "ipv4": IPv4, "ipv6": IPv6, "port_be": Port,
}

// text writes a field so that it can be compared.
func (f *knownField) text(t testing.TB) string {
	t.Helper()
	count := strings.Trim(string(f.Count), `"`)
	if count == "null" {
		count = ""
	}
	kind := ""
	if list, ok := strings.CutPrefix(f.Type, "struct{"); ok {
		var inner []string
		for _, field := range strings.Split(strings.TrimSuffix(list, "}"), ";") {
			kind, name, _ := strings.Cut(field, " ")
			inner = append(inner, snake(name)+" "+knownKinds[kind].String())
		}
		kind = "{" + strings.Join(inner, ", ") + "}"
	} else {
		k, ok := knownKinds[f.Type]
		if !ok {
			t.Fatalf("%s: type %q", f.Name, f.Type)
		}
		if k == U8 && count != "" {
			k = Bytes
		}
		kind = k.String()
	}
	return fieldText(snake(f.Name), kind, snake(count), f.Optional)
}

func (f *Field) text() string {
	count := f.CountField
	switch {
	case f.Count == Rest:
		count = "rest"
	case f.Count != 0:
		count = strconv.Itoa(f.Count)
	}
	kind := f.Kind.String()
	if f.Struct != nil {
		var inner []string
		for i := range f.Struct {
			inner = append(inner, f.Struct[i].Name+" "+f.Struct[i].Kind.String())
		}
		kind = "{" + strings.Join(inner, ", ") + "}"
	}
	return fieldText(f.Name, kind, count, f.Optional)
}

func fieldText(name, kind, count string, optional bool) string {
	text := name + " " + kind
	if count != "" {
		text += "[" + count + "]"
	}
	if optional {
		text += " optional"
	}
	return text
}

func (e *Event) texts(version uint8) []string {
	var list []string
	for i := range e.Fields {
		if e.Fields[i].In(version) {
			list = append(list, e.Fields[i].text())
		}
	}
	return list
}

// TestKernelEventsAreComplete finds every collected layout in the tables, with
// its fields in order, and at every version the layout that the rule says:
// that of the version or, if there is none, the greatest below it.
func TestKernelEventsAreComplete(t *testing.T) {
	versions := make(map[string][]*knownEvent)
	events := knownEvents(t)
	for i := range events {
		k := &events[i]
		versions[k.key()] = append(versions[k.key()], k)
	}
	for key, list := range versions {
		t.Run(key, func(t *testing.T) {
			slices.SortFunc(list, func(a, b *knownEvent) int { return int(a.first()) - int(b.first()) })
			for v := range 256 {
				version := uint8(v)
				var want *knownEvent
				for _, k := range list {
					if k.first() <= version {
						want = k
					}
				}
				if want == nil {
					continue // see TestVersionsBelowTheKnown
				}
				got, ok := want.lookup(t, version)
				if !ok {
					t.Fatalf("%s version %d: not found", want.Name, version)
				}
				want.compare(t, got.Event, version)
				if t.Failed() {
					return
				}
			}
		})
	}
}

func (k *knownEvent) first() uint8 {
	if k.Version == nil {
		return 0
	}
	return *k.Version
}

func (k *knownEvent) compare(t *testing.T, e *Event, version uint8) {
	t.Helper()
	if got := e.Class + "/" + e.Name; got != k.Name {
		t.Errorf("version %d: %s, want %s", version, got, k.Name)
	}
	if e.GUID.String() != k.GUID || e.Type != k.Opcode || e.HasHook != (k.HookID != nil) || e.Natural != (k.Layout == "natural") {
		t.Errorf("%s version %d: class %v, type %d, hook %v, natural %v; want %v", k.Name, version, e.GUID, e.Type, e.HasHook, e.Natural, k)
	}
	var want []string
	for i := range k.Fields {
		want = append(want, k.Fields[i].text(t))
	}
	got := e.texts(version)
	for i := range min(len(got), len(want)) {
		name, kind, _ := strings.Cut(want[i], " ")
		base, _, _ := strings.Cut(kind, " ")
		if got[i] == name+"_"+base+" "+kind { // told apart from a field of another version by its kind
			got[i] = want[i]
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s version %d: fields\n\t%s\nwant\n\t%s", k.Name, version, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

var _ = fmt.Sprint
