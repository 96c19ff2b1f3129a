package schema

// The tables of names for columns of headers and of the trace.
const (
	EventFlagsValues    = "event_flags"
	EventPropertyValues = "event_property"
	MessageFlagsValues  = "message_flags"
)

// headerValues names the numbers in headers of events and in the trace header, which are
// not fields of payloads.
func headerValues() []*Values {
	return []*Values{
		{Name: EventFlagsValues, Ref: "evntcons.h, EVENT_HEADER_FLAG_*",
			Doc:   "Flags of an EVENT_HEADER. Windows writes only EXTENDED_INFO to a file; consumers see the others.",
			Flags: true,
			Names: []ValueName{
				{0x001, "EVENT_HEADER_FLAG_EXTENDED_INFO"},
				{0x002, "EVENT_HEADER_FLAG_PRIVATE_SESSION"},
				{0x004, "EVENT_HEADER_FLAG_STRING_ONLY"},
				{0x008, "EVENT_HEADER_FLAG_TRACE_MESSAGE"},
				{0x010, "EVENT_HEADER_FLAG_NO_CPUTIME"},
				{0x020, "EVENT_HEADER_FLAG_32_BIT_HEADER"},
				{0x040, "EVENT_HEADER_FLAG_64_BIT_HEADER"},
				{0x080, "EVENT_HEADER_FLAG_DECODE_GUID"},
				{0x100, "EVENT_HEADER_FLAG_CLASSIC_HEADER"},
				{0x200, "EVENT_HEADER_FLAG_PROCESSOR_INDEX"},
			}},
		{Name: EventPropertyValues, Ref: "evntcons.h, EVENT_HEADER_PROPERTY_*",
			Doc:   "EventProperty of an EVENT_HEADER.",
			Flags: true,
			Names: []ValueName{
				{0x1, "EVENT_HEADER_PROPERTY_XML"},
				{0x2, "EVENT_HEADER_PROPERTY_FORWARDED_XML"},
				{0x4, "EVENT_HEADER_PROPERTY_LEGACY_EVENTLOG"},
				{0x8, "EVENT_HEADER_PROPERTY_RELOGGABLE"},
			}},
		{Name: MessageFlagsValues, Ref: "evntrace.h, TRACE_MESSAGE_*",
			Doc:   "OptionFlags of a MESSAGE_TRACE_HEADER: which optional fields follow, and the size of pointers among the arguments.",
			Flags: true,
			Names: []ValueName{
				{0x01, "TRACE_MESSAGE_SEQUENCE"},
				{0x02, "TRACE_MESSAGE_GUID"},
				{0x04, "TRACE_MESSAGE_COMPONENTID"},
				{0x08, "TRACE_MESSAGE_TIMESTAMP"},
				{0x10, "TRACE_MESSAGE_PERFORMANCE_TIMESTAMP"},
				{0x20, "TRACE_MESSAGE_SYSTEMINFO"},
				{0x40, "TRACE_MESSAGE_POINTER32"},
				{0x80, "TRACE_MESSAGE_POINTER64"},
			}},
		{Name: "timer_source", Ref: "HAL_PLATFORM_TIMER_SOURCE, as several projects give it after Geoff Chappell's page; seen: 2 and 6 on Windows 7",
			Doc: "Hardware timers: 1 the 8254 (PIT), 2 the real-time clock, 3 the ACPI timer, 5 HPET, 6 the processor's counter (TSC), 7 and 10 of a hypervisor, 9 APIC, 13 the generic timer of ARM.",
			Names: numbered(0,
				"HalPlatformTimerNotSpecified", "HalPlatformTimer8254", "HalPlatformTimerRtc", "HalPlatformTimerAcpi",
				"HalPlatformTimerAcpiBroken", "HalPlatformTimerHpet", "HalPlatformTimerProcessorCounter",
				"HalPlatformTimerHvReferenceTime", "HalPlatformTimerSfi", "HalPlatformTimerApic",
				"HalPlatformTimerHvSynthetic", "HalPlatformTimerCustom", "HalPlatformTimerCycleCounter",
				"HalPlatformTimerGit")},
	}
}
