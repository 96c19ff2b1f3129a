package pcapng

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// exported exports a trace. Notes follow the file.
func exported(t testing.TB, trace []byte, o Options) (file []byte, notes []string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.etl")
	testenv.WriteFile(t, path, trace)
	return exportFiles(t.Context(), o, path)
}

func exportFiles(ctx context.Context, o Options, paths ...string) (file []byte, notes []string, err error) {
	traces, err := etl2parquet.OpenAll(ctx, paths, etl2parquet.Options{Workers: 2})
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	o.Note = func(text string) { notes = append(notes, text) }
	err = Export(ctx, traces, &out, o)
	return out.Bytes(), notes, errors.Join(err, traces.Close())
}

var directions = map[pcapgo.NgEpbFlag]string{pcapgo.NgEpbFlagDirectionInbound: "received", pcapgo.NgEpbFlagDirectionOutbound: "sent"}

// dump reads a file back with an independent reader: interfaces, then packets. It fails if the file is
// no pcapng.
func dump(file []byte) (string, error) {
	if len(file) == 0 {
		return "no file\n", nil
	}
	r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for {
		data, info, o, err := r.ReadPacketDataWithOptions()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return text.String(), err
		}
		if info.CaptureLength != len(data) || info.Length < len(data) {
			return text.String(), fmt.Errorf("%d bytes captured, %d in the file, %d on the wire", info.CaptureLength, len(data), info.Length)
		}
		direction, id := "-", "-"
		if o.Flags != nil {
			direction = directions[o.Flags.Direction]
		}
		if o.PacketID != nil {
			id = fmt.Sprintf("%#x", *o.PacketID)
		}
		fmt.Fprintf(&text, "%s interface %d %s %d of %d id %s %s\n", info.Timestamp.UTC().Format("15:04:05.000000000"), info.InterfaceIndex, direction, len(data), info.Length,
			id, hex.EncodeToString(data[:min(len(data), 24)]))
		for _, c := range o.Comments {
			fmt.Fprintf(&text, "  %s\n", c)
		}
	}
	var head strings.Builder
	for i := range r.NInterfaces() {
		about, err := r.Interface(i)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&head, "interface %d: %s; %s; link %d, times %d\n", i, about.Name, about.Description, about.LinkType, about.TimestampResolution)
	}
	return head.String() + text.String(), nil
}

// TestGoldens exports traces, with first appearances and with all.
func TestGoldens(t *testing.T) {
	decodetest.RunGoldens(t, decodetest.Goldens(t, "trace", 5), func(text []byte) string {
		var all []string
		for _, o := range []Options{{}, {AllComponents: true}} {
			file, notes, err := exported(t, etltest.MustParse(t, string(text)), o)
			got, unreadable := dump(file)
			if unreadable != nil {
				t.Fatal(unreadable)
			}
			for _, note := range notes {
				got += "note: " + note + "\n"
			}
			if err != nil {
				got += "error: " + err.Error() + "\n"
			}
			all = append(all, got)
		}
		if all[0] == all[1] {
			return all[0]
		}
		return all[0] + "all components:\n" + all[1]
	})
}

// TestBlocks compares a file with blocks written by hand.
func TestBlocks(t *testing.T) {
	trace := etltest.MustParse(t, `trace build=14393 start=2024-05-01T12:00:00Z
event64 provider=2ed6006e-4729-4609-b423-3ee7bcd678ef id=1001 kw=0x1c0000001 pid=4 tid=8 t=+1us payload=u32:7|7|5,hex:0102030405`)
	file, _, err := exported(t, trace, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		// Section header: magic 1A2B3C4D, version 1.0, unknown length, shb_userappl (4), end of options.
		"0a0d0d0a 30000000 4d3c2b1a 01000000 ffffffffffffffff 0400 0b00 65746c3270617271756574 00 00000000 30000000",
		// Interface: Ethernet (1), no limit, if_name (2) "adapter 7", if_tsresol (9) 10^-9.
		"01000000 30000000 0100 0000 00000000 0200 0900 616461707465722037 000000 0900 0100 09 000000 00000000 30000000",
		// Packet: interface 0, 2024-05-01T12:00:00.000001Z in ns, 5 of 5 bytes, comment (1), epb_flags (2) outbound.
		"06000000 44000000 00000000 995bcb17 e88363f8 05000000 05000000 0102030405 000000" +
			" 0100 0a00 70726f636573733a2034 0000 0200 0400 02000000 00000000 44000000",
	}, "")
	want = strings.ReplaceAll(want, " ", "")
	if got := hex.EncodeToString(file); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSeveralTraces merges traces by time; names of interfaces begin with the trace.
func TestSeveralTraces(t *testing.T) {
	folder := t.TempDir()
	var paths []string
	for i, name := range []string{"a", "b"} {
		text := "trace build=14393 start=2024-05-01T12:00:00Z\n"
		for j := range 3 {
			text += fmt.Sprintf("event64 provider=2ed6006e-4729-4609-b423-3ee7bcd678ef id=1001 kw=0xc0000001 t=+%dus payload=u32:7|7|2,u8:%d|%d\n", 1+j*2+i, i, j)
		}
		path := filepath.Join(folder, name+".etl")
		testenv.WriteFile(t, path, etltest.MustParse(t, text))
		paths = append(paths, path)
	}
	file, _, err := exportFiles(t.Context(), Options{}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := dump(file)
	if err != nil {
		t.Fatal(err)
	}
	const want = `interface 0: a: adapter 7; ; link 147, times 9
interface 1: b: adapter 7; ; link 147, times 9
12:00:00.000001000 interface 0 - 2 of 2 id - 0000
12:00:00.000002000 interface 1 - 2 of 2 id - 0100
12:00:00.000003000 interface 0 - 2 of 2 id - 0001
12:00:00.000004000 interface 1 - 2 of 2 id - 0101
12:00:00.000005000 interface 0 - 2 of 2 id - 0002
12:00:00.000006000 interface 1 - 2 of 2 id - 0102
`
	if want := strings.ReplaceAll(want, "link 147", "link 1"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestRealTraces exports real traces: PktMon.etl has 114 appearances of 38 packets, other traces have
// none, and say what they have.
func TestRealTraces(t *testing.T) {
	path := testenv.Shared(t, "traces/PktMon.etl")
	for _, c := range []struct {
		all  bool
		want int
	}{{false, 38}, {true, 114}} {
		file, _, err := exportFiles(t.Context(), Options{AllComponents: c.all}, path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := dump(file)
		if got := strings.Count(text, " 98 of 98 "); got != c.want || err != nil {
			t.Errorf("all components %v: %d packets of 98 bytes, want %d: %v", c.all, got, c.want, err)
		}
	}
	for name, want := range map[string]string{
		"KernelNetwork.etl": "no packets; 8,923 Microsoft-Windows-Kernel-Network events: see the view connections",
		"net.4.5.2.x86.etl": "no packets; 478 TcpIp events, 48 UdpIp events, 4 Microsoft-Windows-DNS-Client events: see the view connections",
		"lxcore_kernel.etl": `no packets: pktmon with packet capture and "netsh trace start capture=yes" record them`,
	} {
		file, _, err := exportFiles(t.Context(), Options{}, testenv.Shared(t, "traces/"+name))
		if !errors.Is(err, ErrNoPackets) || err.Error() != want || len(file) > 0 {
			t.Errorf("%s: %d bytes, %v; want %s", name, len(file), err, want)
		}
	}
}
