package texts

import "testing"

func TestTakesMarks(t *testing.T) {
	for _, test := range []struct {
		system string
		env    map[string]string
		want   bool
	}{
		{"linux", map[string]string{"TERM": "xterm-256color"}, true},
		{"linux", map[string]string{"TERM": "dumb"}, false},
		{"linux", map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{"linux", nil, false},
		{"windows", nil, false},
		{"windows", map[string]string{"WT_SESSION": "guid"}, true},
	} {
		if got := takesMarks(func(name string) string { return test.env[name] }, test.system); got != test.want {
			t.Errorf("%s, %v: %t", test.system, test.env, got)
		}
	}
}

func TestMarks(t *testing.T) {
	if got := (Style{true}).Bold("a") + (Style{true}).Dim("b") + (Style{true}).Bold("") + (Style{}).Bold("c"); got != "\x1b[1ma\x1b[0m\x1b[2mb\x1b[0mc" {
		t.Errorf("%q", got)
	}
	if StyleOf(false) != (Style{}) {
		t.Error("marks for an output that is no terminal")
	}
}
