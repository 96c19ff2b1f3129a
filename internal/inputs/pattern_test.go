package inputs

import (
	"path/filepath"
	"testing"
)

func TestFoldedPattern(t *testing.T) {
	for pattern, want := range map[string]string{
		"*.etl":       "*.[eE][tT][lL]",
		"a?[b-d]1":    "[aA]?[b-dB-D]1",
		"[^xB-D2-4]?": "[^xB-D2-4X-Xb-d]?",
		"[A-z][0-Z]*": "[A-z][0-Z]*",
		"a[x*":        "[aA][x*",
		"Ärger-?.etl": "[äÄ][rR][gG][eE][rR]-?.[eE][tT][lL]",
		"no pattern":  "no pattern",
		`\Traces\*.e`: `\Traces\*.[eE]`,
		`/Tr/b*/c\d?`: `/Tr/[bB]*/[cC]\[dD]?`,
		`..\t\*`:      `..\t\*`,
	} {
		if got := foldedPattern(pattern); got != want {
			t.Errorf("foldedPattern(%q) = %q, want %q", pattern, got, want)
		}
	}
	for _, name := range []string{"BOOT.ETL", "boot.etl"} {
		if ok, err := filepath.Match(foldedPattern("Boot*.etl"), name); !ok || err != nil {
			t.Errorf("%s does not match: %v", name, err)
		}
	}
}
