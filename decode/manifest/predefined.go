package manifest

// The names that winmeta.xml defines for all providers, in lower case and without
// the prefix, with the name shown to people.
var (
	predefinedLevels = predefined(
		named{"LogAlways", 0}, named{"Critical", 1}, named{"Error", 2}, named{"Warning", 3}, named{"Informational", 4}, named{"Verbose", 5},
		named{"Always", 0}) // as in the output of tools that print a system's manifests
	predefinedOpcodes = predefined(
		named{"Info", 0}, named{"Start", 1}, named{"Stop", 2}, named{"DCStart", 3}, named{"DCStop", 4}, named{"Extension", 5},
		named{"Reply", 6}, named{"Resume", 7}, named{"Suspend", 8}, named{"Send", 9}, named{"Receive", 240})
	predefinedTasks    = predefined(named{"None", 0})
	predefinedKeywords = predefined(
		named{"AnyKeyword", 0}, named{"ResponseTime", 1 << 48}, named{"WDIContext", 1 << 49}, named{"WDIDiag", 1 << 50}, named{"SQM", 1 << 51},
		named{"AuditFailure", 1 << 52}, named{"AuditSuccess", 1 << 53}, named{"CorrelationHint", 1 << 54}, named{"EventlogClassic", 1 << 55})
	predefinedChannels = predefined(
		named{"TraceClassic", 0}, named{"System", 8}, named{"Application", 9}, named{"Security", 10}, named{"TraceLogging", 11})
)
