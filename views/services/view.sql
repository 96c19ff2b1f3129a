-- rows of microsoft_windows_services_servicestatuschange_statuschange, microsoft_windows_services_startinggroup_start, microsoft_windows_services_startinggroup_stop
--   event_ref
--   timestamp TIMESTAMP not null: When the change began, UTC; if that is not in the trace, when it was done.
--   time_ns
--   clock_ns
--   seconds
--   kind STRING not null: What happened: start, stop, pause or continue of a service, or group for the start of a load order group.
--   service_name STRING nullable: Name of the service, or of the group.
--   image_name STRING nullable: Program of the service, as the event states it. NULL for a group.
--   service_process_id INT64 nullable: Process of the service when the change was done, or the last that is known; 0 if it had none. NULL for a group.
--   start_type INT64 nullable: How it is started: 0 boot, 1 system, 2 automatic, 3 on demand, 4 disabled. NULL for a group.
--   start_ns INT64 nullable: When the change began, in ns since 1970-01-01 UTC. NULL if that is not in the trace.
--   end_ns INT64 nullable: When it was done, in the same way. NULL if that is not in the trace.
--   duration_ns INT64 nullable: How long it took, in ns. NULL if one of the two is.
--   ended_as STRING nullable: State afterwards: stopped, running or paused. NULL for a group, and like end_ns.
WITH states AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, service_name, image_name, pid, start_type, current_state,
    CASE current_state WHEN 2 THEN 'start' WHEN 3 THEN 'stop' WHEN 5 THEN 'continue' WHEN 6 THEN 'pause' END AS pending,
    CASE current_state WHEN 1 THEN 'stopped' WHEN 4 THEN 'running' WHEN 7 THEN 'paused' END AS done,
    lag(current_state) OVER (PARTITION BY trace, service_name ORDER BY clock_ns, event_ref) AS last_state
  FROM microsoft_windows_services_servicestatuschange_statuschange
),
changes AS (
  SELECT *, lead(clock_ns) OVER changes AS next_ns, lead(done) OVER changes AS next_done, lead(pid) OVER changes AS next_pid
  FROM states
  WHERE (last_state IS NULL OR last_state <> current_state) AND current_state BETWEEN 1 AND 7
  WINDOW changes AS (PARTITION BY trace, service_name ORDER BY clock_ns, event_ref)
),
group_steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, group_name, 'start' AS step FROM microsoft_windows_services_startinggroup_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, group_name, 'stop' FROM microsoft_windows_services_startinggroup_stop
),
group_turns AS (
  SELECT *, lead(clock_ns) OVER turns AS next_ns, lead(step) OVER turns AS next_step, lag(step) OVER turns AS last_step
  FROM group_steps
  WINDOW turns AS (PARTITION BY trace, group_name ORDER BY clock_ns, event_ref)
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds,
  CASE WHEN pending IS NOT NULL THEN pending WHEN current_state = 1 THEN 'stop' WHEN current_state = 7 THEN 'pause' WHEN last_state = 7 THEN 'continue' ELSE 'start' END AS kind,
  service_name, image_name, CASE WHEN pending IS NOT NULL AND next_done IS NOT NULL THEN next_pid ELSE pid END AS service_process_id, start_type,
  CASE WHEN pending IS NOT NULL THEN clock_ns END AS start_ns,
  CASE WHEN pending IS NULL THEN clock_ns WHEN next_done IS NOT NULL THEN next_ns END AS end_ns,
  CASE WHEN pending IS NOT NULL AND next_done IS NOT NULL THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns,
  CASE WHEN pending IS NULL THEN done ELSE next_done END AS ended_as
FROM changes
WHERE pending IS NOT NULL OR last_state IS NULL OR last_state IN (1, 4, 7)
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'group', group_name, NULL, NULL, NULL,
  CASE WHEN step = 'start' THEN clock_ns END, CASE WHEN step = 'stop' THEN clock_ns WHEN next_step = 'stop' THEN next_ns END,
  CASE WHEN step = 'start' AND next_step = 'stop' THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END, NULL
FROM group_turns
WHERE step = 'start' OR coalesce(last_step, 'stop') = 'stop'
