package grid

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
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

// TestGridLong prints a cell of thousands of characters: it does not widen other rows, and
// if it is cut for a terminal no row is wider than the terminal.
func TestGridLong(t *testing.T) {
	long := strings.Repeat("x", 4000)
	newGrid := func(cut int) (g Grid) {
		g = Grid{Indent: "  ", Right: []bool{true}, Cut: cut}
		g.Add("events", "name", "provider", "table")
		g.Add("1", long, strings.Repeat("p", 30), "event_header")
		g.Add("12", "short", long, "event_header")
		g.Add("3", "short", "short", long)
		g.Add("4", strings.Repeat("n", 64), "short", "event_header")
		return g
	}
	var all bytes.Buffer
	g := newGrid(0)
	g.Print(&all, 100)
	lines := strings.Split(strings.TrimSuffix(all.String(), "\n"), "\n")
	if n := strings.Count(all.String(), long); n != 3 || all.Len() > 3*len(long)+1000 {
		t.Errorf("%d bytes, %d of 3 long cells are whole", all.Len(), n)
	}
	if want := "      12  short" + strings.Repeat(" ", 64-5) + "  xxx"; !strings.HasPrefix(lines[2], want) {
		t.Errorf("got %.100q, want %q", lines[2], want)
	}
	for _, columns := range []int{60, 80, 200, 5000} {
		var out bytes.Buffer
		g := newGrid(columns)
		g.Print(&out, columns)
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > columns {
				t.Errorf("%d columns: a row of %d: %.100s", columns, n, line)
			}
		}
		if columns < 5000 && strings.Count(out.String(), "…") < 3 {
			t.Errorf("%d columns: no mark for cut cells:\n%s", columns, &out)
		}
	}
	var out bytes.Buffer
	g = newGrid(60)
	g.Print(&out, 60)
	want := "  events  name         provider     table\n" +
		"       1  xxxxxxxxxx…  pppppppppp…  event_header\n" +
		"      12  short        xxxxxxxxxx…  event_header\n" +
		"       3  short        short        " + strings.Repeat("x", 23) + "…\n" +
		"       4  nnnnnnnnnn…  short        event_header\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

func TestWrapped(t *testing.T) {
	got := wrapped("aaaa bbbb cccc dddd eeee ffff a-word-that-is-longer-than-the-line", 24)
	want := []string{"aaaa bbbb cccc dddd eeee", "ffff", "a-word-that-is-longer-than-the-line"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPrintable checks that texts from traces cannot control the terminal.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"C:\\Ångström\\日本.etl": "C:\\Ångström\\日本.etl",
		"a\x1b[2Jb\nc":         "a\ufffd[2Jb\ufffdc",
		"x\u202ey\u009b":       "x\ufffdy\ufffd",
	} {
		if got := Printable(text); got != want {
			t.Errorf("Printable(%q) = %q, want %q", text, got, want)
		}
	}
}
