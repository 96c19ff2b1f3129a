package fleets

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// kind is a kind of event of a provider.
type kind struct {
	index    int // in Truth.Kinds
	log      int
	provider etltest.GUID
	traits   []byte // of a TraceLogging provider; nil: the event is one of a manifest
	id       int
	level    uint8
	task     int
	name     string
	owner    string // the provider's name
	process  int    // an index of processes
	fields   []fieldType
	timed    bool
	duration int // of a timed kind: the usual one, µs
	status   uint32
	planted  bool // a rule says where it occurs

	schema []byte // of a TraceLogging event
}

// log is a kind of log, with kinds of event that only it has.
type log struct {
	name  string
	kinds []*kind // the most frequent first
	sums  []int   // running sums of their weights
	spare int     // the kinds before it are not planted yet
}

// makeLogs makes all kinds of event, in the order of logs and providers.
func makeLogs(o Options) []log {
	logs := make([]log, o.Logs)
	next := 0
	for i := range logs {
		l := &logs[i]
		l.name = logNames[i%len(logNames)]
		if i >= len(logNames) {
			l.name += fmt.Sprint(1 + i/len(logNames))
		}
		n := o.Kinds*(i+1)/o.Logs - o.Kinds*i/o.Logs
		providers := max(leastProviders, (n+kindsPerProvider-1)/kindsPerProvider)
		for k := range n {
			l.kinds = append(l.kinds, makeKind(o, l.name, i, k%providers, k/providers, next))
			next++
		}
		order := make([]int, len(l.kinds))
		for k := range order {
			order[k] = k
		}
		ranks := take(newStream(o.Seed, "ranks", i), &order, len(order))
		sorted := make([]*kind, len(l.kinds))
		for rank, k := range ranks {
			sorted[rank] = l.kinds[k]
		}
		l.kinds, l.spare = sorted, len(sorted)
		l.kinds[0].timed = false // so that a trace can have any number of events
	}
	return logs
}

// makeKind makes a kind of a log: the one at this place of a provider, and with this index in the
// folder. Every second provider has a manifest.
func makeKind(o Options, logName string, logIndex, provider, place, index int) *kind {
	p := newStream(o.Seed, "provider", logIndex, provider)
	s := newStream(o.Seed, "kind", index)
	k := &kind{index: index, log: logIndex, provider: p.guid(), level: pick(s, []uint8{3, 4, 4, 4, 5})}
	k.owner = fmt.Sprintf("Made-%s-%s", titled(logName), parts[provider%len(parts)])
	if provider >= len(parts) {
		k.owner += fmt.Sprint(1 + provider/len(parts))
	}
	k.process = p.between(firstLogging, len(processes)-1)
	pair := (p.below(len(verbs)*len(nouns)) + 5*place) % (len(verbs) * len(nouns)) // different: 5 and their product share no factor
	k.name = verbs[pair%len(verbs)] + nouns[pair/len(verbs)]
	for range s.between(3, 13) {
		f := pick(s, fieldTypes)
		if !slices.ContainsFunc(k.fields, func(has fieldType) bool { return has.name == f.name }) {
			k.fields = append(k.fields, f)
		}
	}
	if provider%2 == 1 {
		k.id, k.task = 100+place, 1+place
		return k
	}
	k.describeItself()
	k.timed, k.duration = s.chance(1, 4), 100*s.between(2, 400)
	return k
}

// describeItself makes k a kind of TraceLogging, whose events describe their fields.
func (k *kind) describeItself() {
	k.id, k.task = 0, 0
	k.traits = (&etltest.Traits{Name: k.owner}).Bytes()
}

func titled(word string) string { return string(word[0]-'a'+'A') + word[1:] }

// finish makes what all events of a kind have in common, when its fields are final.
func (k *kind) finish() {
	if k.traits == nil {
		return
	}
	schema := etltest.Schema{Name: k.name}
	for _, f := range k.fields {
		schema.Fields = append(schema.Fields, etltest.SchemaField{Name: f.name, In: f.in, Out: f.logOut})
	}
	k.schema = schema.Bytes()
}

// event returns an event of the kind, without its time and its place.
func (k *kind) event(s stream) etltest.Event {
	e := etltest.Event{Kind: etltest.Event64, GUID: k.provider, ID: uint16(k.id), Task: uint16(k.task), Level: k.level, Keyword: 1}
	if k.traits != nil {
		e.Channel = 11
		e.Items = []etltest.Item{{Type: etltest.ItemSchema, Data: k.schema}, {Type: etltest.ItemTraits, Data: k.traits}}
	}
	for _, f := range k.fields {
		if f.appending == nil {
			e.Payload = le.AppendUint32(e.Payload, k.status)
		} else {
			e.Payload = f.appending(e.Payload, s)
		}
	}
	return e
}

// description returns the record that describes the events of a manifest, as merge tools write it.
func (k *kind) description() (etltest.Event, error) {
	info := etltest.EventInfo{
		Provider: k.provider, ID: uint16(k.id), Level: k.level, Task: uint16(k.task), Keyword: 1,
		ProviderName: k.owner, TaskName: k.name, Message: k.name + " of %1",
	}
	for _, f := range k.fields {
		info.Fields = append(info.Fields, etltest.InfoField{Name: f.name, In: uint16(f.in), Out: f.infoOut})
	}
	payload, err := info.Bytes()
	return etltest.Event{Kind: etltest.Full64, GUID: metadataClass, Opcode: 32, Payload: payload}, err
}

// truth describes the kind.
func (k *kind) truth(logs []log) Kind {
	t := Kind{Log: logs[k.log].name, Provider: k.owner, ProviderID: k.provider.String(), Name: k.name, ID: k.id, Level: int(k.level), Timed: k.timed, Source: "manifest"}
	if k.traits != nil {
		t.Source = "tracelogging"
	}
	for _, f := range k.fields {
		t.Fields = append(t.Fields, f.name)
	}
	return t
}
