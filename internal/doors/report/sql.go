package report

// The statements behind the figures of a page. Each gives the numbers of its figure for all traces of the
// page; a test compares them. The page adds a range of time if one is selected.
const (
	// processSQL names the process of a sample as the page does.
	processSQL = `CASE WHEN thread_id = 0 THEN 'interrupts while idle' ELSE coalesce(process_name || ' (' || process_id || ')', process_name, 'process ' || process_id, 'unknown process') END`

	sqlProcesses = `SELECT ` + processSQL + ` AS process, count(*) AS samples
FROM cpu_samples
WHERE is_idle IS NOT TRUE
GROUP BY process ORDER BY samples DESC`

	sqlFunctions = `SELECT nullif(CASE WHEN stack_id IS NULL THEN function ELSE stack_functions[1] END, '') AS function,
  nullif(CASE WHEN stack_id IS NULL THEN module ELSE stack_modules[1] END, '') AS module, count(*) AS samples
FROM cpu_samples
WHERE is_idle IS NOT TRUE
GROUP BY 1, 2 ORDER BY samples DESC`

	sqlStacks = `SELECT process_name, event_name, count(*) AS events
FROM stack_events
GROUP BY process_name, event_name ORDER BY events DESC`

	sqlSwitches = `SELECT process_name, process_id, count(ran_ns) AS times, sum(ran_ns) AS ran_ns
FROM context_switches
WHERE thread_id <> 0
GROUP BY process_name, process_id ORDER BY ran_ns DESC`

	sqlDisk = `SELECT operation, count(*) AS transfers, sum(disk_ns) AS disk_ns
FROM disk_io
GROUP BY operation ORDER BY operation`

	sqlFaults = `SELECT count(*) AS faults, sum(duration_ns) AS wait_ns
FROM page_faults
WHERE kind = 'hard'`

	sqlFaultFiles = `SELECT file_name, count(*) AS faults, sum(duration_ns) AS wait_ns
FROM page_faults
WHERE kind = 'hard'
GROUP BY file_name ORDER BY wait_ns DESC NULLS LAST`

	sqlCollections = `SELECT generation, count(*) AS collections, sum(pause_ns) AS pause_ns
FROM gc
GROUP BY generation ORDER BY generation`

	sqlCompiled = `SELECT count(jit_ns) AS methods, sum(jit_ns) AS jit_ns
FROM jit`

	sqlProviders = `SELECT coalesce(provider_name, provider_id, '(unknown)') AS provider, count(*) AS events
FROM events
GROUP BY provider ORDER BY events DESC`

	sqlKinds = `SELECT provider_name, event_name, count(*) AS events
FROM events
GROUP BY provider_name, event_name ORDER BY events DESC`

	sqlErrors = `SELECT level, count(*) AS events
FROM events
WHERE level BETWEEN 1 AND 3
GROUP BY level ORDER BY level`

	sqlErrorKinds = `SELECT provider_name, event_name, level, count(*) AS events
FROM events
WHERE level BETWEEN 1 AND 2
GROUP BY provider_name, event_name, level ORDER BY events DESC`

	sqlLost = `SELECT trace, events_lost, buffers_lost
FROM traces`

	sqlRaw = `SELECT provider_name, event_name, sum(payloads_raw) AS payloads_raw
FROM event_types
WHERE payloads_raw > 0
GROUP BY provider_name, event_name ORDER BY payloads_raw DESC`
)
