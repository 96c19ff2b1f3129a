package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/doors/report"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestLargeTree checks that a page whose stacks have little in common stays small, keeps all samples, and
// says what it leaves out.
func TestLargeTree(t *testing.T) {
	t.Run("small", func(t *testing.T) { testLargeTree(t, 2000, report.MaxPage/10, "0.1 %") })
	t.Run("real", func(t *testing.T) {
		testenv.All(t, "a page of the real bound")
		testLargeTree(t, 20_000, report.MaxPage, "0.01 %")
	})
}

// testLargeTree writes a page of less than most bytes, which must leave out frames with less than a share of the samples.
func testLargeTree(t *testing.T, samples, most int, share string) {
	const images, depth = 1500, 40
	random := testenv.Seeded(t.Name())
	var text strings.Builder
	text.WriteString("trace buffersize=1048576 freq=10000000 start=2024-05-01T12:00:00Z\nstream\n")
	for i := range images {
		fmt.Fprintf(&text, "perfinfo64 hook=0x030a ver=3 t=+1us payload=ptr:%#x|0x1000,u32:10|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:\"\\\\%08x.dll\"\n", 0x10000*(i+1), random.Uint32())
	}
	text.WriteString("perfinfo64 hook=0x0501 ver=3 t=+2ms payload=u32:10|400,ptr*7:0,u32:0,u8:8|5|2|0\n")
	for i := range samples {
		at := 3000 + 100*i
		frames := make([]string, depth)
		for k := range frames {
			frames[k] = fmt.Sprintf("%#x", 0x10000*(1+random.IntN(images))+random.IntN(0x1000))
		}
		fmt.Fprintf(&text, "perfinfo64 hook=0x0f2e ver=2 t=+%dus payload=ptr:%s,u32:400,u16:1,u8:0x40|0\n", at, frames[0])
		fmt.Fprintf(&text, "perfinfo64 hook=0x1820 ver=2 t=+%dus payload=ticks:+%dus,u32:10|400,ptr:%s\n", at+1, at, strings.Join(frames, "|"))
	}
	page := write(t, open(t, map[string]string{"large": text.String()}), report.Options{}.WithMaxPage(most))
	if len(page) >= most {
		t.Errorf("the page has %d bytes", len(page))
	}
	var d struct {
		Notes []string
		Flame struct {
			Total int64
			Names []string
			Nodes []int32
			Cells []int64
		}
	}
	if err := json.Unmarshal([]byte(data(t, page)), &d); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d nodes, %q", len(page), len(d.Flame.Nodes), d.Notes)
	sum := int64(0)
	for i := 2; i < len(d.Flame.Cells); i += 3 {
		sum += d.Flame.Cells[i]
	}
	if d.Flame.Total != int64(samples) || sum != int64(samples) {
		t.Errorf("the page has %d of %d samples in its cells, and says %d", sum, samples, d.Flame.Total)
	}
	if !strings.Contains(strings.Join(d.Flame.Names, "\n"), "(smaller ones)") {
		t.Error("nothing was left out")
	}
	if !strings.Contains(strings.Join(d.Notes, "\n"), "frames with less than "+share+" of the samples are drawn as") {
		t.Errorf("the page does not say what it leaves out: %q", d.Notes)
	}
}
