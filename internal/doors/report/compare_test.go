package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/doors/report"
)

// samplesOf returns a trace of samples with stacks in two programs.
func samplesOf(first, second int) string {
	text := "trace buffersize=16384 freq=10000000 start=2024-05-01T12:00:00Z\nstream\n"
	for i, name := range []string{"first.exe", "second.exe"} {
		text += fmt.Sprintf("system64 hook=0x0303 ver=4 pid=4 tid=8 t=+1ms payload=ptr:1,u32:%[1]d0|4|0|259,ptr:0,u32:0,wbemsid:none,str8:%[2]q,str16:\"\",str16:\"\",str16:\"\"\n"+
			"system64 hook=0x0501 ver=3 pid=4 tid=8 t=+1ms payload=u32:%[1]d0|%[1]d00,ptr*7:0,u32:0,u8:8|5|2|0\n"+
			"perfinfo64 hook=0x030a ver=3 t=+1ms payload=ptr:%#[1]x0000|0x1000,u32:%[1]d0|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:\"\\\\%[2]s\"\n", i+1, name)
	}
	for i := range first + second {
		process := 1
		if i >= first {
			process = 2
		}
		text += fmt.Sprintf("perfinfo64 hook=0x0f2e ver=2 t=+%[1]dms payload=ptr:%#[2]x0010,u32:%[2]d00,u16:1,u8:0x40|0\n"+
			"perfinfo64 hook=0x1820 ver=2 t=+%[1]d100us payload=ticks:+%[1]dms,u32:%[2]d0|%[2]d00,ptr:%#[2]x0010\n", i+2, process)
	}
	return text
}

// TestCompare checks the shares of two traces, side by side, and what the page says of them.
func TestCompare(t *testing.T) {
	now, before := open(t, map[string]string{"now": samplesOf(1, 3)}), open(t, map[string]string{"before": samplesOf(4, 1)})
	var page bytes.Buffer
	if err := report.Compare(t.Context(), now, before, &page, report.Options{}); err != nil {
		t.Fatal(err)
	}
	type change struct {
		What, Name, Module string
		A, B               float64
	}
	type against struct {
		Unit                 string
		Processes, Functions []change
	}
	var got struct {
		Flame    struct{ Sides []int64 }
		Findings []struct{ Text string }
		Against  against
	}
	if err := json.Unmarshal([]byte(data(t, page.Bytes())), &got); err != nil {
		t.Fatal(err)
	}
	want := against{"samples",
		[]change{{"process", "first.exe", "", 80, 25}, {"process", "second.exe", "", 20, 75}},
		[]change{{"function", "", "first.exe", 80, 25}, {"function", "", "second.exe", 20, 75}}}
	if diff := cmp.Diff(want, got.Against); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !slices.Equal(got.Flame.Sides, []int64{5, 4}) || len(got.Findings) < 3 || got.Findings[0].Text != "first.exe: -55.0 points" || got.Findings[2].Text != "second.exe: +55.0 points" {
		t.Errorf("samples %d, findings %q", got.Flame.Sides, got.Findings)
	}
}
