package interop_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/doors/export/pcapng"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// sharkFields are the fields of tshark that are compared with the view packets, by its names.
var sharkFields = []string{
	"frame.time_epoch", "frame.len", "frame.cap_len", "frame.packet_flags_direction", "eth.src", "eth.dst", "ieee8021ad.id", "vlan.id",
	"ip.src", "ipv6.src", "arp.src.proto_ipv4", "ip.dst", "ipv6.dst", "arp.dst.proto_ipv4", "ip.proto",
	"tcp.srcport", "udp.srcport", "sctp.srcport", "tcp.dstport", "udp.dstport", "sctp.dstport", "icmp.type", "icmpv6.type", "icmp.code", "icmpv6.code",
}

// viewQuery selects the same of the packets that an export has: the first appearance of each, or all.
const viewQuery = `SELECT time_ns, wire_length, captured_length, direction, source_mac, destination_mac, vlan_id, source_address, destination_address,
  CASE WHEN ether_type = 2048 THEN ip_protocol END AS ip_protocol, source_port, destination_port, icmp_type, icmp_code
FROM (SELECT *, row_number() OVER (PARTITION BY trace, packet_group, packet_number ORDER BY time_ns, event_ref) AS nth FROM packets) AS p
WHERE %s OR nth = 1 OR packet_group IS NULL OR appearance = 1 AND drop_reason IS NULL
ORDER BY time_ns, event_ref`

// TestPackets exports the packets of PktMon.etl and of the traces that test the view packets, and
// compares what tshark and capinfos read with the rows of the view.
func TestPackets(t *testing.T) {
	tshark, capinfos, duckdb := testenv.Tool(t, "tshark"), testenv.Tool(t, "capinfos"), interop.FindDuckDB(t)
	inputs := map[string][]string{"PktMon.etl": {testenv.Shared(t, "traces/PktMon.etl")}, "ndiscap-older-form.etl": {testenv.Shared(t, "cases/ndiscap-older-form.etl")}}
	for _, c := range viewstest.Read(t, viewsFolder) {
		if c.View == "packets" && c.Name != "cut headers" { // tshark reads whole headers only
			inputs[c.Name] = c.WriteTraces(t, t.TempDir())
		}
	}
	total := 0
	for name, paths := range inputs {
		for _, all := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/all components %v", name, all), func(t *testing.T) {
				folder := t.TempDir()
				file := filepath.Join(folder, "packets.pcapng")
				exportPackets(t, file, paths, all)
				want := packetsOfView(t, duckdb, filepath.Join(folder, "out"), paths, all)
				got := packetsOfShark(t, tshark, file)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-view +tshark:\n%s", diff)
				}
				size := int64(0)
				for _, row := range want {
					n, err := strconv.ParseInt(row[1], 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					size += n
				}
				if packets, bytes := countCapture(t, capinfos, file); packets != len(want) || bytes != size || len(want) == 0 {
					t.Errorf("capinfos: %d packets with %d bytes, want %d with %d", packets, bytes, len(want), size)
				}
				total += len(want)
			})
		}
	}
	t.Logf("%d packets are equal", total)
}

// exportPackets writes the packets of traces as a file.
func exportPackets(t *testing.T, path string, inputs []string, all bool) {
	t.Helper()
	traces, err := etl2parquet.OpenAll(t.Context(), inputs, etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close()
	var out bytes.Buffer
	if err := pcapng.Export(t.Context(), traces, &out, pcapng.Options{AllComponents: all}); err != nil {
		t.Fatal(err)
	}
	testenv.WriteFile(t, path, out.Bytes())
}

// packetsOfView returns the packets in the view.
func packetsOfView(t *testing.T, duckdb, root string, inputs []string, all bool) [][]string {
	t.Helper()
	if err := convertAll(root, inputs); err != nil {
		t.Fatal(err)
	}
	sql := testenv.ReadFile(t, filepath.Join(root, dataset.ViewsFile))
	cmd := exec.CommandContext(t.Context(), duckdb, "-init", os.DevNull, "-batch", "-bail", "-csv", "-noheader", "-nullvalue", "")
	cmd.Stdin = strings.NewReader(string(sql) + fmt.Sprintf(viewQuery, strconv.FormatBool(all)) + ";\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// packetsOfShark returns the packets as tshark reads them, in the form of the view.
func packetsOfShark(t *testing.T, tshark, file string) (rows [][]string) {
	t.Helper()
	args := []string{"-n", "-r", file, "-T", "fields", "-E", "separator=|", "-E", "occurrence=f", "-o", "ip.defragment:false", "-o", "ipv6.defragment:false"}
	for _, f := range sharkFields {
		args = append(args, "-e", f)
	}
	out, err := exec.CommandContext(t.Context(), tshark, args...).Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	directions := map[string]string{"0x00000001": "received", "0x00000002": "sent"}
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		f := make(map[string]string)
		for i, value := range strings.Split(line, "|") {
			f[sharkFields[i]] = value
		}
		first := func(names ...string) string {
			for _, name := range names {
				if f[name] != "" {
					return f[name]
				}
			}
			return ""
		}
		rows = append(rows, []string{
			strings.ReplaceAll(f["frame.time_epoch"], ".", ""), f["frame.len"], f["frame.cap_len"], directions[f["frame.packet_flags_direction"]],
			f["eth.src"], f["eth.dst"], first("ieee8021ad.id", "vlan.id"),
			first("ip.src", "ipv6.src", "arp.src.proto_ipv4"), first("ip.dst", "ipv6.dst", "arp.dst.proto_ipv4"), f["ip.proto"],
			first("tcp.srcport", "udp.srcport", "sctp.srcport"), first("tcp.dstport", "udp.dstport", "sctp.dstport"),
			first("icmp.type", "icmpv6.type"), first("icmp.code", "icmpv6.code"),
		})
	}
	return rows
}

var captureCounts = regexp.MustCompile(`Number of packets: +(\d+)\s[\s\S]*Data size: +(\d+) `)

// countCapture returns what capinfos counts: packets, and their bytes on the wire.
func countCapture(t *testing.T, capinfos, file string) (packets int, size int64) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), capinfos, "-c", "-d", "-M", file).Output()
	if err != nil {
		t.Fatalf("capinfos: %v", err)
	}
	m := captureCounts.FindSubmatch(out)
	if m == nil {
		t.Fatalf("capinfos printed %s", out)
	}
	packets, err = strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	size, err = strconv.ParseInt(string(m[2]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return packets, size
}
