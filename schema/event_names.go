package schema

import (
	"strconv"
	"strings"
)

// EventNames are the names of an event. People and programs may call the event by any of them, in
// any case: see [EventNames.Called].
type EventNames struct {
	Provider string // or class; "" if it has no name
	GUID     GUID   // of the provider or class; zero if there is none
	Name     string // such as GC/Start
	Table    string // of its payloads; "" if it has none
	ID       int    // event id, class type or message number; NoID if there is none
	Hook     int    // hook id of a kernel event; NoID if there is none
}

// NoID is the id of an event without one.
const NoID = -1

// EventNames returns the names of the event whose payloads the table holds. The table of an event that
// is not the kernel's has only the names of its folders.
func (t *Table) EventNames() EventNames {
	if of := kernelTable(strings.ToLower(t.Name)); of != nil && of.Table.Name == t.Name {
		first := of.Literals()[0]
		n := EventNames{Provider: of.Class, GUID: first.GUID, Name: of.Name, Table: t.Name, ID: int(first.Type), Hook: NoID}
		if first.HasHook {
			n.Hook = int(first.Hook)
		}
		return n
	}
	return NamesOfTable(t.Name, t.Event)
}

// NamesOfTable returns the names of the event of a table, as far as its name and the identity of
// the event say them.
func NamesOfTable(table string, event Identity) EventNames {
	provider, name, _ := strings.Cut(strings.TrimPrefix(table, EventsFolder), "/")
	n := EventNames{Provider: provider, GUID: event.GUID, Name: name, Table: table, ID: NoID, Hook: NoID}
	if event.Kind == ProviderEvent || event.Kind == ClassEvent {
		n.ID = int(event.ID)
	}
	return n
}

// SQLName returns the name of the event in SQL: of the view of its table, such as
// microsoft_windows_dotnetruntime_gc_start. It is "" if the event has no table.
func (n *EventNames) SQLName() string {
	if n.Table == "" {
		return ""
	}
	return ViewName(n.Table)
}

// Alias returns the name of the event in SQL with its id, such as microsoft_windows_powershell_4104.
// It equals SQLName where the id is the name. It is "" if the event has no table or id.
func (n *EventNames) Alias() string {
	if n.Table == "" || n.ID == NoID {
		return ""
	}
	folder, _ := n.folders()
	return ViewName(folder + "_" + strconv.Itoa(n.ID))
}

// folders returns the names of the folders of the table, of the provider and of the event.
func (n *EventNames) folders() (provider, event string) {
	if n.Table == "" {
		return FolderName(n.Provider), FolderName(n.Name)
	}
	provider, event, _ = strings.Cut(strings.TrimPrefix(n.Table, EventsFolder), "/")
	return provider, event
}

// Called reports whether a text, which is no pattern, is a name of the event, in any case. These are
// its name (GC/Start), its id (4104) and its folder (GC_Start), alone or after the provider and a
// slash; and its names in SQL, with the name or the id. The provider can be its name, folder or GUID.
// A kernel event has two ids: its hook id, and after its class the type, as in Thread/36 and
// thread_36. The name of a table, with its folder events, means exactly this table.
func (n *EventNames) Called(text string) bool {
	if text == "" {
		return false
	}
	if folder := len(EventsFolder); len(text) > folder && strings.EqualFold(text[:folder], EventsFolder) && n.Table != "" {
		return strings.EqualFold(text, n.Table)
	}
	if n.Table != "" && isTable(text, n.Table) || n.isBareID(text) || n.isAlias(text) {
		return true
	}
	if n.isOwnName(text) {
		return true
	}
	for at := range len(text) {
		if text[at] == '/' && n.isProvider(text[:at]) && n.isOwn(text[at+1:]) {
			return true
		}
	}
	return false
}

// isBareID reports whether a text is the id of the event without its provider: types of classes are
// so small that many events of the kernel have them, so that kernel events have only the hook id.
func (n *EventNames) isBareID(text string) bool {
	id, ok := parseID(text)
	if n.Hook != NoID {
		return ok && id == n.Hook
	}
	return ok && id == n.ID
}

// isAlias reports whether a text is a name in SQL with the event's id.
func (n *EventNames) isAlias(text string) bool {
	at := strings.LastIndexByte(text, '_')
	if at < 0 || n.Table == "" {
		return false
	}
	id, ok := parseID(text[at+1:])
	if !ok || id != n.ID && id != n.Hook {
		return false
	}
	provider, _ := n.folders()
	return isView(text[:at], provider)
}

func (n *EventNames) isProvider(text string) bool {
	provider, _ := n.folders()
	return strings.EqualFold(text, n.Provider) || strings.EqualFold(text, provider) || n.isGUID(text)
}

func (n *EventNames) isGUID(text string) bool {
	id, err := ParseGUID(WithoutBraces(text))
	return err == nil && id == n.GUID && id != (GUID{})
}

// isOwn reports whether a text after the provider names the event.
func (n *EventNames) isOwn(text string) bool {
	if id, ok := parseID(text); ok && (id == n.ID || id == n.Hook) {
		return true
	}
	return n.isOwnName(text)
}

// isOwnName reports whether a text is the name of the event, or of its folder or view.
func (n *EventNames) isOwnName(text string) bool {
	_, event := n.folders()
	return strings.EqualFold(text, n.Name) || isView(text, event) || len(text) >= len(event) && strings.EqualFold(FolderName(text), event)
}

// parseID parses an id as it is printed: decimal or, of hooks, hexadecimal with 0x.
func parseID(text string) (id int, ok bool) {
	base := 10
	if hex, isHex := strings.CutPrefix(strings.ToLower(text), "0x"); isHex {
		text, base = hex, 16
	}
	n, err := strconv.ParseUint(text, base, 31)
	return int(n), err == nil
}

// Matches reports whether a name or pattern is of the event. A pattern matches its name, alone or
// after its provider's name or GUID; its id after them; and the names of its table, see [MatchTable].
func (n *EventNames) Matches(pattern string) bool {
	if !IsPattern(pattern) {
		return n.Called(pattern)
	}
	if Match(pattern, n.Name) || n.Table != "" && MatchTable(pattern, n.Table) {
		return true
	}
	events := []string{n.Name}
	if n.ID != NoID {
		events = append(events, strconv.Itoa(n.ID))
	}
	for _, event := range events {
		if Match(pattern, n.Provider+"/"+event) || n.GUID != (GUID{}) && Match(WithoutBraces(pattern), n.GUID.String()+"/"+event) {
			return true
		}
	}
	return n.matchesFolder(pattern)
}

// matchesFolder reports whether a pattern of the event's name matches its folder, in which other
// characters stand for those that no folder may have: GC/* matches GC_Start.
func (n *EventNames) matchesFolder(pattern string) bool {
	if n.Table == "" || !strings.ContainsRune(pattern, '/') {
		return false
	}
	provider, event := n.folders()
	if Match(strings.ReplaceAll(pattern, "/", "_"), event) {
		return true
	}
	of, rest, _ := strings.Cut(pattern, "/")
	return Match(of, provider) && Match(strings.ReplaceAll(rest, "/", "_"), event)
}

// Matches reports whether a name or pattern is of the table: any of its names, see [MatchTable], or of
// the names of the event whose payloads it holds, see [EventNames]. A name that a table of this package
// has means only that table.
func (t *Table) Matches(pattern string) bool {
	if MatchTable(pattern, t.Name) {
		return true
	}
	if !t.IsPayload() {
		return false
	}
	if isOwnTable(pattern) {
		return false
	}
	n := t.EventNames()
	return n.Matches(pattern)
}

// isOwnTable reports whether a name is one of a table's of this package: see [TableNames].
func isOwnTable(name string) bool {
	if IsPattern(name) {
		return false
	}
	_, known := LookupTable(name)
	if !known {
		_, known = LookupTable(EventsFolder + name)
	}
	return known
}
