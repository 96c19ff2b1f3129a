-- rows of event_types, problems
--   rank INT64 not null: Place among the findings of the trace, from 1.
--   kind STRING not null: What it is about: reading, loss, processor, function, interrupts, wait, request, status, errors, exceptions, collection, compilation, faults, disk, locks, allocation, activity or decoding.
--   severity STRING not null: error, if the trace could not be read in full; warning, if the number is high or answers may be wrong; info.
--   finding STRING not null: The finding as a sentence.
--   value INT64 not null: Its number.
--   unit STRING not null: Unit of value: ns, bytes, or the things that it counts.
--   share DOUBLE nullable: The number as a part of the whole that the sentence names: 0 to 1. NULL if it names none.
--   process_id INT64 nullable: Process that it is about. NULL if it is about none, or the trace does not record it.
--   process_name STRING nullable: Image name of that process. NULL like process_id, or if unknown.
--   start_ns INT64 nullable: When it began, in ns since 1970-01-01 UTC. NULL if it is not about one moment.
--   sql STRING not null: Statement that shows more: value is the first column of its first row.
WITH spans AS (
  SELECT trace, nullif(CAST(max(end_ns) - min(start_ns) AS DOUBLE), 0) AS span_ns, max(events) AS events FROM traces GROUP BY trace
),
hits AS (
  SELECT trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind, coalesce(module, '') AS module, coalesce(function, '') AS function,
    count(*) AS samples, CAST(sum(interval_ns) AS BIGINT) AS ns
  FROM cpu_samples
  GROUP BY trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END, coalesce(module, ''), coalesce(function, '')
),
spent AS (SELECT *, coalesce(ns, samples) AS v, CASE WHEN ns IS NULL THEN 'samples' ELSE 'ns' END AS unit FROM hits),
used AS (
  SELECT trace, max(unit) AS unit, CAST(sum(v) AS BIGINT) AS whole, CAST(sum(CASE WHEN kind <> 'idle' THEN v ELSE 0 END) AS BIGINT) AS busy,
    CAST(sum(CASE WHEN kind IN ('dpc', 'isr') THEN v ELSE 0 END) AS BIGINT) AS interrupts
  FROM spent GROUP BY trace
),
busiest AS (
  SELECT trace, process_id, process_name, CAST(sum(v) AS BIGINT) AS v, row_number() OVER (PARTITION BY trace ORDER BY sum(v) DESC, coalesce(process_name, ''), process_id) AS place
  FROM spent WHERE kind = 'thread' GROUP BY trace, process_id, process_name
),
hottest AS (
  SELECT trace, process_id, process_name, module, function, CAST(sum(v) AS BIGINT) AS v,
    row_number() OVER (PARTITION BY trace, process_id, process_name ORDER BY sum(v) DESC, module, function) AS place
  FROM spent WHERE kind = 'thread' GROUP BY trace, process_id, process_name, module, function
),
pauses AS (
  SELECT trace, process_id, process_name, count(*) AS n, CAST(sum(pause_ns) AS BIGINT) AS v, max(pause_ns) AS longest, row_number() OVER (PARTITION BY trace ORDER BY sum(pause_ns) DESC, coalesce(process_name, ''), process_id) AS place
  FROM gc_pauses WHERE is_gc AND pause_ns IS NOT NULL GROUP BY trace, process_id, process_name
),
compiled AS (
  SELECT trace, process_id, process_name, time_ns, method, jit_ns AS v, count(*) OVER (PARTITION BY trace, process_id, process_name) AS n,
    row_number() OVER (PARTITION BY trace ORDER BY jit_ns DESC, coalesce(method, ''), event_ref) AS place
  FROM jit WHERE jit_ns IS NOT NULL
),
thrown AS (
  SELECT trace, process_id, process_name, exception_type, count(*) AS v, min(time_ns) AS start_ns,
    CAST(sum(count(*)) OVER (PARTITION BY trace, process_id, process_name) AS BIGINT) AS n,
    row_number() OVER (PARTITION BY trace, process_id, process_name ORDER BY count(*) DESC, coalesce(exception_type, '')) AS place
  FROM exceptions GROUP BY trace, process_id, process_name, exception_type
),
locks AS (
  SELECT trace, process_id, process_name, count(*) AS n, CAST(sum(wait_ns) AS BIGINT) AS v FROM contention WHERE wait_ns IS NOT NULL GROUP BY trace, process_id, process_name
),
allocated AS (
  SELECT trace, process_id, process_name, type_name, CAST(sum(bytes) AS BIGINT) AS v,
    CAST(sum(sum(bytes)) OVER (PARTITION BY trace, process_id, process_name) AS BIGINT) AS whole,
    row_number() OVER (PARTITION BY trace, process_id, process_name ORDER BY sum(bytes) DESC, coalesce(type_name, '')) AS place
  FROM allocations WHERE source = 'tick' AND bytes IS NOT NULL GROUP BY trace, process_id, process_name, type_name
),
longest AS (
  SELECT *, row_number() OVER (PARTITION BY trace ORDER BY wait_ns DESC, coalesce(process_name, ''), thread_id, event_ref) AS place FROM waits
),
slowest AS (
  SELECT *, count(*) OVER (PARTITION BY trace) AS n, row_number() OVER (PARTITION BY trace ORDER BY duration_ns DESC, coalesce(url, ''), event_ref) AS place
  FROM http_requests WHERE duration_ns IS NOT NULL
),
statuses AS (
  SELECT trace, status, count(*) AS v, CAST(sum(count(*)) OVER (PARTITION BY trace) AS BIGINT) AS n,
    row_number() OVER (PARTITION BY trace ORDER BY CASE WHEN status >= 400 THEN 0 ELSE 1 END, count(*) DESC, status) AS place
  FROM http_requests WHERE status IS NOT NULL GROUP BY trace, status
),
slow_activities AS (
  SELECT *, count(*) OVER (PARTITION BY trace) AS n, row_number() OVER (PARTITION BY trace ORDER BY duration_ns DESC, coalesce(activity, ''), event_ref) AS place
  FROM activities WHERE state = 'complete'
),
read_files AS (
  SELECT trace, file_name, count(*) AS n, CAST(sum(duration_ns) AS BIGINT) AS v, CAST(sum(sum(duration_ns)) OVER (PARTITION BY trace) AS BIGINT) AS whole,
    CAST(sum(count(*)) OVER (PARTITION BY trace) AS BIGINT) AS all_n, row_number() OVER (PARTITION BY trace ORDER BY sum(duration_ns) DESC, coalesce(file_name, '')) AS place
  FROM page_faults WHERE kind = 'hard' AND duration_ns IS NOT NULL GROUP BY trace, file_name
),
disk_files AS (
  SELECT trace, file_name, count(*) AS n, CAST(sum(disk_ns) AS BIGINT) AS v, CAST(sum(sum(disk_ns)) OVER (PARTITION BY trace) AS BIGINT) AS whole,
    CAST(sum(count(*)) OVER (PARTITION BY trace) AS BIGINT) AS all_n, row_number() OVER (PARTITION BY trace ORDER BY sum(disk_ns) DESC, coalesce(file_name, '')) AS place
  FROM disk_io WHERE disk_ns IS NOT NULL GROUP BY trace, file_name
),
logged AS (
  SELECT trace, coalesce(provider_id, '') AS provider_id, coalesce(provider_name, provider_id, '?') AS provider, CAST(sum(events) AS BIGINT) AS v, min(first_event) AS first_event,
    row_number() OVER (PARTITION BY trace ORDER BY sum(events) DESC, coalesce(provider_name, provider_id, '?'), coalesce(provider_id, '')) AS place
  -- An exception of .NET is an event of level 2, which the kind exceptions has.
  FROM event_types WHERE level BETWEEN 1 AND 2 AND coalesce(provider_id, '') <> 'e13c0d23-ccbc-4e12-931b-d9cc2eee27e4'
  GROUP BY trace, coalesce(provider_id, ''), coalesce(provider_name, provider_id, '?')
),
raw AS (
  SELECT trace, coalesce(provider_id, '') AS provider_id, coalesce(provider_name, provider_id, '?') AS provider, CAST(sum(payloads_raw + payloads_in_part) AS BIGINT) AS v,
    CAST(sum(sum(payloads_raw + payloads_in_part)) OVER (PARTITION BY trace) AS BIGINT) AS missing,
    CAST(sum(sum(payloads_raw + payloads_in_part + payloads_whole)) OVER (PARTITION BY trace) AS BIGINT) AS n,
    row_number() OVER (PARTITION BY trace ORDER BY sum(payloads_raw + payloads_in_part) DESC, coalesce(provider_name, provider_id, '?'), coalesce(provider_id, '')) AS place
  FROM event_types GROUP BY trace, coalesce(provider_id, ''), coalesce(provider_name, provider_id, '?')
),
gaps AS (
  SELECT trace, count(*) AS n, CAST(sum(lost) AS BIGINT) AS v, max(duration_ns) AS longest, min(start_ns) AS start_ns FROM lost_time WHERE kind = 'samples' GROUP BY trace
),
failures AS (
  SELECT trace, code, min(message) AS message, CAST(sum(count) AS BIGINT) AS v FROM problems WHERE severity = 'error' GROUP BY trace, code
),
found AS (
  SELECT trace, 'processor' AS kind, 'info' AS severity, CAST(80 AS DOUBLE) AS weight, busy AS value, unit AS unit,
    CAST(CAST(busy AS DOUBLE) / whole AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'The processors were busy ' || CASE WHEN CAST(busy AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(busy AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(busy AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(busy AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the time (' || CASE unit WHEN 'ns' THEN CASE WHEN busy < 9995000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN busy < 999500000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN busy < 599950000000 THEN CAST(CAST(busy / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE format('{:,}', busy) END || ' of ' || CASE unit WHEN 'ns' THEN CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE CASE WHEN whole = 1 THEN '1 sample' ELSE format('{:,}', whole) || ' samples' END END || ')' AS finding,
    CASE unit WHEN 'ns' THEN 'SELECT CAST(sum(CASE WHEN kind <> ~idle~ THEN cpu_ns ELSE 0 END) AS BIGINT) AS busy_ns, CAST(sum(cpu_ns) AS BIGINT) AS all_ns FROM cpu_usage WHERE trace = {trace}'
      ELSE 'SELECT CAST(sum(CASE WHEN kind <> ~idle~ THEN samples ELSE 0 END) AS BIGINT) AS busy, CAST(sum(samples) AS BIGINT) AS samples FROM cpu_usage WHERE trace = {trace}' END AS sql
  FROM used
  WHERE busy < whole AND busy > 0
  UNION ALL SELECT trace, 'processor' AS kind, 'info' AS severity, CAST(79 - 2 * place AS DOUBLE) AS weight, v AS value, unit AS unit,
    CAST(CAST(v AS DOUBLE) / busy AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    coalesce(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' used ' || CASE WHEN CAST(v AS DOUBLE) / busy < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / busy < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / busy) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / busy) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the processor time (' || CASE unit WHEN 'ns' THEN CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE format('{:,}', v) END || ' of ' || CASE unit WHEN 'ns' THEN CASE WHEN busy < 9995000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN busy < 999500000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN busy < 599950000000 THEN CAST(CAST(busy / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE CASE WHEN busy = 1 THEN '1 sample' ELSE format('{:,}', busy) || ' samples' END END || ')' AS finding,
    CASE unit WHEN 'ns' THEN 'SELECT CAST(sum(cpu_ns) AS BIGINT) AS used_ns, process_id, process_name FROM cpu_usage WHERE trace = {trace} AND kind = ~thread~ GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, used_ns DESC, process_name'
      ELSE 'SELECT CAST(sum(samples) AS BIGINT) AS used, process_id, process_name FROM cpu_usage WHERE trace = {trace} AND kind = ~thread~ GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, used DESC, process_name' END AS sql
  FROM (SELECT b.*, u.unit, u.busy FROM busiest AS b JOIN used AS u ON u.trace = b.trace WHERE b.place <= 3 AND b.v >= 0.1 * u.busy) AS p
  WHERE true
  UNION ALL SELECT trace, 'function' AS kind, 'info' AS severity, CAST(78 - 2 * process_place AS DOUBLE) AS weight, v AS value, unit AS unit,
    CAST(CAST(v AS DOUBLE) / whole AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'In ' || coalesce(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ', ' || CASE WHEN CAST(v AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the processor time was in '
      || CASE WHEN module = '' AND function = '' THEN 'code of no known image' WHEN function = '' THEN module || ', whose functions have no names here' WHEN module = '' THEN function ELSE module || '!' || function END
      || ' (' || CASE unit WHEN 'ns' THEN CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE format('{:,}', v) END || ' of ' || CASE unit WHEN 'ns' THEN CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE CASE WHEN whole = 1 THEN '1 sample' ELSE format('{:,}', whole) || ' samples' END END || ')' AS finding,
    CASE unit WHEN 'ns' THEN 'SELECT exclusive_ns, module, function, inclusive_ns FROM hot_functions WHERE trace = {trace} AND {process} AND kind = ~thread~ ORDER BY exclusive_ns DESC, module, function'
      ELSE 'SELECT exclusive_samples, module, function, inclusive_samples FROM hot_functions WHERE trace = {trace} AND {process} AND kind = ~thread~ ORDER BY exclusive_samples DESC, module, function' END AS sql
  FROM (SELECT h.*, u.unit, b.v AS whole, b.place AS process_place FROM hottest AS h JOIN used AS u ON u.trace = h.trace
    JOIN busiest AS b ON b.trace = h.trace AND coalesce(b.process_id, -1) = coalesce(h.process_id, -1) AND coalesce(b.process_name, '') = coalesce(h.process_name, '')
    WHERE h.place = 1 AND b.place <= 3 AND b.v >= 0.1 * u.busy AND h.v >= 0.1 * b.v) AS f
  WHERE true
  UNION ALL SELECT trace, 'interrupts' AS kind, 'warning' AS severity, CAST(72 AS DOUBLE) AS weight, interrupts AS value, unit AS unit,
    CAST(CAST(interrupts AS DOUBLE) / busy AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'Interrupts and deferred procedure calls used ' || CASE WHEN CAST(interrupts AS DOUBLE) / busy < 0.0005 THEN 'less than 0.1 %' WHEN CAST(interrupts AS DOUBLE) / busy < 0.0995 THEN CAST(CAST(100 * (CAST(interrupts AS DOUBLE) / busy) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(interrupts AS DOUBLE) / busy) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the processor time (' || CASE unit WHEN 'ns' THEN CASE WHEN interrupts < 9995000 THEN CAST(CAST(interrupts / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN interrupts < 999500000 THEN CAST(CAST(interrupts / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN interrupts < 599950000000 THEN CAST(CAST(interrupts / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(interrupts / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE format('{:,}', interrupts) END || ' of ' || CASE unit WHEN 'ns' THEN CASE WHEN busy < 9995000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN busy < 999500000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN busy < 599950000000 THEN CAST(CAST(busy / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE CASE WHEN busy = 1 THEN '1 sample' ELSE format('{:,}', busy) || ' samples' END END || ')' AS finding,
    CASE unit WHEN 'ns' THEN 'SELECT CAST(sum(cpu_ns) AS BIGINT) AS used_ns FROM cpu_usage WHERE trace = {trace} AND kind IN (~dpc~, ~isr~)'
      ELSE 'SELECT CAST(sum(samples) AS BIGINT) AS used FROM cpu_usage WHERE trace = {trace} AND kind IN (~dpc~, ~isr~)' END AS sql
  FROM used
  WHERE interrupts >= 0.1 * busy AND interrupts > 0
  UNION ALL SELECT trace, 'wait' AS kind, 'info' AS severity, CAST(70 - 0.1 * place AS DOUBLE) AS weight, wait_ns AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(start_ns AS BIGINT) AS start_ns,
    'Thread ' || CAST(thread_id AS STRING) || ' of ' || coalesce(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' waited ' || CASE WHEN wait_ns < 9995000 THEN CAST(CAST(wait_ns / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN wait_ns < 999500000 THEN CAST(CAST(wait_ns / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN wait_ns < 599950000000 THEN CAST(CAST(wait_ns / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(wait_ns / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || coalesce(' (' || reason || ')', '')
      || CASE WHEN readied_from_dpc THEN ', until a device or a timer ended the wait'
        WHEN readied_by_thread_id IS NOT NULL THEN ', until thread ' || CAST(readied_by_thread_id AS STRING) || coalesce(' of ' || readied_by_process_name, '') || ' made it ready' ELSE '' END AS finding,
    'SELECT wait_ns, process_name, thread_id, reason, readied_by_process_name, readied_by_thread_id, readied_from_dpc, seconds, stack_id FROM waits WHERE trace = {trace} AND wait_ns <= {value} ORDER BY wait_ns DESC, event_ref' AS sql
  FROM longest
  WHERE place <= 3 AND thread_id IS NOT NULL AND wait_ns >= 1000000
  UNION ALL SELECT trace, 'request' AS kind, CASE WHEN duration_ns >= 1000000000 THEN 'warning' ELSE 'info' END AS severity, CAST(68 AS DOUBLE) AS weight, duration_ns AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(time_ns AS BIGINT) AS start_ns,
    CASE WHEN n = 1 THEN 'The only HTTP request' ELSE 'The slowest of ' || format('{:,}', n) || ' HTTP requests' END || ' took ' || CASE WHEN duration_ns < 9995000 THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN duration_ns < 999500000 THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN duration_ns < 599950000000 THEN CAST(CAST(duration_ns / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(duration_ns / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || coalesce(': ' || coalesce(method || ' ', '') || substr(url, 1, 200), '') || coalesce(' (status ' || CAST(status AS STRING) || ')', '') AS finding,
    'SELECT duration_ns, method, url, status, process_name, seconds FROM http_requests WHERE trace = {trace} AND duration_ns IS NOT NULL ORDER BY duration_ns DESC, url' AS sql
  FROM slowest
  WHERE place = 1
  UNION ALL SELECT trace, 'status' AS kind, 'warning' AS severity, CAST(67 AS DOUBLE) AS weight, v AS value, 'requests' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    format('{:,}', v) || ' of ' || CASE WHEN n = 1 THEN '1 HTTP request' ELSE format('{:,}', n) || ' HTTP requests' END || ' ended with status ' || CAST(status AS STRING) AS finding,
    'SELECT count(*) AS requests, status FROM http_requests WHERE trace = {trace} AND status >= 400 GROUP BY status ORDER BY requests DESC, status' AS sql
  FROM statuses
  WHERE place = 1 AND status >= 400
  UNION ALL SELECT trace, 'errors' AS kind, 'warning' AS severity, CAST(66 - 0.1 * place AS DOUBLE) AS weight, v AS value, 'events' AS unit,
    CAST(NULL AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    provider || ' logged ' || CASE WHEN v = 1 THEN '1 error' ELSE format('{:,}', v) || ' errors' END AS finding,
    'SELECT CAST(sum(events) AS BIGINT) AS errors, provider_name, min(first_event) AS first_event FROM event_types WHERE trace = {trace} AND level BETWEEN 1 AND 2 GROUP BY provider_id, provider_name ORDER BY CASE WHEN coalesce(provider_id, ~~) = ~' || provider_id || '~ THEN 0 ELSE 1 END, errors DESC, provider_name' AS sql
  FROM logged
  WHERE place <= 5
  UNION ALL SELECT trace, 'exceptions' AS kind, 'info' AS severity, CAST(64 - 0.1 * process_place AS DOUBLE) AS weight, v AS value, 'exceptions' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(start_ns AS BIGINT) AS start_ns,
    coalesce(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' threw ' || coalesce(exception_type, 'exceptions without a type') || CASE WHEN v = 1 THEN ' once' ELSE ' ' || format('{:,}', v) || ' times' END || CASE WHEN n > v THEN ' (of ' || format('{:,}', n) || ' exceptions)' ELSE '' END AS finding,
    'SELECT count(*) AS exceptions, exception_type, min(exception_message) AS a_message, min(seconds) AS first_seconds FROM exceptions WHERE trace = {trace} AND {process} GROUP BY exception_type ORDER BY exceptions DESC, exception_type' AS sql
  FROM (SELECT *, row_number() OVER (PARTITION BY trace ORDER BY n DESC, coalesce(process_name, ''), process_id) AS process_place FROM thrown WHERE place = 1) AS x
  WHERE process_place <= 3
  UNION ALL SELECT trace, 'collection' AS kind, CASE WHEN share >= 0.1 OR longest >= 200000000 THEN 'warning' ELSE 'info' END AS severity, CAST(62 + 30 * least(coalesce(share, 0), 1) - 0.1 * place AS DOUBLE) AS weight, v AS value, 'ns' AS unit,
    CAST(share AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'Garbage collection stopped ' || coalesce(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' for ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || coalesce(' (' || CASE WHEN share < 0.0005 THEN 'less than 0.1 %' WHEN share < 0.0995 THEN CAST(CAST(100 * (share) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (share) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the time)', '') || ', in ' || CASE WHEN n = 1 THEN '1 pause' ELSE format('{:,}', n) || ' pauses' END
      || CASE WHEN n > 1 THEN ', of which the longest took ' || CASE WHEN longest < 9995000 THEN CAST(CAST(longest / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN longest < 999500000 THEN CAST(CAST(longest / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN longest < 599950000000 THEN CAST(CAST(longest / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(longest / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE '' END AS finding,
    'SELECT CAST(sum(pause_ns) AS BIGINT) AS paused_ns, count(*) AS pauses, max(pause_ns) AS longest_ns, process_id, process_name FROM gc_pauses WHERE trace = {trace} AND is_gc AND pause_ns IS NOT NULL GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, paused_ns DESC, process_name' AS sql
  FROM (SELECT p.*, p.v / s.span_ns AS share FROM pauses AS p LEFT JOIN spans AS s ON s.trace = p.trace) AS g
  WHERE place <= 3
  UNION ALL SELECT trace, 'compilation' AS kind, 'info' AS severity, CAST(60 AS DOUBLE) AS weight, v AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(time_ns AS BIGINT) AS start_ns,
    coalesce(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' compiled ' || CASE WHEN n = 1 THEN '1 method' ELSE format('{:,}', n) || ' methods' END || ' while it ran, of which ' || coalesce(method, 'the slowest') || ' took longest: ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END AS finding,
    'SELECT jit_ns, method, tier, il_bytes, native_bytes, process_name, seconds FROM jit WHERE trace = {trace} AND jit_ns IS NOT NULL ORDER BY jit_ns DESC, method' AS sql
  FROM compiled
  WHERE place = 1 AND n > 1
  UNION ALL SELECT trace, 'faults' AS kind, 'info' AS severity, CAST(58 AS DOUBLE) AS weight, CASE WHEN v >= 0.1 * whole THEN v ELSE whole END AS value, 'ns' AS unit,
    CAST(CASE WHEN v >= 0.1 * whole THEN CAST(v AS DOUBLE) / whole END AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    CASE WHEN v >= 0.1 * whole THEN 'Hard page faults that read ' || coalesce(file_name, 'unnamed files') || ' took ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || CASE WHEN v < whole THEN ' (' || CASE WHEN CAST(v AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the ' || CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ' of all)' ELSE '' END || ', in ' || format('{:,}', n) || CASE WHEN n = 1 THEN ' transfer' ELSE ' transfers' END
      ELSE 'Hard page faults took ' || CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ', in ' || CASE WHEN all_n = 1 THEN '1 transfer' ELSE format('{:,}', all_n) || ' transfers' END || ' of many files' END AS finding,
    CASE WHEN v >= 0.1 * whole THEN 'SELECT CAST(sum(duration_ns) AS BIGINT) AS total_ns, count(*) AS transfers, file_name FROM page_faults WHERE trace = {trace} AND kind = ~hard~ AND duration_ns IS NOT NULL GROUP BY file_name ORDER BY total_ns DESC, file_name'
      ELSE 'SELECT CAST(sum(duration_ns) AS BIGINT) AS total_ns, count(*) AS transfers FROM page_faults WHERE trace = {trace} AND kind = ~hard~ AND duration_ns IS NOT NULL' END AS sql
  FROM read_files
  WHERE place = 1 AND v > 0
  UNION ALL SELECT trace, 'disk' AS kind, 'info' AS severity, CAST(56 AS DOUBLE) AS weight, CASE WHEN v >= 0.1 * whole THEN v ELSE whole END AS value, 'ns' AS unit,
    CAST(CASE WHEN v >= 0.1 * whole THEN CAST(v AS DOUBLE) / whole END AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    CASE WHEN v >= 0.1 * whole THEN 'The disk for ' || coalesce(file_name, 'unnamed files') || ' took ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || CASE WHEN v < whole THEN ' (' || CASE WHEN CAST(v AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the ' || CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ' of all)' ELSE '' END || ', in ' || format('{:,}', n) || CASE WHEN n = 1 THEN ' transfer' ELSE ' transfers' END
      ELSE 'The disks took ' || CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ', in ' || CASE WHEN all_n = 1 THEN '1 transfer' ELSE format('{:,}', all_n) || ' transfers' END || ' of many files' END AS finding,
    CASE WHEN v >= 0.1 * whole THEN 'SELECT CAST(sum(disk_ns) AS BIGINT) AS total_ns, count(*) AS transfers, file_name FROM disk_io WHERE trace = {trace} AND disk_ns IS NOT NULL GROUP BY file_name ORDER BY total_ns DESC, file_name'
      ELSE 'SELECT CAST(sum(disk_ns) AS BIGINT) AS total_ns, count(*) AS transfers FROM disk_io WHERE trace = {trace} AND disk_ns IS NOT NULL' END AS sql
  FROM disk_files
  WHERE place = 1 AND v > 0
  UNION ALL SELECT trace, 'locks' AS kind, 'info' AS severity, CAST(54 - 0.1 * place AS DOUBLE) AS weight, v AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'Threads of ' || coalesce(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' waited ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ' for locks of .NET, in ' || CASE WHEN n = 1 THEN '1 wait' ELSE format('{:,}', n) || ' waits' END AS finding,
    'SELECT CAST(sum(wait_ns) AS BIGINT) AS waited_ns, count(*) AS waits, max(wait_ns) AS longest_ns, process_id, process_name FROM contention WHERE trace = {trace} AND wait_ns IS NOT NULL GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, waited_ns DESC, process_name' AS sql
  FROM (SELECT *, row_number() OVER (PARTITION BY trace ORDER BY v DESC, coalesce(process_name, ''), process_id) AS place FROM locks) AS l
  WHERE place <= 3 AND v >= 1000000
  UNION ALL SELECT trace, 'allocation' AS kind, 'info' AS severity, CAST(52 - 0.1 * process_place AS DOUBLE) AS weight, v AS value, 'bytes' AS unit,
    CAST(CAST(v AS DOUBLE) / whole AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    coalesce(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' allocated about ' || CASE WHEN v < 1024 THEN CAST(v AS STRING) || ' bytes' WHEN v < 1048576 THEN CAST(CAST(v / 1024e0 AS DECIMAL(18,1)) AS STRING) || ' KiB' WHEN v < 1073741824 THEN CAST(CAST(v / 1048576e0 AS DECIMAL(18,1)) AS STRING) || ' MiB' ELSE CAST(CAST(v / 1073741824e0 AS DECIMAL(18,1)) AS STRING) || ' GiB' END || ' of ' || coalesce(type_name, 'objects of unknown types') || ' (' || CASE WHEN CAST(v AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of ' || CASE WHEN whole < 1024 THEN CAST(whole AS STRING) || ' bytes' WHEN whole < 1048576 THEN CAST(CAST(whole / 1024e0 AS DECIMAL(18,1)) AS STRING) || ' KiB' WHEN whole < 1073741824 THEN CAST(CAST(whole / 1048576e0 AS DECIMAL(18,1)) AS STRING) || ' MiB' ELSE CAST(CAST(whole / 1073741824e0 AS DECIMAL(18,1)) AS STRING) || ' GiB' END || ')' AS finding,
    'SELECT CAST(sum(bytes) AS BIGINT) AS allocated_bytes, type_name, count(*) AS ticks FROM allocations WHERE trace = {trace} AND {process} AND source = ~tick~ AND bytes IS NOT NULL GROUP BY type_name ORDER BY allocated_bytes DESC, type_name' AS sql
  FROM (SELECT *, row_number() OVER (PARTITION BY trace ORDER BY whole DESC, coalesce(process_name, ''), process_id) AS process_place FROM allocated WHERE place = 1) AS a
  WHERE process_place <= 3 AND v >= 0.1 * whole AND v > 0 AND (process_place = 1 OR v >= 1048576)
  UNION ALL SELECT trace, 'activity' AS kind, 'info' AS severity, CAST(50 AS DOUBLE) AS weight, duration_ns AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(time_ns AS BIGINT) AS start_ns,
    'The slowest of ' || format('{:,}', n) || ' activities took ' || CASE WHEN duration_ns < 9995000 THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN duration_ns < 999500000 THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN duration_ns < 599950000000 THEN CAST(CAST(duration_ns / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(duration_ns / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || coalesce(': ' || activity, '') || coalesce(' of ' || provider_name, '') AS finding,
    'SELECT duration_ns, activity, provider_name, process_name, thread_id, seconds, activity_id FROM activities WHERE trace = {trace} AND state = ~complete~ ORDER BY duration_ns DESC, activity' AS sql
  FROM slow_activities
  WHERE place = 1 AND n > 1 AND duration_ns > 0
  UNION ALL SELECT trace, 'loss' AS kind, CASE kind WHEN 'overwritten buffers' THEN 'info' ELSE 'warning' END AS severity, CAST(CASE WHEN kind = 'events' AND share >= 0.01 OR kind = 'buffers' THEN 95 ELSE 40 END AS DOUBLE) AS weight, lost AS value, CASE WHEN kind IN ('events', 'session events') THEN 'events' ELSE 'buffers' END AS unit,
    CAST(CASE kind WHEN 'events' THEN share END AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    CASE kind WHEN 'events' THEN CASE WHEN lost = 1 THEN '1 event was' ELSE format('{:,}', lost) || ' events were' END || ' lost while the trace was recorded' || coalesce(' (' || CASE WHEN share < 0.0005 THEN 'less than 0.1 %' WHEN share < 0.0995 THEN CAST(CAST(100 * (share) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (share) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of all)', '')
      WHEN 'buffers' THEN CASE WHEN lost = 1 THEN '1 buffer was' ELSE format('{:,}', lost) || ' buffers were' END || ' lost while the trace was recorded'
      WHEN 'session events' THEN 'The session had lost ' || CASE WHEN lost = 1 THEN '1 event' ELSE format('{:,}', lost) || ' events' END || ' by the end of this file'
      WHEN 'session buffers' THEN 'The session had lost ' || CASE WHEN lost = 1 THEN '1 buffer' ELSE format('{:,}', lost) || ' buffers' END || ' by the end of this file'
      ELSE CASE WHEN lost = 1 THEN '1 older buffer was' ELSE format('{:,}', lost) || ' older buffers were' END || ' overwritten: the trace has only the end of the recording' END AS finding,
    'SELECT lost, kind FROM lost_time WHERE trace = {trace} AND kind = ~' || kind || '~' AS sql
  FROM (SELECT l.*, l.lost / nullif(CAST(l.lost + s.events AS DOUBLE), 0) AS share FROM lost_time AS l JOIN spans AS s ON s.trace = l.trace WHERE l.kind <> 'samples' AND l.lost > 0) AS l
  WHERE true
  UNION ALL SELECT trace, 'loss' AS kind, 'info' AS severity, CAST(39 AS DOUBLE) AS weight, v AS value, 'samples' AS unit,
    CAST(NULL AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(start_ns AS BIGINT) AS start_ns,
    CASE WHEN v = 1 THEN '1 sample is' ELSE format('{:,}', v) || ' samples are' END || ' missing, in ' || CASE WHEN n = 1 THEN '1 gap' ELSE format('{:,}', n) || ' gaps' END || ' of a processor, of which the longest took ' || CASE WHEN longest < 9995000 THEN CAST(CAST(longest / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN longest < 999500000 THEN CAST(CAST(longest / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN longest < 599950000000 THEN CAST(CAST(longest / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(longest / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END AS finding,
    'SELECT CAST(sum(lost) AS BIGINT) AS lost, count(*) AS gaps, max(duration_ns) AS longest_ns, min(start_ns) AS first_ns FROM lost_time WHERE trace = {trace} AND kind = ~samples~' AS sql
  FROM gaps
  WHERE v > 0
  UNION ALL SELECT trace, 'decoding' AS kind, CASE WHEN missing >= 0.01 * n THEN 'warning' ELSE 'info' END AS severity, CAST(38 AS DOUBLE) AS weight, v AS value, 'events' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    CASE WHEN v = 1 THEN '1 event of ' || provider || ' is' ELSE format('{:,}', v) || ' events of ' || provider || ' are' END || ' not decoded, or only in part (' || CASE WHEN CAST(v AS DOUBLE) / n < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / n < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / n) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / n) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of all payloads' || CASE WHEN missing > v THEN ', and ' || format('{:,}', missing - v) || ' of other providers' ELSE '' END || ')' AS finding,
    'SELECT CAST(sum(payloads_raw + payloads_in_part) AS BIGINT) AS not_whole, provider_name, provider_id FROM event_types WHERE trace = {trace} GROUP BY provider_id, provider_name ORDER BY not_whole DESC, provider_name' AS sql
  FROM raw
  WHERE place = 1 AND v > 0
  UNION ALL SELECT trace, 'reading' AS kind, 'error' AS severity, CAST(100 - 0.1 * place AS DOUBLE) AS weight, v AS value, 'problems' AS unit,
    CAST(NULL AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'The trace could not be read in full, ' || CASE WHEN v = 1 THEN 'once' ELSE format('{:,}', v) || ' times' END || ': ' || substr(message, 1, 300) AS finding,
    'SELECT CAST(sum(count) AS BIGINT) AS problems, code, min(message) AS message FROM problems WHERE trace = {trace} AND severity = ~error~ AND code = ~' || code || '~ GROUP BY code' AS sql
  FROM (SELECT *, row_number() OVER (PARTITION BY trace ORDER BY v DESC, code) AS place FROM failures) AS f
  WHERE place <= 3
),
stated AS (
  SELECT *, row_number() OVER (PARTITION BY trace ORDER BY CASE severity WHEN 'error' THEN 0 ELSE 1 END, weight DESC, value DESC, finding) AS rank FROM found
)
SELECT trace, CAST(rank AS BIGINT) AS rank, kind, severity, finding, CAST(value AS BIGINT) AS value, unit, share, process_id, process_name, start_ns,
  -- The name of the process is last, so that nothing in it is filled in.
  replace(replace(replace(replace(sql, '~', chr(39)), '{value}', CAST(value AS STRING)), '{trace}', chr(39) || replace(trace, chr(39), chr(39) || chr(39)) || chr(39)),
    '{process}', 'process_id IS NOT DISTINCT FROM ' || coalesce(CAST(process_id AS STRING), 'NULL') || ' AND process_name IS NOT DISTINCT FROM ' || coalesce(chr(39) || replace(process_name, chr(39), chr(39) || chr(39)) || chr(39), 'NULL')) AS sql
FROM stated
