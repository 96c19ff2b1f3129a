package report

import (
	"math"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

// longest is the event of a lane that took the longest.
type longest struct {
	ns, at        int64
	process, file string
}

// disk returns the lane of transfers, with the bytes as counts of a second series each.
func (s *source) disk(a *axis, of *facts) (*lane, longest, error) {
	l := &lane{id: "disk", title: "Disk", unit: unitTime, sql: sqlDisk}
	var most longest
	for _, kind := range []struct{ name, event string }{
		{"read", "read"}, {"write", "write"}, {"flush", "flushbuffers"},
		{"optical read", "opticalread"}, {"optical write", "opticalwrite"}, {"optical flush", "opticalflushbuffers"},
	} {
		to := a.newSeries(l, kind.name)
		err := s.each(etl2parquet.Scan{Table: "diskio_" + kind.event, Columns: []string{"clock_ns", "high_res_response_time", "process_id", "process_name", "file_name"}}, func(r *row) {
			ns := r.or(0, 0)
			a.count(to, ns)
			ticks, ok := r.number(1)
			frequency := of.frequencies[r.trace()]
			if !ok || frequency == 0 {
				return
			}
			took := math.Round(float64(uint64(ticks)) * 1e9 / float64(frequency))
			if took < 0 || took >= math.MaxInt64 {
				return
			}
			a.spread(to, ns-int64(took), ns)
			if int64(took) > most.ns {
				id, known := r.number(2)
				most = longest{int64(took), ns, s.process(r.trace(), r.text(3), id, known), strings.Clone(r.text(4))}
			}
		})
		if err != nil {
			return nil, most, err
		}
	}
	return l, most, nil
}

// faults returns the lane of hard page faults.
func (s *source) faults(a *axis) (*lane, longest, error) {
	l := &lane{id: "faults", title: "Hard page faults", unit: unitTime, sql: sqlFaults}
	var most longest
	to := a.newSeries(l, "waiting for a page")
	err := s.each(etl2parquet.Scan{Table: "pagefault_hardfault", Columns: []string{"time_ns", "initial_time_ns", "process_id", "process_name", "file_name"}}, func(r *row) {
		ns := r.or(0, 0)
		a.count(to, ns)
		from, ok := r.number(1)
		if !ok || from > ns {
			return
		}
		a.spread(to, from, ns)
		if ns-from > most.ns {
			id, known := r.number(2)
			most = longest{ns - from, from, s.process(r.trace(), r.text(3), id, known), strings.Clone(r.text(4))}
		}
	})
	return l, most, err
}

// network returns the lane of bytes sent and received, by the kernel's events or, without them, by those of
// Microsoft-Windows-Kernel-Network.
func (s *source) network(a *axis) (*lane, error) {
	l := &lane{id: "network", title: "Network", unit: unitBytes}
	sent, received := a.newSeries(l, "sent"), a.newSeries(l, "received")
	for _, of := range networkTables {
		to := sent
		if of.received {
			to = received
		}
		err := s.each(etl2parquet.Scan{Table: of.table, Columns: []string{"clock_ns", "size"}}, func(r *row) {
			a.add(to, r.or(0, 0), max(r.or(1, 0), 0))
		})
		if err != nil {
			return nil, err
		}
		if has, err := s.has(of.table); err != nil {
			return nil, err
		} else if has {
			if l.sql != "" {
				l.sql += "UNION ALL "
			}
			l.sql += "SELECT '" + to.name + "' AS direction, size FROM " + of.table + "\n"
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

// counted are lanes that count events of one table.
var counted = []struct{ id, title, table, column, what, sql string }{
	{"requests", "Requests", "microsoft_windows_httpservice_recvreq", "", "HTTP requests", "SELECT count(*) AS requests FROM microsoft_windows_httpservice_recvreq"},
	{"packets", "Packets", "microsoft_windows_pktmon_160", "appearance_count", "packets", "SELECT count(*) AS packets FROM microsoft_windows_pktmon_160 WHERE appearance_count = 1"},
}

// counts returns the lanes of counted events.
func (s *source) counts(a *axis) (list []*lane, err error) {
	for _, of := range counted {
		l := &lane{id: of.id, title: of.title, unit: unitCount, sql: of.sql}
		to := a.newSeries(l, of.what)
		columns := []string{"clock_ns"}
		if of.column != "" {
			columns = append(columns, of.column)
		}
		err := s.each(etl2parquet.Scan{Table: of.table, Columns: columns}, func(r *row) {
			if of.column == "" || r.or(1, 1) == 1 {
				a.count(to, r.or(0, 0))
			}
		})
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}
