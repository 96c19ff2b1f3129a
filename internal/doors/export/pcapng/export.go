package pcapng

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Options say what is exported. The zero value exports the first appearance of each packet.
type Options struct {
	Scan          etl2parquet.Scan  // selects events; its Table, Columns and Limit are not used
	AllComponents bool              // every appearance of a packet: PktMon shows it at each component it passes
	Note          func(text string) // is called with remarks about the result; may be nil
}

// ErrNoPackets is the error of traces without packets. Nothing is written.
var ErrNoPackets = errors.New("no packets")

// Export writes the packets of all traces to w, in time order. An error of a single trace is an
// [facts.InputError]: the file is complete, without the rest of that trace. After any other error
// it is not complete.
func Export(ctx context.Context, t *etl2parquet.Traces, w io.Writer, o Options) error {
	names, err := readNames(ctx, t, o.Scan)
	if err != nil {
		return err
	}
	m, err := newMerge(ctx, t, o.Scan, names.numbers)
	if err != nil {
		return err
	}
	defer m.close()
	f := &file{to: w, names: names, interfaces: make(map[interfaceKey]int)}
	a := newAssembler(o.AllComponents, f.write)
	for e := m.next(); e != nil; e = m.next() {
		if err := a.add(e); err != nil {
			return err
		}
	}
	if err := errors.Join(a.finish(), f.flush()); err != nil {
		return err
	}
	o.report(a)
	if f.packets == 0 && len(m.errs) == 0 {
		return lacking(ctx, t, a)
	}
	return errors.Join(m.errs...)
}

// report reports what was left out.
func (o *Options) report(a *assembler) {
	if o.Note == nil {
		return
	}
	for _, n := range []struct {
		count int64
		text  string
	}{
		{a.noStart, "left out: the trace lacks the start of their packets"},
		{a.late, "left out: they come too long after the start of their packets"},
	} {
		if n.count > 0 {
			o.Note(texts.Counted(n.count, "fragment") + " " + n.text)
		}
	}
	if a.damaged > 0 {
		o.Note(texts.Counted(a.damaged, "damaged event") + ": see the comments of the packets")
	}
}

// networks are parts of names of providers whose events are about the network.
var networks = []string{"tcpip", "udpip", "winsock", "afd", "ndis", "pktmon", "network", "dns-client", "webio", "winhttp", "wininet", "httpservice", "smb", "wfp", "dhcp", "wlan", "vmswitch"}

// networkViews are the views of the events of providers.
var networkViews = map[string]string{
	"Microsoft-Windows-Kernel-Network": "connections", "TcpIp": "connections", "UdpIp": "connections", "Microsoft-Windows-DNS-Client": "dns_queries",
	"Microsoft-Windows-HttpService": "http_requests",
}

// maxShownProviders is the number of providers that the error of traces without packets names.
const maxShownProviders = 4

// lacking returns the error of traces without packets, which says what they have instead.
func lacking(ctx context.Context, t *etl2parquet.Traces, a *assembler) error {
	if a.noStart > 0 {
		return fmt.Errorf("%w: only %s without the start of their packets", ErrNoPackets, texts.Counted(a.noStart, "fragment"))
	}
	found := make(map[string]*netEvents)
	for _, trace := range t.All() {
		info, err := trace.Info(ctx)
		if err != nil {
			return &facts.InputError{Input: trace.Input(), Err: err}
		}
		for i := range info.EventTypes {
			countNet(found, &info.EventTypes[i])
		}
	}
	list := slices.SortedFunc(maps.Values(found), func(a, b *netEvents) int {
		return cmp.Or(cmp.Compare(b.events, a.events), cmp.Compare(a.provider, b.provider))
	})
	var has []string
	for _, n := range list {
		has = append(has, fmt.Sprintf("%s %s events", texts.Grouped(n.events), n.provider))
	}
	if len(has) > maxShownProviders {
		has = append(has[:maxShownProviders], "and others")
	}
	text := strings.Join(has, ", ")
	switch {
	case len(list) == 0:
		return fmt.Errorf("%w: pktmon with packet capture and \"netsh trace start capture=yes\" record them", ErrNoPackets)
	case networkViews[list[0].provider] != "":
		return fmt.Errorf("%w; %s: see the view %s", ErrNoPackets, text, networkViews[list[0].provider])
	case list[0].table != "":
		return fmt.Errorf("%w; %s: see tables such as %s", ErrNoPackets, text, schema.ViewName(list[0].table))
	}
	return fmt.Errorf("%w; %s", ErrNoPackets, text)
}

// netEvents are the events of a provider that are about the network.
type netEvents struct {
	provider string
	events   int64
	table    string // of its most frequent event that has one
	rows     int64  // of that table
}

// countNet counts a kind of event if its provider is about the network.
func countNet(found map[string]*netEvents, e *facts.EventTypeTotal) {
	if e.ProviderName == nil || !slices.ContainsFunc(networks, func(part string) bool { return strings.Contains(strings.ToLower(*e.ProviderName), part) }) {
		return
	}
	n := found[*e.ProviderName]
	if n == nil {
		n = &netEvents{provider: *e.ProviderName}
		found[n.provider] = n
	}
	n.events += e.Events
	if e.PayloadTable != nil && e.Events > n.rows {
		n.table, n.rows = *e.PayloadTable, e.Events
	}
}
