-- rows of service_states, microsoft_windows_services_startinggroup_start, microsoft_windows_services_startinggroup_stop
--   event_ref INT64 not null: The event of the pending state; if that is not in the trace, of the final one.
--   timestamp TIMESTAMP nullable: When the change began, UTC; if that is not known, when it was done.
--   time_ns
--   clock_ns
--   seconds
--   kind STRING not null: What happened: start, stop, pause or continue of a service, or group for the start of a load order group.
--   service_name STRING nullable: Name of the service, or of the group.
--   image_name STRING nullable: Program of the service. NULL if no event states it, and for a group.
--   service_process_id INT64 nullable: Process of the service when the change was done, or the last that is known; 0 if it had none. NULL if no event states it, and for a group.
--   start_type INT64 nullable: How it is started: 0 boot, 1 system, 2 automatic, 3 on demand, 4 disabled. NULL if no event states it, and for a group.
--   start_reason INT64 nullable: Why it was started, as the service manager numbers it. NULL if no event states it, and for other changes.
--   service_group STRING nullable: Its group of svchost, or else its load order group. NULL if no event states it, and for a group.
--   start_ns INT64 nullable: When the change began, in ns since 1970-01-01 UTC: of its pending state, or as the event of the final one says, to 1 ms. NULL if neither is in the trace.
--   end_ns INT64 nullable: When it was done, in the same way. NULL if that is not in the trace.
--   duration_ns INT64 nullable: How long it took, in ns. NULL if one of the two is.
--   ended_as STRING nullable: State afterwards: stopped, running or paused. NULL for a group, and like end_ns.
--   state STRING not null: complete; no start; no stop, if another change came before its end; open at the end of the trace.
WITH reported AS (
  -- Reports of one state after each other are of one change.
  SELECT *, count(CASE WHEN coalesce(previous, '') <> state THEN 1 END) OVER (PARTITION BY trace, lower(service_name) ORDER BY clock_ns, event_ref) AS change
  FROM (
    SELECT *, lag(state) OVER (PARTITION BY trace, lower(service_name) ORDER BY clock_ns, event_ref) AS previous
    FROM service_states
    WHERE state IS NOT NULL
  ) AS following
),
entered AS (
  SELECT trace, min_by(event_ref, clock_ns) AS event_ref, min_by(timestamp, clock_ns) AS timestamp, min_by(time_ns, clock_ns) AS time_ns, min(clock_ns) AS clock_ns, min(seconds) AS seconds,
    min_by(service_name, clock_ns) AS service_name, lower(service_name) AS service, change, max(state) AS state, max(last_state) AS last_state,
    max(CASE WHEN last_state IN ('starting', 'stopping', 'continuing', 'pausing') THEN last_ns END) AS pending_ns, max(image_name) AS image_name,
    max_by(service_process_id, clock_ns) FILTER (WHERE service_process_id IS NOT NULL) AS service_process_id, max(start_type) AS start_type, max(start_reason) AS start_reason, max(service_group) AS service_group
  FROM reported
  GROUP BY trace, lower(service_name), change
),
states AS (
  SELECT *, CASE state WHEN 'starting' THEN 'start' WHEN 'stopping' THEN 'stop' WHEN 'continuing' THEN 'continue' WHEN 'pausing' THEN 'pause' END AS pending,
    CASE WHEN state IN ('stopped', 'running', 'paused') THEN state END AS done, lag(state) OVER changes AS previous, lead(state) OVER changes AS next_state
  FROM entered
  WINDOW changes AS (PARTITION BY trace, service ORDER BY change)
),
changes AS (
  -- A final state ends the pending one before it, unless it says that another one was between.
  SELECT *, pending IS NOT NULL AND (lead(done) OVER changes) IS NOT NULL AND coalesce(lead(last_state) OVER changes, state) = state AS is_ended,
    coalesce(pending IS NULL AND previous IN ('starting', 'stopping', 'continuing', 'pausing') AND coalesce(last_state, previous) = previous, false) AS is_end,
    lead(clock_ns) OVER changes AS next_ns, lead(done) OVER changes AS next_done, lead(service_process_id) OVER changes AS next_process_id, lead(image_name) OVER changes AS next_image_name,
    lead(start_type) OVER changes AS next_start_type, lead(start_reason) OVER changes AS next_start_reason, lead(service_group) OVER changes AS next_service_group
  FROM states
  WINDOW changes AS (PARTITION BY trace, service ORDER BY change)
),
group_steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, group_name, 1 AS step FROM microsoft_windows_services_startinggroup_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, group_name, -1 FROM microsoft_windows_services_startinggroup_stop
),
-- Groups of one name are started more than once, also together.
group_pairs AS (
/* pairs of group_steps by process_id, thread_id, group_name: nested on thread_id */
)
SELECT trace, event_ref,
  CASE WHEN pending IS NULL AND pending_ns IS NOT NULL THEN make_timestamptz((time_ns - pending_ns) // 1000) ELSE timestamp END AS timestamp,
  time_ns - CASE WHEN pending IS NULL THEN coalesce(pending_ns, 0) ELSE 0 END AS time_ns, clock_ns - CASE WHEN pending IS NULL THEN coalesce(pending_ns, 0) ELSE 0 END AS clock_ns,
  seconds - CASE WHEN pending IS NULL THEN coalesce(pending_ns, 0) ELSE 0 END / 1e9 AS seconds,
  CASE WHEN pending IS NOT NULL THEN pending WHEN done = 'stopped' THEN 'stop' WHEN done = 'paused' THEN 'pause' WHEN coalesce(last_state, previous) IN ('paused', 'continuing') THEN 'continue' ELSE 'start' END AS kind,
  service_name, CASE WHEN is_ended THEN coalesce(image_name, next_image_name) ELSE image_name END AS image_name,
  CASE WHEN is_ended THEN coalesce(next_process_id, service_process_id) ELSE service_process_id END AS service_process_id,
  CASE WHEN is_ended THEN coalesce(start_type, next_start_type) ELSE start_type END AS start_type,
  CASE WHEN is_ended THEN coalesce(start_reason, next_start_reason) ELSE start_reason END AS start_reason,
  CASE WHEN is_ended THEN coalesce(service_group, next_service_group) ELSE service_group END AS service_group,
  CASE WHEN pending IS NOT NULL THEN clock_ns ELSE clock_ns - pending_ns END AS start_ns,
  CASE WHEN pending IS NULL THEN clock_ns WHEN is_ended THEN next_ns END AS end_ns,
  CASE WHEN pending IS NULL THEN pending_ns WHEN is_ended THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns,
  CASE WHEN pending IS NULL THEN done WHEN is_ended THEN next_done END AS ended_as,
  CASE WHEN pending IS NULL THEN CASE WHEN pending_ns IS NULL THEN 'no start' ELSE 'complete' END WHEN is_ended THEN 'complete' WHEN next_state IS NULL THEN 'open at the end' ELSE 'no stop' END AS state
FROM changes
WHERE NOT is_end
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'group', group_name, NULL, NULL, NULL, NULL, NULL,
  CASE WHEN step = 1 THEN clock_ns END, end_ns, CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END, NULL, state
FROM group_pairs
