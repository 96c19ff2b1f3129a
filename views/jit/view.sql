-- rows of microsoft_windows_dotnetruntime_method_jittingstarted
--   event_ref
--   timestamp TIMESTAMP not null: When the compilation began, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that compiled it. NULL if the trace does not record it.
--   clr_instance_id INT32 nullable: The runtime within the process. NULL before .NET 4.
--   method STRING nullable: Namespace, type and name of the method. NULL if the event does not record it.
--   signature STRING nullable: Its signature. NULL like method.
--   jit_ns INT64 nullable: How long the compilation took, in ns. NULL if its end is not in the trace.
--   end_ns INT64 nullable: When it ended, in ns since 1970-01-01 UTC. NULL like jit_ns.
--   il_bytes INT64 nullable: Size of its intermediate language, in bytes. NULL if the event does not record it.
--   native_bytes INT64 nullable: Size of the machine code, in bytes. NULL like jit_ns.
--   tier STRING nullable: How far the compiler optimized it: QuickJitted, OptimizedTier1, ... NULL like jit_ns, and before .NET Framework 4.8 and .NET Core 3.0.
--   stack_id INT64 nullable: Stack of the start: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'start' AS step, method_id,
    method_namespace, method_name, method_signature, method_il_size, NULL AS method_size, NULL AS method_flags
  FROM microsoft_windows_dotnetruntime_method_jittingstarted
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'end', method_id,
    method_namespace, method_name, method_signature, NULL, method_size, method_flags
  FROM microsoft_windows_dotnetruntime_method_loadverbose
),
pairs AS (
  SELECT *, lead(step) OVER one AS next_step, lead(clock_ns) OVER one AS next_ns, lead(method_size) OVER one AS next_size,
    lead(method_flags) OVER one AS next_flags
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, thread_id, method_id ORDER BY clock_ns, event_ref)
),
ended AS (
  SELECT *, next_step = 'end' AS is_paired, CAST(floor(next_flags / 128) AS BIGINT) % 8 AS tier FROM pairs WHERE step = 'start'
)
SELECT j.trace, j.event_ref, j.timestamp, j.time_ns, j.clock_ns, j.seconds, j.process_id, j.process_name, j.thread_id, j.clr_instance_id,
  CASE WHEN j.method_namespace <> '' THEN j.method_namespace || '.' || j.method_name ELSE j.method_name END AS method, j.method_signature AS signature,
  CASE WHEN j.is_paired THEN CASE /* ns of j.trace */ WHEN j.next_ns >= j.clock_ns THEN j.next_ns - j.clock_ns END END AS jit_ns, CASE WHEN j.is_paired THEN j.next_ns END AS end_ns,
  j.method_il_size AS il_bytes, CASE WHEN j.is_paired THEN j.next_size END AS native_bytes,
  CASE WHEN j.is_paired THEN CASE j.tier WHEN 1 THEN 'MinOptJitted' WHEN 2 THEN 'Optimized' WHEN 3 THEN 'QuickJitted' WHEN 4 THEN 'OptimizedTier1'
    WHEN 5 THEN 'OptimizedTier1OSR' WHEN 6 THEN 'QuickJittedInstrumented' WHEN 7 THEN 'OptimizedTier1Instrumented' END END AS tier,
  e.stack_id
FROM ended AS j
LEFT JOIN stack_events AS e ON e.trace = j.trace AND e.event_ref = j.event_ref
