-- rows of microsoft_windows_dns_client_3006, microsoft_windows_dns_client_3008
--   event_ref INT64 not null: Its first event in the trace.
--   timestamp TIMESTAMP not null: When that was logged, UTC.
--   time_ns INT64 not null: The same instant in ns since 1970-01-01 UTC.
--   clock_ns INT64 nullable: The same by a clock that is never set, as in events.
--   seconds DOUBLE nullable: clock_ns in seconds since the start of the session.
--   process_id INT64 nullable: Process that asked. NULL if the trace does not record it.
--   process_name
--   thread_id
--   query_name STRING nullable: Name that it asked for.
--   query_type INT64 nullable: Number of the type of record.
--   query_type_name STRING nullable: Name of that type: A, AAAA, CNAME, ... NULL for others than the usual ones.
--   query_options UINT64 nullable: Flags of the query, DNS_QUERY_*.
--   is_network_query BOOLEAN nullable: True if the query was to ask servers. NULL if its beginning is not in the trace.
--   server_list STRING nullable: Servers that the caller chose. NULL if its beginning is not in the trace.
--   status INT64 nullable: Result, a Win32 error: 0 is success, 9003 that the name does not exist, 9701 that it has no such record. NULL if its end is not in the trace.
--   results STRING nullable: Records of the answer, separated by semicolons. NULL like status.
--   start_ns INT64 nullable: When it began, in ns since 1970-01-01 UTC. NULL if that is not in the trace.
--   duration_ns INT64 nullable: How long it took, in ns. NULL if its beginning or end is not in the trace.
WITH steps AS (
  SELECT 'start' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, query_name, CAST(query_type AS BIGINT) AS query_type, query_options,
    is_network_query <> 0 AS is_network_query, server_list, CAST(NULL AS BIGINT) AS status, CAST(NULL AS STRING) AS results FROM microsoft_windows_dns_client_3006
  UNION ALL SELECT 'end', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, query_name, CAST(query_type AS BIGINT), query_options,
    NULL, NULL, CAST(query_status AS BIGINT), query_results FROM microsoft_windows_dns_client_3008
),
following AS (
  SELECT *, lead(step) OVER queries AS next_step, lead(clock_ns) OVER queries AS next_ns, lead(status) OVER queries AS next_status, lead(results) OVER queries AS next_results,
    lag(step) OVER queries AS last_step
  FROM steps
  WINDOW queries AS (PARTITION BY trace, process_id, lower(query_name), query_type ORDER BY clock_ns, event_ref)
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, query_name, query_type,
  CASE query_type WHEN 1 THEN 'A' WHEN 2 THEN 'NS' WHEN 5 THEN 'CNAME' WHEN 6 THEN 'SOA' WHEN 12 THEN 'PTR' WHEN 15 THEN 'MX' WHEN 16 THEN 'TXT' WHEN 28 THEN 'AAAA'
    WHEN 33 THEN 'SRV' WHEN 35 THEN 'NAPTR' WHEN 43 THEN 'DS' WHEN 46 THEN 'RRSIG' WHEN 48 THEN 'DNSKEY' WHEN 52 THEN 'TLSA' WHEN 64 THEN 'SVCB' WHEN 65 THEN 'HTTPS'
    WHEN 252 THEN 'AXFR' WHEN 255 THEN 'ANY' END AS query_type_name,
  query_options, is_network_query, server_list,
  CASE WHEN step = 'end' THEN status WHEN next_step = 'end' THEN next_status END AS status,
  CASE WHEN step = 'end' THEN results WHEN next_step = 'end' THEN next_results END AS results,
  CASE WHEN step = 'start' THEN clock_ns END AS start_ns,
  CASE WHEN step = 'start' AND next_step = 'end' THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns
FROM following
WHERE step = 'start' OR coalesce(last_step, 'end') <> 'start'
