package rows

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// byPointer matches text that depends on the pointer size: <64 bits|32 bits>.
var byPointer = regexp.MustCompile(`<([^<>|]*)\|([^<>|]*)>`)

// TestMessagesOfRealTMF converts messages of real TMF files with hand-made payloads.
func TestMessagesOfRealTMF(t *testing.T) {
	files := tmfFiles(t)
	text := testenv.ReadFile(t, "../../../decode/wpp/testdata/messages.txt")
	_, list, _ := strings.Cut(string(text), "\n0") // the first GUID
	lines := strings.Split(strings.TrimSuffix("0"+list, "\n"), "\n")
	for bits, group := range map[int]string{64: "$1", 32: "$2"} {
		var trace strings.Builder
		fmt.Fprintf(&trace, "trace ptr=%d buffersize=65536\n", bits)
		var want []string
		for i := 0; i+2 < len(lines); i += 3 {
			guid, number, _ := strings.Cut(lines[i], " ")
			payload := byPointer.ReplaceAllString(strings.TrimSpace(lines[i+1]), group)
			fmt.Fprintf(&trace, "message guid=%s number=%s ptr=%d payload=hex:%s\n", guid, number, bits, strings.ReplaceAll(payload, " ", ""))
			want = append(want, byPointer.ReplaceAllString(strings.TrimPrefix(lines[i+2], "  "), group))
		}
		data := etltest.MustParse(t, trace.String())
		b := newUserTrace(t, data, files).of[TableID(decode.FamilyMessage)].start().batch
		if b.Rows != len(want) || b.Rows < 20 {
			t.Fatalf("%d bits: %d rows, want %d", bits, b.Rows, len(want))
		}
		for row, message := range columnTexts(b, b.Column("message")) {
			if message != fmt.Sprintf("%q", want[row]) {
				t.Errorf("%d bits: %s, want %q", bits, message, want[row])
			}
		}
		for _, name := range []string{"payload", "fields"} {
			if c := b.Column(name); name == "payload" && len(c.Ends) > 0 || name == "fields" && len(c.Ends) != b.Rows {
				t.Errorf("%d bits: %d values of %s", bits, len(c.Ends), name)
			}
		}
	}
}

// TestMessagesWithoutTMF checks that messages of real traces that no file describes stay raw,
// with GUID and number.
func TestMessagesWithoutTMF(t *testing.T) {
	files := tmfFiles(t)
	messages := 0
	for _, name := range []string{"CldFlt0", "CldFlt1", "CldFlt2"} {
		data := testenv.ReadFile(t, testenv.Shared(t, "traces/"+name+".etl"))
		filler := newUserTrace(t, data, files).of[TableID(decode.FamilyMessage)]
		if filler == nil {
			continue
		}
		b := filler.start().batch
		messages += b.Rows
		numbers := b.Column("message_number").Small
		for row, payload := range columnTexts(b, b.Column("payload")) {
			if payload == "" || numbers[row] == 0 || b.Column("message").Has(row) || !b.Column("message_guid").Has(row) {
				t.Errorf("%s: row %d: payload %q, number %d", name, row, payload, numbers[row])
			}
		}
	}
	if messages == 0 {
		t.Error("no messages")
	}
}

func tmfFiles(t testing.TB) *catalog.Files {
	t.Helper()
	files, err := catalog.OpenFiles(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := files.AddTMF([]string{testenv.Shared(t, "tmf")}); err != nil {
		t.Fatal(err)
	}
	return files
}
