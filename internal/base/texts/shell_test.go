package texts

import (
	"maps"
	"os/exec"
	"testing"
)

var shellWords = map[string]string{
	"out/views.sql": "out/views.sql", "böot": "böot",
	"my data/x": `"my data/x"`, "": `""`, "a;b": `"a;b"`, "it's": `"it's"`, "[x]*?": `"[x]*?"`,
	"$HOME": "'$HOME'", "`x`": "'`x`'", `a"b's`: `'a"b'\''s'`, "a b!": "'a b!'",
	"a\nb's": `$'a\nb\'s'`, "a\tb\r\\": `$'a\tb\r\\'`, "\x1b[31m": `$'\033[31m'`, "a\u2028b": `$'a\342\200\250b'`,
}

func TestShellWord(t *testing.T) {
	paths := map[string]string{`a\b`: `'a\b'`, `a b\`: `'a b\'`}
	if backslashSeparates {
		paths = map[string]string{`C:\out\views.sql`: `C:\out\views.sql`, `C:\my data\x`: `"C:\my data\x"`}
	}
	all := maps.Clone(shellWords)
	maps.Copy(all, paths)
	for word, want := range all {
		if got := ShellWord(word); got != want {
			t.Errorf("ShellWord(%q) = %s, want %s", word, got, want)
		}
	}
}

// TestShellWordInBash lets a shell parse the words.
func TestShellWordInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("SKIPPED: no bash: %v", err)
	}
	for word := range shellWords {
		got, err := exec.Command(bash, "-c", "printf %s "+ShellWord(word)).Output()
		if err != nil || string(got) != word {
			t.Errorf("bash reads %s as %q: %v", ShellWord(word), got, err)
		}
	}
}
