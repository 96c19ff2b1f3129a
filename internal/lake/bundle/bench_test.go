package bundle

// The traces of benchmarks: half kernel events and half CLR events; only kernel events;
// events described by a manifest; and TraceLogging.
const (
	benchSource       = "traces/net.4.5.2.x86.etl"
	benchKernel       = "traces/diaghub.etl"
	benchManifest     = "traces/diaghub.user_paged.1.etl"
	benchTraceLogging = "traces/ebpforwindows.etl"
)
