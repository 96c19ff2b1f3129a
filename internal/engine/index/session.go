package index

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxPDBs bounds the list of debug information, against hostile traces.
const maxPDBs = 4096

// Session is what a session recorded about itself: the events of the header group, and
// the names of its performance counters.
type Session struct {
	Masks     *decode.GroupMasks // at the start; nil if unknown
	EndMasks  *decode.GroupMasks
	BuildLab  string
	Partition *decode.PartitionInfo
	PDBs      []decode.ProviderPDB
	Counters  []CounterConfig // by time, once the index is made

	mergedLab string // the build lab written by the merge tools
}

// isSessionRecord reports whether Session.add reads the events with this hook.
func isSessionRecord(hook uint16) bool {
	return hook <= decode.HookPartitionInfo || hook == decode.HookCounterConfig
}

// add reads a record of the session about itself, and ignores other events.
func (s *Session) add(ev *decode.Event, hook uint16) error {
	switch hook {
	case decode.HookHeaderExtension, decode.HookEndExtension:
		masks, err := decode.ParseGroupMasks(ev.Payload())
		if err != nil {
			return err
		}
		if hook == decode.HookEndExtension {
			s.EndMasks = &masks
		} else if s.Masks == nil {
			s.Masks = &masks
		}
	case decode.HookBuildLab:
		if s.BuildLab == "" {
			s.BuildLab = decode.ParseBuildLab(ev.Payload())
		}
	case decode.HookPartitionInfo:
		partition, err := decode.ParsePartitionInfo(ev.Payload())
		if err != nil {
			return err
		}
		if s.Partition == nil {
			s.Partition = &partition
		}
	case decode.HookDbgIDRSDS:
		pdb, err := decode.ParseProviderPDB(ev.Payload())
		if err != nil {
			return err
		}
		s.addPDB(pdb)
	case decode.HookCounterConfig:
		names, err := decode.ParseCounterNames(ev.Payload())
		if err != nil {
			return err
		}
		s.addCounters(CounterConfig{ev.Time, names})
	}
	return nil
}

// isSessionClass reports whether Session.addClass reads the events of a class.
func isSessionClass(class schema.GUID, id uint32) bool {
	return id == schema.BuildLabType && class == schema.EventTraceClass || id == schema.BuildInfoType && class == schema.SysConfigClass
}

// addClass reads a classic event if it contains the build of Windows.
func (s *Session) addClass(ev *decode.Event, class schema.GUID, id uint32) {
	switch {
	case !isSessionClass(class, id):
	case class == schema.EventTraceClass && s.BuildLab == "":
		s.BuildLab = decode.ParseBuildLab(ev.Payload())
	case class == schema.SysConfigClass && s.mergedLab == "":
		s.mergedLab = decode.ParseBuildInfo(ev.Payload())
	}
}

// finish must be called after the whole file has been read.
func (s *Session) finish() {
	slices.SortStableFunc(s.Counters, func(a, b CounterConfig) int { return cmp.Compare(a.Time, b.Time) })
	s.BuildLab = cmp.Or(s.BuildLab, s.mergedLab)
}

func (s *Session) addCounters(config CounterConfig) {
	if len(s.Counters) < MaxCounterConfigs {
		s.Counters = append(s.Counters, config)
	}
}

func (s *Session) addPDB(pdb decode.ProviderPDB) {
	if len(s.PDBs) < maxPDBs && !slices.Contains(s.PDBs, pdb) {
		s.PDBs = append(s.PDBs, pdb)
	}
}

// merge adds the records of a later part of the file.
func (s *Session) merge(later *Session) {
	if s.Masks == nil {
		s.Masks = later.Masks
	}
	if later.EndMasks != nil {
		s.EndMasks = later.EndMasks
	}
	s.BuildLab, s.mergedLab = cmp.Or(s.BuildLab, later.BuildLab), cmp.Or(s.mergedLab, later.mergedLab)
	if s.Partition == nil {
		s.Partition = later.Partition
	}
	for _, pdb := range later.PDBs {
		s.addPDB(pdb)
	}
	for _, config := range later.Counters {
		s.addCounters(config)
	}
}

// MaxCounterConfigs bounds the list of configurations, against hostile traces.
const MaxCounterConfigs = 256

// CounterConfig names the performance counters that events contain from a time on.
type CounterConfig struct {
	Time  decode.Ticks
	Names []string // in the order of the values
}

// ConfigAt returns the configuration in force at a time: the last one until then or, before all,
// the first. It tries before first, the result for the previous event.
func ConfigAt(configs []CounterConfig, before int, t decode.Ticks) int {
	if before >= 0 && configs[before].Time <= t && (before+1 == len(configs) || t < configs[before+1].Time) {
		return before
	}
	later := sort.Search(len(configs), func(i int) bool { return configs[i].Time > t })
	return max(later-1, 0)
}
