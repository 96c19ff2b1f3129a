package inputs

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
)

// foreignKind is a kind of file that users mistake for a trace.
type foreignKind struct {
	at    int    // offset of begin in the file
	begin string // bytes that identify the kind
	name  string
	read  string // which program reads such a file, or what to do with it
}

const (
	textPCAP = "a capture of network packets (.pcap)"
	textDump = "a crash dump (.dmp)"
	textCTF  = "a trace of LTTng, in CTF"
	textPage = "a web page"
	textXML  = "an XML file"

	readPackets  = "Wireshark reads it"
	readDump     = "WinDbg reads it, and its !wmitrace.logsave saves the traces in it as .etl"
	readCTF      = "babeltrace2 reads it"
	readPage     = "the server sent a page instead of the file: download the file again"
	readManifest = "name a manifest as a description of events, not as a trace; a .wprp profile is input for WPR"
)

// foreignKinds are the kinds known by their first bytes. A trace begins with the
// size of its first buffer, and none of these bytes is a possible size.
var foreignKinds = []foreignKind{
	{0, "ElfFile\x00", "a Windows event log (.evtx)", "Get-WinEvent -Path or evtx_dump reads it"},
	{4, "LfLe", "an event log of Windows XP (.evt)", "wevtutil epl /lf:true converts it to .evtx"},
	{0, "PML_", "a log of Process Monitor (.pml)", "Process Monitor reads it, and saves it as CSV or XML"},
	{0, "Nettrace", "a trace of .NET's EventPipe (.nettrace)", "PerfView reads it, and dotnet-trace convert converts it"},
	{0, "\x14\x00\x00\x00!FastSerialization.1", "a file of PerfView (.etlx) or an old EventPipe trace (.netperf)", "PerfView reads it"},
	{0, "\x0a\x0d\x0d\x0a", "a capture of network packets (.pcapng)", readPackets},
	{0, "\xd4\xc3\xb2\xa1", textPCAP, readPackets},
	{0, "\xa1\xb2\xc3\xd4", textPCAP, readPackets},
	{0, "\x4d\x3c\xb2\xa1", textPCAP, readPackets}, // times in ns
	{0, "\xa1\xb2\x3c\x4d", textPCAP, readPackets},
	{0, "GMBU", "a capture of Network Monitor (.cap)", readPackets},
	{0, "PERFILE2", "a profile of Linux perf (perf.data)", "perf script reads it"},
	{0, "MDMP", textDump, readDump},
	{0, "PAGEDU64", textDump, readDump},
	{0, "PAGEDUMP", textDump, readDump},
	{0, "\xc1\x1f\xfc\xc1", textCTF, readCTF}, // stream
	{0, "\xc1\xfc\x1f\xc1", textCTF, readCTF},
	{0, "\x57\x1d\xd1\x75", textCTF, readCTF}, // metadata
	{0, "\x75\xd1\x1d\x57", textCTF, readCTF},
	{0, "SQLite format 3\x00", "a SQLite database", "sqlite3 or DuckDB reads it"},
	{0, "PAR1", "a Parquet file", "DuckDB reads it as it is"},
	{0, "Microsoft C/C++ MSF 7.00", "a file of symbols (.pdb)", "it, or TMF files that tracepdb makes of it, can describe WPP messages"},
	{0, "<?xml", textXML, readManifest},
	{0, "\xef\xbb\xbf<?xml", textXML, readManifest},
	{0, "\xff\xfe<\x00?\x00x\x00", textXML, readManifest},
	{0, "<WindowsPerformanceRecorder", "a profile of WPR (.wprp)", "wpr -start takes it, and wpr -stop writes a trace"},
	{0, "<instrumentationManifest", "an instrumentation manifest", "name it as a description of events"},
	{0, "<!DOCTYPE html", textPage, readPage},
	{0, "<!doctype html", textPage, readPage},
	{0, "<html", textPage, readPage},
	{0, "version https://git-lfs.github.com/", "a pointer of Git LFS", "git lfs pull fetches the file"},
	{0, "MZ", "a program or a library (.exe, .dll, .sys)", "its PDB names functions and describes WPP messages"},
	{0, "regf", "a hive of the registry", "regedit or reglookup reads it"},
	{0, "\x89PNG", "a picture (.png)", "name the trace"},
	{0, "%PDF-", "a PDF", "name the trace"},
	{0, "Rar!\x1a\x07", "a RAR archive", "unpack it first, with unrar or 7z"},
	{0, "\x04\x22\x4d\x18", "an LZ4 file", "expand it first, with lz4 -d"},
	{0, "MSWIM\x00\x00\x00", "a WIM image", "unpack it first, with 7z or DISM"},
}

// counterLog is known by its name. Since Windows XP a counter log consists of
// trace buffers; one that can be read as a trace is read.
var counterLog = foreignKind{begin: ".blg", name: "a log of performance counters (.blg)", read: "relog -f csv converts it"}

// textFile has no first bytes that identify it.
var textFile = foreignKind{name: "a text file", read: "name a manifest, a MOF or a TMF file as a description of events, not as a trace"}

// foreignError returns an error for a file that is empty or of a known kind other than a trace, by
// its name and its first bytes, or nil.
func foreignError(name string, head []byte) error {
	if len(head) == 0 {
		return fmt.Errorf("%w: the file is empty", decode.ErrNotETL)
	}
	for i := range foreignKinds {
		kind := &foreignKinds[i]
		if len(head) > kind.at && bytes.HasPrefix(head[kind.at:], []byte(kind.begin)) {
			return &foreignKindError{kind}
		}
	}
	switch {
	case strings.HasSuffix(strings.ToLower(name), counterLog.begin) && !beginsLikeTrace(head):
		return &foreignKindError{&counterLog}
	case isText(head):
		return &foreignKindError{&textFile}
	}
	return nil
}

// isText reports whether a file with these first bytes is a text: none of them is a control
// character, except those that texts have.
func isText(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) { // UTF-16
		return len(head) >= 4 && (head[2] == 0) != (head[3] == 0)
	}
	for _, b := range head {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' || b == 0x7f {
			return false
		}
	}
	return true
}

// foreignKindError is the error for a file of another kind.
type foreignKindError struct{ kind *foreignKind }

func (e *foreignKindError) Error() string {
	return fmt.Sprintf("%v but %s: %s", decode.ErrNotETL, e.kind.name, e.kind.read)
}

func (e *foreignKindError) Unwrap() error { return decode.ErrNotETL }
