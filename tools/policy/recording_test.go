package policy

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const recordingPage = "docs/recording.md"

// TestRecordingFlags compares the table of flags in docs/recording.md with the kernel's catalogue: every
// flag that fills a table has a line, except those that no tool names, and the last column lists the
// tables. -update writes that column.
func TestRecordingFlags(t *testing.T) {
	tables := tablesOfFlags()
	rewriteBlock(t, "flags", func(lines []string) (out []string) {
		seen := make(map[string]bool)
		for _, line := range lines {
			cells := tableCells(line)
			if len(cells) != 5 || len(tables[cells[0]]) == 0 {
				t.Errorf("no flag that fills a table: %s", line)
				continue
			}
			flag := cells[0]
			seen[flag] = true
			if isLegacy := strings.HasPrefix(flag, "EVENT_TRACE_FLAG_"); !isLegacy && cells[2] != "" {
				t.Errorf("%s is not a flag of the session's EnableFlags, which logman sets", flag)
			}
			cells[4] = listTables(tables[flag])
			text := ""
			for _, cell := range cells {
				text += strings.TrimSuffix("| "+cell, " ") + " "
			}
			out = append(out, text+"|")
		}
		for flag := range tables {
			if strings.HasPrefix(flag, "EVENT_TRACE_FLAG_") && !seen[flag] {
				t.Errorf("%s is missing", flag)
			}
		}
		return out
	})
}

// TestRecordingProfile compares the list of views in docs/recording.md with the profile
// docs/etl2parquet.wprp: a view has rows if the profile enables a flag or provider that an event of it
// needs.
func TestRecordingProfile(t *testing.T) {
	page := testenv.ReadFile(t, recordingPage)
	flags := make(map[string][]string) // by keyword of a profile
	for line := range strings.Lines(string(page)) {
		if cells := tableCells(line); len(cells) == 5 && strings.HasPrefix(cells[0], "E") || len(cells) == 5 && strings.HasPrefix(cells[0], "PERF_") {
			flags[cells[3]] = append(flags[cells[3]], cells[0])
		}
	}
	p := readProfile(t)
	rewriteBlock(t, "profile", func([]string) (out []string) {
		var light []string
		for _, level := range []string{"Light", "Verbose"} {
			var names, links []string
			for _, view := range views.BuiltIn().All() {
				if p.fills(t, level, view.Name, flags) && !slices.Contains(light, view.Name) {
					names = append(names, view.Name)
					links = append(links, fmt.Sprintf("[%s](views.md#%[1]s)", view.Name))
				}
			}
			also := ""
			if level == "Light" {
				light = names
			} else {
				also = "the same, and "
			}
			out = append(out, fmt.Sprintf("| `etl2parquet.%s` | %s%s |", strings.ToLower(level), also, strings.Join(links, ", ")))
		}
		return out
	})
}

// rewriteBlock compares the lines of a block of the page with those that a function makes of them, or
// replaces them with -update.
func rewriteBlock(t *testing.T, name string, lines func([]string) []string) {
	t.Helper()
	page := testenv.ReadFile(t, recordingPage)
	block := regexp.MustCompile("(?s)(<!-- " + name + ": [^\n]* -->\n)(.*?)(<!-- end -->)").FindSubmatchIndex(page)
	if block == nil {
		t.Fatalf("%s has no block %s", recordingPage, name)
	}
	old := string(page[block[4]:block[5]])
	got := strings.Join(lines(strings.Split(strings.TrimSuffix(old, "\n"), "\n")), "\n") + "\n"
	if *testenv.Update {
		testenv.WriteFile(t, recordingPage, slices.Concat(page[:block[4]], []byte(got), page[block[5]:]))
	} else if diff := cmp.Diff(old, got); diff != "" {
		t.Errorf("%s differs (go test ./tools/policy -run Recording -update):\n%s", recordingPage, diff)
	}
}

// tableCells returns the cells of a line of a table.
func tableCells(line string) (cells []string) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") || len(line) < 2 {
		return nil
	}
	for _, cell := range strings.Split(line[1:len(line)-1], "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	return cells
}

// tablesOfFlags returns the names in SQL of the tables that a flag of the kernel logger fills.
func tablesOfFlags() map[string][]string {
	flags := make(map[string][]string)
	for _, table := range schema.KernelCatalog().Tables() {
		for _, event := range table.Literals() {
			if name := table.Table.ViewName(); event.EnabledBy != "" && !slices.Contains(flags[event.EnabledBy], name) {
				flags[event.EnabledBy] = append(flags[event.EnabledBy], name)
			}
		}
	}
	return flags
}

// mostOfClass bounds the tables of a class that a line lists.
const mostOfClass = 4

// listTables lists tables: of a class with many, the first ones and their number.
func listTables(names []string) string {
	var classes []string
	byClass := make(map[string][]string)
	for _, name := range names {
		class, _, _ := strings.Cut(name, "_")
		if byClass[class] == nil {
			classes = append(classes, class)
		}
		byClass[class] = append(byClass[class], "`"+name+"`")
	}
	var parts []string
	for _, class := range classes {
		list := byClass[class]
		if len(list) > mostOfClass {
			parts = append(parts, fmt.Sprintf("%s, ... (%d of `%s_*`)", strings.Join(list[:mostOfClass-1], ", "), len(list), class))
			continue
		}
		parts = append(parts, list...)
	}
	return strings.Join(parts, ", ")
}

// value is an element with an attribute Value.
type value struct {
	Value string `xml:"Value,attr"`
}

// profile is what the test reads of a profile of Windows Performance Recorder.
type profile struct {
	SystemProviders []struct {
		ID       string  `xml:"Id,attr"`
		Keywords []value `xml:"Keywords>Keyword"`
		Stacks   []value `xml:"Stacks>Stack"`
	} `xml:"Profiles>SystemProvider"`
	EventProviders []struct {
		ID       string  `xml:"Id,attr"`
		Name     string  `xml:"Name,attr"`
		Level    uint8   `xml:"Level,attr"`
		Keywords []value `xml:"Keywords>Keyword"`
	} `xml:"Profiles>EventProvider"`
	Profiles []struct {
		ID     string  `xml:"Id,attr"`
		Name   string  `xml:"Name,attr"`
		Base   string  `xml:"Base,attr"`
		Mode   string  `xml:"LoggingMode,attr"`
		Detail string  `xml:"DetailLevel,attr"`
		System []value `xml:"Collectors>SystemCollectorId>SystemProviderId"`
		Events []value `xml:"Collectors>EventCollectorId>EventProviders>EventProviderId"`
	} `xml:"Profiles>Profile"`
}

// readProfile reads docs/etl2parquet.wprp. It has each level in two modes, under ids that Windows
// Performance Recorder requires: <Name>.<DetailLevel>.<LoggingMode>.
func readProfile(t *testing.T) *profile {
	t.Helper()
	text := testenv.ReadFile(t, "docs/etl2parquet.wprp")
	p := new(profile)
	if err := xml.Unmarshal(text, p); err != nil {
		t.Fatal(err)
	}
	if len(p.Profiles) != 4 {
		t.Errorf("%d profiles", len(p.Profiles))
	}
	for _, one := range p.Profiles {
		if want := one.Name + "." + one.Detail + "." + one.Mode; one.ID != want {
			t.Errorf("id %s, want %s", one.ID, want)
		}
		if want := one.Name + "." + one.Detail + ".File"; one.Mode == "Memory" && one.Base != want {
			t.Errorf("%s has the base %s, want %s", one.ID, one.Base, want)
		}
	}
	return p
}

// fills reports whether a level of the profile records an event that gives a view rows.
func (p *profile) fills(t *testing.T, level, view string, flags map[string][]string) bool {
	t.Helper()
	for _, table := range views.BuiltIn().RowsOf(view) {
		need := absence.NeedOf(table)
		if need == nil && len(views.BuiltIn().SourcesOf(view)) > 0 {
			continue // only the trace describes the event
		}
		if need == nil {
			t.Errorf("%s: nothing is known about %s", view, table)
			continue
		}
		if slices.ContainsFunc(need.Events, func(e absence.Event) bool { return p.records(t, level, e, flags) }) {
			return true
		}
	}
	return false
}

// records reports whether a level of the profile records an event.
func (p *profile) records(t *testing.T, level string, e absence.Event, flags map[string][]string) bool {
	t.Helper()
	for _, one := range p.Profiles {
		if one.Detail != level || one.Mode != "File" {
			continue
		}
		for _, s := range p.SystemProviders {
			if !slices.Contains(one.System, value{s.ID}) {
				continue
			}
			for _, keyword := range s.Keywords {
				if flags[keyword.Value] == nil && keyword.Value != "CpuConfig" {
					t.Errorf("%s is no keyword of %s", keyword.Value, recordingPage)
				}
				if slices.Contains(flags[keyword.Value], e.Recorder) {
					return true
				}
			}
		}
		for _, provider := range p.EventProviders {
			if !slices.Contains(one.Events, value{provider.ID}) || e.GUID.String() != provider.Name || e.Level > provider.Level {
				continue
			}
			if len(provider.Keywords) == 0 || e.Keyword == 0 {
				return true
			}
			for _, keyword := range provider.Keywords {
				bits, err := strconv.ParseUint(strings.TrimPrefix(keyword.Value, "0x"), 16, 64)
				if err != nil {
					t.Fatal(err)
				}
				if bits&e.Keyword != 0 {
					return true
				}
			}
		}
	}
	return false
}
