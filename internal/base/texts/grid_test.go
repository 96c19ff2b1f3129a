package texts

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGrid(t *testing.T) {
	g := Grid{Indent: "  ", Right: []bool{true}}
	g.Add("events", "what")
	g.Add("12", "some words that do not fit into one line of it")
	g.Add("3", "Ångström")
	var out bytes.Buffer
	g.Print(&out, 40)
	want := "  events  what\n" +
		"      12  some words that do not fit\n" +
		"          into one line of it\n" +
		"       3  Ångström\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

// TestGridWidth prints cells of thousands of characters and long names: no line is wider than the page,
// numbers are whole, and only the middle of the longest cells is left out.
func TestGridWidth(t *testing.T) {
	long := strings.Repeat("x", 4000)
	for _, columns := range []int{60, 80, 100, 160, 300} {
		g := Grid{Indent: "  ", Right: []bool{true, true}, Head: true}
		g.Add("events", "share", "name", "provider", "table")
		g.Add("123,456,789", "12.3 %", long, strings.Repeat("p", 30), "event_header")
		g.Add("12", "1.0 %", "short", long, "event_header")
		g.Add("3", "1.0 %", "Microsoft-Windows-DotNETRuntimeRundown/Method/DCStopVerbose", "日本語", "a text with spaces "+long)
		g.AddBelow("microsoft_windows_dotnetruntimerundown_method_dcstopverbose")
		g.Add("4", "a cell in place of the others, and with more words than the first two columns have")
		var out bytes.Buffer
		g.Print(&out, columns)
		for line := range strings.Lines(out.String()) {
			if n := Width(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("%d columns: a line of %d: %.100s", columns, n, line)
			}
		}
		if n := strings.Count(out.String(), "…"); n != 3 {
			t.Errorf("%d columns: %d of 3 longest cells are shortened", columns, n)
		}
		for _, want := range []string{"123,456,789  12.3 %", "\n            4  a cell"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%d columns: no %q in\n%s", columns, want, &out)
			}
		}
		if g.Fits(columns) {
			t.Errorf("%d columns: it fits", columns)
		}
	}
}

// TestGridRows checks where cells are wrapped, and where lines of their own begin.
func TestGridRows(t *testing.T) {
	g := Grid{Indent: "  ", Right: []bool{true}}
	g.Add("events", "id", "event")
	g.AddAbove("what was logged, how often, and with which number of its provider")
	g.Add("12", "144", "Microsoft-Windows-DotNETRuntime/Method/DCStop")
	g.AddBelow("microsoft_windows_dotnetruntime_method_dcstop")
	g.Add("3", "type 36", "ImageID/Info")
	g.AddBelow("imageid_info")
	var out bytes.Buffer
	g.Print(&out, 56)
	want := `what was logged, how often, and with which number of its
provider
  events  id       event
      12  144      Microsoft-Windows-DotNETRuntime/
                   Method/DCStop
          microsoft_windows_dotnetruntime_method_dcstop
       3  type 36  ImageID/Info
          imageid_info
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestPrintable checks that texts from traces cannot control the terminal.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"C:\\Ångström\\日本.etl": "C:\\Ångström\\日本.etl",
		"a\x1b[2Jb\nc":         `a\u001b[2Jb\nc`,
		"\x9bb\xe2":            "\ufffdb\ufffd",
		"x\u202ey\u009b":       `x\u202ey\u009b`,
	} {
		if got := Printable(text); got != want {
			t.Errorf("Printable(%q) = %q, want %q", text, got, want)
		}
	}
}
