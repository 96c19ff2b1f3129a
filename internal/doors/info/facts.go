package info

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

func systemText(s *facts.Info) string {
	if s.OS == "" {
		return "not known"
	}
	text := s.OS
	if build := fmt.Sprintf("build %d", s.Build); !strings.HasSuffix(text, build) {
		text += fmt.Sprintf(" (%s, %s)", s.OSVersion, build)
	}
	if s.PointerSize == 4 || s.PointerSize == 8 {
		text += fmt.Sprintf(", %d bit", 8*s.PointerSize)
	}
	return text
}

func processorText(s *facts.Info) string {
	text := texts.Grouped(int64(s.Processors))
	if s.CPUSpeedMHz > 0 {
		text += fmt.Sprintf(" at %s MHz", texts.Grouped(int64(s.CPUSpeedMHz)))
	}
	if slices.Contains(s.LogFileModeText, "EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING") {
		text += "; the session does not record which processor an event is from"
	}
	return text
}

func zoneText(z *facts.Zone) string {
	text := "UTC" + utcOffset(z.Bias+z.StandardBias)
	if z.StandardName != "" {
		text += fmt.Sprintf(" (%s)", z.StandardName)
	}
	if z.DaylightDate != nil {
		text += ", UTC" + utcOffset(z.Bias+z.DaylightBias) + " in summer"
	}
	return text
}

// utcOffset turns a bias (UTC - local time, minutes) into an offset from UTC.
func utcOffset(bias int32) string {
	sign, minutes := "+", -int64(bias)
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	return fmt.Sprintf("%s%02d:%02d", sign, minutes/60, minutes%60)
}

func instantText(t *facts.Instant, none string) string {
	if t == nil {
		return none
	}
	return t.Time().Format("2006-01-02 15:04:05.0000000 UTC") // the precision of FILETIME
}

func durationText(s *facts.Info) string {
	if s.DurationNS == nil {
		return ""
	}
	text := texts.Elapsed(time.Duration(*s.DurationNS))
	if s.End == nil {
		text += ", to the last event"
	}
	return text
}

func bufferText(s *facts.Info) string {
	text := fmt.Sprintf("%s of %s", texts.Grouped(s.Buffers), texts.RoundSize(int64(s.BufferSize)))
	switch {
	case s.CompressionRatio == nil:
		text += fmt.Sprintf(", %s in use", texts.RoundSize(s.Uncompressed))
	case s.Compressed == s.Buffers:
		text += fmt.Sprintf(", all compressed %.2f : 1, %s in memory", *s.CompressionRatio, texts.RoundSize(s.Uncompressed))
	default:
		text += fmt.Sprintf(", %s compressed %.2f : 1, %s in memory", texts.Grouped(s.Compressed), *s.CompressionRatio, texts.RoundSize(s.Uncompressed))
	}
	return text
}

func lostText(s *facts.Info) string {
	counts := func(events, buffers *uint32) string {
		return fmt.Sprintf("%s, %s", texts.Counted(int64(*events), "event"), texts.Counted(int64(*buffers), "buffer"))
	}
	switch {
	case s.SessionEvents == nil:
		return "not known: " + notStopped(s)
	case s.EventsLost == nil:
		return "not known of this file: the session had lost " + counts(s.SessionEvents, s.SessionBuffers) + " by the end of it"
	case *s.EventsLost|*s.BuffersLost == 0:
		return "nothing, by the session's count"
	case *s.SessionEvents > *s.EventsLost || *s.SessionBuffers > *s.BuffersLost:
		return counts(s.EventsLost, s.BuffersLost) + ", in this file; the session had lost " + counts(s.SessionEvents, s.SessionBuffers) + " by the end of it"
	}
	return counts(s.EventsLost, s.BuffersLost)
}

// The kinds of file that the page explains, by their names in a summary.
var (
	realTimeBackup = decode.FileRealTimeBackup.String()
	oldLog         = decode.FileOldLog.String()
)

// kindText explains the kind of a file, or returns "" for a log file.
func kindText(s *facts.Info) string {
	switch s.FileKind {
	case realTimeBackup:
		return "buffers of a real-time session that no consumer had read (RtBackup)"
	case oldLog:
		return "log file of Windows 2000, XP or Server 2003"
	}
	return ""
}

// notStopped explains why the end is unknown.
func notStopped(s *facts.Info) string {
	if s.FileKind == realTimeBackup {
		return "such a file does not say"
	}
	return "the session was not stopped"
}

func clockText(s *facts.Info) string {
	switch {
	case s.ClockFrequency == 0 && s.FileKind == realTimeBackup:
		return "ticks without a frequency in the file: times are computed for 10,000,000 Hz"
	case s.ClockFrequency == 0:
		return s.Clock + ", of unknown frequency"
	}
	return fmt.Sprintf("%s, %s Hz", s.Clock, texts.Grouped(s.ClockFrequency))
}

// coveredText describes the time that the events of the file cover.
func coveredText(s *facts.Info) string {
	if s.FirstEvent == nil || s.Start == nil {
		return ""
	}
	from := *s.FirstEvent
	if s.CoveredFrom != nil {
		from = *s.CoveredFrom
	}
	after := func(t facts.Instant) string { return fmt.Sprintf("%.6f", time.Duration(t-*s.Start).Seconds()) }
	text := fmt.Sprintf("%s, from %s to %s s after the start", texts.Elapsed(time.Duration(*s.LastEvent-from)), after(from), after(*s.LastEvent))
	if s.Overwritten > 0 {
		text += fmt.Sprintf("; the circular file overwrote %s before", texts.Counted(s.Overwritten, "buffer"))
		if *s.FirstEvent < from {
			text += ", and kept the first ones"
		}
	}
	if s.End != nil && *s.LastEvent > *s.End {
		text += fmt.Sprintf("; the last event is %s later than the end that the header states", texts.Elapsed(time.Duration(*s.LastEvent-*s.End)))
	}
	return text
}
