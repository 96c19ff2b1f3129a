package report

import (
	"math"
	"strings"
)

// longest is the event of a lane that took the longest.
type longest struct {
	ns, start     int64
	process, file string
}

// flushRow is a row of a table of flushes.
type flushRow struct {
	processRow
	Time  int64  `column:"clock_ns"`
	Ticks *int64 `column:"high_res_response_time"`
}

// transferRow is a row of a table of reads or writes.
type transferRow struct {
	flushRow
	File string `column:"file_name"`
}

// disk returns the lane of transfers, with a series of each operation.
func (s *source) disk(a *axis, f *facts) (*lane, longest, error) {
	l := &lane{id: "disk", title: "Disk", unit: unitTime, sql: sqlDisk}
	var slowest longest
	for _, kind := range []struct {
		name, event string
		hasFile     bool
	}{
		{"read", "read", true}, {"write", "write", true}, {"flush", "flushbuffers", false},
		{"optical read", "opticalread", true}, {"optical write", "opticalwrite", true}, {"optical flush", "opticalflushbuffers", false},
	} {
		to := a.newSeries(l, kind.name)
		add := func(row *flushRow, file string) {
			a.count(to, row.Time)
			frequency := f.frequencies[row.Trace]
			if row.Ticks == nil || frequency == 0 {
				return
			}
			took := math.Round(float64(uint64(*row.Ticks)) * 1e9 / float64(frequency))
			if took < 0 || took >= math.MaxInt64 {
				return
			}
			a.spread(to, row.Time-int64(took), row.Time)
			if int64(took) > slowest.ns {
				slowest = longest{int64(took), row.Time, s.process(&row.processRow), strings.Clone(file)}
			}
		}
		var err error
		if kind.hasFile {
			err = each(s, "diskio_"+kind.event, func(row *transferRow) { add(&row.flushRow, row.File) })
		} else {
			err = each(s, "diskio_"+kind.event, func(row *flushRow) { add(row, "") })
		}
		if err != nil {
			return nil, slowest, err
		}
	}
	return l, slowest, nil
}

// faults returns the lane of hard page faults.
func (s *source) faults(a *axis) (*lane, longest, error) {
	l := &lane{id: "faults", title: "Hard page faults", unit: unitTime, sql: sqlFaults}
	var slowest longest
	to := a.newSeries(l, "waiting for a page")
	err := each(s, "pagefault_hardfault", func(row *struct {
		processRow
		Time  int64  `column:"time_ns"`
		Start *int64 `column:"initial_time_ns"`
		File  string `column:"file_name"`
	}) {
		a.count(to, row.Time)
		if row.Start == nil || *row.Start > row.Time {
			return
		}
		start := *row.Start
		a.spread(to, start, row.Time)
		if row.Time-start > slowest.ns {
			slowest = longest{row.Time - start, start, s.process(&row.processRow), strings.Clone(row.File)}
		}
	})
	return l, slowest, err
}

// sizeRow is a row of a table of bytes sent or received.
type sizeRow struct {
	Time int64 `column:"clock_ns"`
	Size int64 `column:"size"`
}

// network returns the lane of bytes sent and received, by the kernel's events or, without them, by those of
// Microsoft-Windows-Kernel-Network.
func (s *source) network(a *axis) (*lane, error) {
	l := &lane{id: "network", title: "Network", unit: unitBytes}
	sent, received := a.newSeries(l, "sent"), a.newSeries(l, "received")
	for _, events := range networkTables {
		to := sent
		if events.received {
			to = received
		}
		err := each(s, events.table, func(row *sizeRow) { a.add(to, row.Time, max(row.Size, 0)) })
		if err != nil {
			return nil, err
		}
		if has, err := s.has(events.table); err != nil {
			return nil, err
		} else if has {
			if l.sql != "" {
				l.sql += "UNION ALL "
			}
			l.sql += "SELECT '" + to.name + "' AS direction, size FROM " + events.table + "\n"
		}
	}
	l.sql = "SELECT direction, count(*) AS events, sum(size) AS bytes FROM (\n" + l.sql + ")\nGROUP BY direction ORDER BY direction DESC"
	return l, nil
}

// networkTables are the events with bytes of connections.
var networkTables = []struct {
	table    string
	received bool
}{
	{"tcpip_sendipv4", false}, {"tcpip_recvipv4", true}, {"tcpip_sendipv6", false}, {"tcpip_recvipv6", true},
	{"udpip_sendipv4", false}, {"udpip_recvipv4", true}, {"udpip_sendipv6", false}, {"udpip_recvipv6", true},
	{"microsoft_windows_kernel_network_10", false}, {"microsoft_windows_kernel_network_11", true},
	{"microsoft_windows_kernel_network_26", false}, {"microsoft_windows_kernel_network_27", true},
	{"microsoft_windows_kernel_network_42", false}, {"microsoft_windows_kernel_network_43", true},
	{"microsoft_windows_kernel_network_58", false}, {"microsoft_windows_kernel_network_59", true},
}

// clockRow is a row of any event.
type clockRow struct {
	Time int64 `column:"clock_ns"`
}

// packetRow is a row of a table of packets, each of which appears at several components.
type packetRow struct {
	clockRow
	Appearance int64 `column:"appearance_count" null:"1"`
}

// counts returns the lanes that count the events of one table.
func (s *source) counts(a *axis) ([]*lane, error) {
	requests := &lane{id: "requests", title: "Requests", unit: unitCount, sql: "SELECT count(*) AS requests FROM microsoft_windows_httpservice_recvreq"}
	packets := &lane{id: "packets", title: "Packets", unit: unitCount, sql: "SELECT count(*) AS packets FROM microsoft_windows_pktmon_160 WHERE appearance_count = 1"}
	ofRequests, ofPackets := a.newSeries(requests, "HTTP requests"), a.newSeries(packets, "packets")
	err := each(s, "microsoft_windows_httpservice_recvreq", func(row *clockRow) { a.count(ofRequests, row.Time) })
	if err != nil {
		return nil, err
	}
	err = each(s, "microsoft_windows_pktmon_160", func(row *packetRow) {
		if row.Appearance == 1 {
			a.count(ofPackets, row.Time)
		}
	})
	return []*lane{requests, packets}, err
}
