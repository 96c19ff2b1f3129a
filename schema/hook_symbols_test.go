package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestHookSymbolsDossier compares the names with the format dossier.
func TestHookSymbolsDossier(t *testing.T) {
	text := testenv.ReadFile(t, testenv.Shared(t, "format/kernel-hooks.json"))
	var dossier []struct{ HookID, Symbol string }
	if err := json.Unmarshal(text, &dossier); err != nil {
		t.Fatal(err)
	}
	for _, d := range dossier {
		s, ok := LookupSymbol(d.Symbol)
		if !ok || fmt.Sprintf("0x%04X", s.Hook) != d.HookID {
			t.Errorf("%s: %+v, want %s", d.Symbol, s, d.HookID)
		}
	}
	if len(dossier) != len(HookSymbols()) {
		t.Errorf("%d symbols, want %d", len(HookSymbols()), len(dossier))
	}
}

func TestSymbolsOf(t *testing.T) {
	for hook, want := range map[uint16][]string{
		0x0524: {"PERFINFO_LOG_TYPE_CONTEXTSWAP"},
		0x0000: {"WMI_LOG_TYPE_HEADER"},
		0x0001: nil,
		0xFFFF: nil,
		0x0531: {"PERFINFO_LOG_TYPE_THREAD_SET_BASE_PRIORITY", "PERFINFO_LOT_TYPE_THREAD_SET_BASE_PRIORITY"},
	} {
		if diff := cmp.Diff(want, SymbolsOf(hook)); diff != "" {
			t.Errorf("%#04x: -want +got:\n%s", hook, diff)
		}
	}
	if !slices.IsSortedFunc(HookSymbols(), func(a, b HookSymbol) int { return int(a.Hook) - int(b.Hook) }) {
		t.Error("not sorted by hook")
	}
	if s, ok := LookupSymbol("perfinfo_log_type_contextswap"); !ok || s.Hook != 0x0524 {
		t.Errorf("%+v, %v", s, ok)
	}
	if s, ok := LookupSymbol("PERFINFO_LOG_TYPE_NO_SUCH"); ok {
		t.Errorf("%+v", s)
	}
}

func TestParseHooksRefuses(t *testing.T) {
	for _, line := range []string{"", "0x0524", "0x10524 TOO_LARGE", "CONTEXTSWAP 0x0524"} {
		if _, err := parseHooks("# Names.\n0x0524 CONTEXTSWAP\n" + line + "\n"); err == nil || !strings.HasPrefix(err.Error(), "hooks.txt:3: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
}
