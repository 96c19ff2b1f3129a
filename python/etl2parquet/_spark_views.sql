-- made by _spark_sql.py from the folder views, ea55f7a8db6160cd49b9398d3fef27b17e8851e43fa5a8a02abc3b21cd0f7588

-- view activities
WITH ends AS (
  SELECT
    h.trace,
    h.event_ref,
    h.timestamp,
    h.time_ns,
    h.clock_ns,
    h.seconds,
    h.processor,
    h.process_id,
    h.process_name,
    h.thread_id,
    h.provider_id,
    h.provider_name,
    h.opcode,
    h.activity_id,
    h.related_activity_id,
    h.activity_path,
    COALESCE(NULLIF(REGEXP_REPLACE(h.event_name, '([/_]?(Start|Stop|Begin|End))+$', ''), ''), h.event_name) AS activity,
    CASE
      WHEN h.task BETWEEN 1 AND 64999
      THEN CAST(h.task AS STRING)
      ELSE COALESCE(NULLIF(REGEXP_REPLACE(h.event_name, '([/_]?(Start|Stop|Begin|End))+$', ''), ''), h.event_name)
    END AS task,
    CASE
      WHEN NOT h.activity_id IS NULL
      THEN h.activity_id
      WHEN h.task BETWEEN 1 AND 64999 OR REGEXP_REPLACE(h.event_name, '([/_]?(Start|Stop|Begin|End))+$', '') <> h.event_name
      THEN 't' || CAST(h.thread_id AS STRING)
    END AS pair
  FROM event_header AS h
  WHERE
    h.opcode IN (1, 2)
    AND NOT h.provider_id IN ('e13c0d23-ccbc-4e12-931b-d9cc2eee27e4', '763fd754-7086-4dfe-95eb-c01a46faf4ca', 'a669021c-c450-4609-a035-5af59af4df18', '22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716')
), steps AS (
  SELECT
    *,
    CASE opcode WHEN 1 THEN 1 ELSE -1 END AS step,
    CASE WHEN pair IS NULL THEN event_ref END AS alone
  FROM ends
), found AS (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous,
    CASE WHEN step = -1 THEN thread_id WHEN pair_next = -1 THEN pair_thread_id END AS stop_thread_id
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref,
      LEAD(thread_id) OVER one AS pair_thread_id
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM steps AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, process_id, provider_id, task, pair, alone ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, process_id, provider_id, task, pair, alone ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, process_id, provider_id, task, pair, alone ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, process_id, provider_id, task, pair, alone ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
), starts AS (
  SELECT
    trace,
    process_id,
    activity_id,
    event_ref,
    activity
  FROM (
    SELECT
      *,
      ROW_NUMBER() OVER (PARTITION BY trace, process_id, activity_id ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST) AS place
    FROM ends
    WHERE
      opcode = 1 AND NOT activity_id IS NULL
  ) AS numbered
  WHERE
    place = 1
)
SELECT
  a.trace,
  a.event_ref,
  a.timestamp,
  a.time_ns,
  a.clock_ns,
  a.seconds,
  a.process_id,
  a.process_name,
  a.thread_id,
  a.provider_name,
  a.activity,
  a.state,
  CASE WHEN a.state = 'complete' THEN CASE WHEN a.end_ns >= a.clock_ns THEN a.end_ns - a.clock_ns END END AS duration_ns,
  a.end_ns,
  CASE WHEN a.state = 'complete' THEN CASE WHEN NOT a.activity_id IS NULL THEN 'activity' ELSE 'thread' END END AS paired_by,
  CAST(GREATEST(a.pair_level, 0) AS BIGINT) AS depth,
  a.activity_id,
  a.activity_path,
  CASE WHEN a.state <> 'no start' THEN a.related_activity_id END AS parent_activity_id,
  p.event_ref AS parent_ref,
  p.activity AS parent,
  a.stop_ref,
  a.stop_thread_id,
  e.stack_id,
  a.ambiguous AND NOT a.activity_id IS NULL AS ambiguous
FROM found AS a
LEFT JOIN starts AS p
  ON p.trace = a.trace AND p.process_id = a.process_id AND p.activity_id = a.related_activity_id AND a.opcode = 1
LEFT JOIN stack_events AS e
  ON e.trace = a.trace AND e.event_ref = a.event_ref;

-- view allocations
WITH types AS (
  SELECT
    trace,
    process_id,
    v.type_id AS type_id,
    MAX(v.name) AS name
  FROM (
    SELECT
      t.trace,
      t.process_id,
      EXPLODE(t.values) AS v
    FROM microsoft_windows_dotnetruntime_type_bulktype AS t
  ) AS logged
  WHERE
    v.name <> ''
  GROUP BY
    trace,
    process_id,
    v.type_id
), allocated AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'tick' AS source,
    type_name,
    type_id,
    allocation_kind_text AS heap,
    CASE WHEN NOT allocation_amount64 IS NULL THEN TRY_CAST(allocation_amount64 AS BIGINT) WHEN allocation_amount < 2147483648 THEN allocation_amount END AS bytes,
    CAST(NULL AS BIGINT) AS objects,
    TRY_CAST(object_size AS BIGINT) AS object_bytes,
    address
  FROM microsoft_windows_dotnetruntime_gc_allocationtick
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'sampled objects',
    NULL,
    type_id,
    NULL,
    TRY_CAST(total_size_for_type_sample AS BIGINT),
    object_count_for_type_sample,
    NULL,
    address
  FROM microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_20
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'sampled objects',
    NULL,
    type_id,
    NULL,
    TRY_CAST(total_size_for_type_sample AS BIGINT),
    object_count_for_type_sample,
    NULL,
    address
  FROM microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_32
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'sampled bytes',
    type_name,
    type_id,
    allocation_kind_text,
    TRY_CAST(object_size AS BIGINT),
    1,
    TRY_CAST(object_size AS BIGINT),
    address
  FROM microsoft_windows_dotnetruntime_allocationsampling
)
SELECT
  a.trace,
  a.event_ref,
  a.timestamp,
  a.time_ns,
  a.clock_ns,
  a.seconds,
  a.process_id,
  a.process_name,
  a.thread_id,
  a.clr_instance_id,
  a.source,
  COALESCE(NULLIF(a.type_name, ''), t.name) AS type_name,
  a.type_id,
  a.heap,
  a.bytes,
  a.objects,
  a.object_bytes,
  a.address AS object_address,
  e.stack_id
FROM allocated AS a
LEFT JOIN types AS t
  ON t.trace = a.trace AND t.process_id = a.process_id AND t.type_id = a.type_id
LEFT JOIN stack_events AS e
  ON e.trace = a.trace AND e.event_ref = a.event_ref;

-- view boot
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('measured' AS STRING) AS component,
  CAST(measured_phase AS STRING) AS phase,
  CAST(NULL AS STRING) AS detail,
  CAST(NULL AS BIGINT) AS start_ns,
  CAST(NULL AS BIGINT) AS end_ns,
  CAST(ms * 1000000 AS BIGINT) AS duration_ns,
  CAST('complete' AS STRING) AS state,
  CAST(FALSE AS BOOLEAN) AS ambiguous,
  'Microsoft-Windows-Diagnostics-Performance' AS source
FROM (
  SELECT
    *
  FROM (
    SELECT
      *,
      CASE n
        WHEN 0
        THEN 'boot'
        WHEN 1
        THEN 'main path'
        WHEN 2
        THEN 'kernel'
        WHEN 3
        THEN 'drivers'
        WHEN 4
        THEN 'devices'
        WHEN 5
        THEN 'prefetch'
        WHEN 6
        THEN 'sessions'
        WHEN 7
        THEN 'critical services'
        WHEN 8
        THEN 'machine profile'
        WHEN 9
        THEN 'user profile'
        WHEN 10
        THEN 'explorer'
        ELSE 'after boot'
      END AS measured_phase,
      CASE n
        WHEN 0
        THEN boot_time
        WHEN 1
        THEN main_path_boot_time
        WHEN 2
        THEN boot_kernel_init_time
        WHEN 3
        THEN boot_driver_init_time
        WHEN 4
        THEN boot_devices_init_time
        WHEN 5
        THEN boot_prefetch_init_time
        WHEN 6
        THEN boot_smss_init_time
        WHEN 7
        THEN boot_critical_services_init_time
        WHEN 8
        THEN boot_machine_profile_processing_time
        WHEN 9
        THEN boot_user_profile_processing_time
        WHEN 10
        THEN boot_explorer_init_time
        ELSE boot_post_boot_time
      END AS ms
    FROM (
      SELECT
        *,
        EXPLODE(SEQUENCE(0, 11)) AS n
      FROM microsoft_windows_diagnostics_performance_bootperformancemonitoring_bootinformation
    ) AS measured
  ) AS given
  WHERE
    NOT ms IS NULL
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST(CASE provider_name
    WHEN 'Microsoft-Windows-Winlogon'
    THEN 'winlogon'
    WHEN 'Microsoft-Windows-Services'
    THEN 'services'
    WHEN 'Microsoft-Windows-Shell-Core'
    THEN 'shell'
    ELSE 'power'
  END AS STRING) AS component,
  CAST(event_name AS STRING) AS phase,
  CAST(NULL AS STRING) AS detail,
  CAST(clock_ns AS BIGINT) AS start_ns,
  CAST(clock_ns AS BIGINT) AS end_ns,
  CAST(0 AS BIGINT) AS duration_ns,
  CAST('complete' AS STRING) AS state,
  CAST(FALSE AS BOOLEAN) AS ambiguous,
  CAST(provider_name AS STRING) AS source
FROM (
  SELECT
    trace,
    clock_ns,
    event_name,
    event_ref,
    process_id,
    process_name,
    provider_name,
    seconds,
    time_ns,
    timestamp
  FROM event_header
  WHERE
    provider_name IN ('Microsoft-Windows-Winlogon', 'Microsoft-Windows-Services', 'Microsoft-Windows-Kernel-Power', 'Microsoft-Windows-Shell-Core')
    AND event_name IN ('UserShellLaunch', 'UserBoot', 'Explorer_KickedOffDelayedBootWork')
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('power' AS STRING) AS component,
  CAST(SPLIT_PART(event_name, '/', 1) AS STRING) AS phase,
  CAST(NULL AS STRING) AS detail,
  (
    CASE WHEN step = 1 THEN clock_ns END
  ) AS start_ns,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  state,
  ambiguous,
  'Microsoft-Windows-Kernel-Power' AS source
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      event_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      SPLIT_PART(event_name, '/', 1) AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        SPLIT_PART(event_name, '/', 1)
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_name,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        time_ns,
                        timestamp
                      FROM event_header
                      WHERE
                        provider_name = 'Microsoft-Windows-Kernel-Power'
                        AND (
                          event_name LIKE '%/Start%' OR event_name LIKE '%/PhaseStart%'
                        )
                        AND SPLIT_PART(event_name, '/', 1) IN (
                          'PowerTransition',
                          'QueryApps',
                          'QueryServices',
                          'SuspendApps',
                          'SuspendServices',
                          'SuspendDevices',
                          'WakeDevices',
                          'ResumeApps',
                          'ResumeServices',
                          'GracefulShutdown',
                          'FlushVolumes',
                          'WaitForProcesses',
                          'IoShutdownSystem',
                          'IoShutdownFileSystems',
                          'CmShutdownSystem',
                          'ZeroPageFile',
                          'ZeroHiberFile',
                          'Winlogon',
                          'PrepareSleep'
                        )
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      event_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      SPLIT_PART(event_name, '/', 1) AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        SPLIT_PART(event_name, '/', 1)
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_name,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        time_ns,
                        timestamp
                      FROM event_header
                      WHERE
                        provider_name = 'Microsoft-Windows-Kernel-Power'
                        AND (
                          event_name LIKE '%/Stop%' OR event_name LIKE '%/PhaseStop%'
                        )
                        AND SPLIT_PART(event_name, '/', 1) IN (
                          'PowerTransition',
                          'QueryApps',
                          'QueryServices',
                          'SuspendApps',
                          'SuspendServices',
                          'SuspendDevices',
                          'WakeDevices',
                          'ResumeApps',
                          'ResumeServices',
                          'GracefulShutdown',
                          'FlushVolumes',
                          'WaitForProcesses',
                          'IoShutdownSystem',
                          'IoShutdownFileSystems',
                          'CmShutdownSystem',
                          'ZeroPageFile',
                          'ZeroHiberFile',
                          'Winlogon',
                          'PrepareSleep'
                        )
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('services' AS STRING) AS component,
  CAST(SPLIT_PART(event_name, '/', 1) AS STRING) AS phase,
  CAST(NULL AS STRING) AS detail,
  (
    CASE WHEN step = 1 THEN clock_ns END
  ) AS start_ns,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  state,
  ambiguous,
  'Microsoft-Windows-Services' AS source
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      event_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      SPLIT_PART(event_name, '/', 1) AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        SPLIT_PART(event_name, '/', 1)
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_name,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        time_ns,
                        timestamp
                      FROM event_header
                      WHERE
                        provider_name = 'Microsoft-Windows-Services' AND (
                          event_name LIKE '%/Start%' OR event_name LIKE '%/PhaseStart%'
                        ) AND event_name NOT LIKE 'StartingGroup/%'
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      event_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      SPLIT_PART(event_name, '/', 1) AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        SPLIT_PART(event_name, '/', 1)
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_name,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        time_ns,
                        timestamp
                      FROM event_header
                      WHERE
                        provider_name = 'Microsoft-Windows-Services' AND (
                          event_name LIKE '%/Stop%' OR event_name LIKE '%/PhaseStop%'
                        ) AND event_name NOT LIKE 'StartingGroup/%'
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('services' AS STRING) AS component,
  CAST('StartingGroup' AS STRING) AS phase,
  CAST(group_name AS STRING) AS detail,
  (
    CASE WHEN step = 1 THEN clock_ns END
  ) AS start_ns,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  state,
  ambiguous,
  'Microsoft-Windows-Services' AS source
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    FALSE AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      group_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      thread_id AS key_1,
                      group_name AS key_2,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        thread_id
                      ) IS NULL OR (
                        group_name
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_ref,
                        group_name,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM microsoft_windows_services_startinggroup_start
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      group_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      thread_id AS key_1,
                      group_name AS key_2,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        thread_id
                      ) IS NULL OR (
                        group_name
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_ref,
                        group_name,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM microsoft_windows_services_startinggroup_stop
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('shell' AS STRING) AS component,
  CAST(SPLIT_PART(event_name, '/', 1) AS STRING) AS phase,
  CAST(NULL AS STRING) AS detail,
  (
    CASE WHEN step = 1 THEN clock_ns END
  ) AS start_ns,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  state,
  ambiguous,
  'Microsoft-Windows-Shell-Core' AS source
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      event_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      SPLIT_PART(event_name, '/', 1) AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        SPLIT_PART(event_name, '/', 1)
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_name,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        time_ns,
                        timestamp
                      FROM event_header
                      WHERE
                        provider_name = 'Microsoft-Windows-Shell-Core'
                        AND (
                          event_name LIKE '%/Start%' OR event_name LIKE '%/PhaseStart%'
                        )
                        AND SPLIT_PART(event_name, '/', 1) IN (
                          'Explorer_InitializingExplorer',
                          'Explorer_CreateTray',
                          'Explorer_CreateTrayWindow',
                          'Explorer_InitStartButton',
                          'Explorer_CreateDesktop',
                          'Explorer_LoadingIconCache'
                        )
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      event_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      SPLIT_PART(event_name, '/', 1) AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        SPLIT_PART(event_name, '/', 1)
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_name,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        time_ns,
                        timestamp
                      FROM event_header
                      WHERE
                        provider_name = 'Microsoft-Windows-Shell-Core'
                        AND (
                          event_name LIKE '%/Stop%' OR event_name LIKE '%/PhaseStop%'
                        )
                        AND SPLIT_PART(event_name, '/', 1) IN (
                          'Explorer_InitializingExplorer',
                          'Explorer_CreateTray',
                          'Explorer_CreateTrayWindow',
                          'Explorer_InitStartButton',
                          'Explorer_CreateDesktop',
                          'Explorer_LoadingIconCache'
                        )
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('shell' AS STRING) AS component,
  CAST('Explorer_Startup_PhaseReached' AS STRING) AS phase,
  CAST(psz AS STRING) AS detail,
  CAST(clock_ns AS BIGINT) AS start_ns,
  CAST(clock_ns AS BIGINT) AS end_ns,
  CAST(0 AS BIGINT) AS duration_ns,
  CAST('complete' AS STRING) AS state,
  CAST(FALSE AS BOOLEAN) AS ambiguous,
  'Microsoft-Windows-Shell-Core' AS source
FROM (
  SELECT
    trace,
    clock_ns,
    event_ref,
    process_id,
    process_name,
    psz,
    seconds,
    time_ns,
    timestamp
  FROM microsoft_windows_shell_core_explorer_startup_phasereached
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('shell' AS STRING) AS component,
  CAST('Explorer_Startup_Step' AS STRING) AS phase,
  CAST(psz AS STRING) AS detail,
  (
    CASE WHEN step = 1 THEN clock_ns END
  ) AS start_ns,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  state,
  ambiguous,
  'Microsoft-Windows-Shell-Core' AS source
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      psz,
                      seconds,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      psz AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        psz
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        psz,
                        seconds,
                        time_ns,
                        timestamp
                      FROM microsoft_windows_shell_core_explorer_startup_step_start
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      psz,
                      seconds,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      psz AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        psz
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        psz,
                        seconds,
                        time_ns,
                        timestamp
                      FROM microsoft_windows_shell_core_explorer_startup_step_stop
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('winlogon' AS STRING) AS component,
  CAST(SPLIT_PART(event_name, '/', 1) AS STRING) AS phase,
  CAST(NULL AS STRING) AS detail,
  (
    CASE WHEN step = 1 THEN clock_ns END
  ) AS start_ns,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  state,
  ambiguous,
  'Microsoft-Windows-Winlogon' AS source
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      event_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      SPLIT_PART(event_name, '/', 1) AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        SPLIT_PART(event_name, '/', 1)
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_name,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        time_ns,
                        timestamp
                      FROM event_header
                      WHERE
                        provider_name = 'Microsoft-Windows-Winlogon' AND (
                          event_name LIKE '%/Start%' OR event_name LIKE '%/PhaseStart%'
                        ) AND event_name NOT LIKE 'NotifySubscriber/%'
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      event_name,
                      process_id,
                      process_name,
                      seconds,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      SPLIT_PART(event_name, '/', 1) AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        SPLIT_PART(event_name, '/', 1)
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_name,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        time_ns,
                        timestamp
                      FROM event_header
                      WHERE
                        provider_name = 'Microsoft-Windows-Winlogon' AND (
                          event_name LIKE '%/Stop%' OR event_name LIKE '%/PhaseStop%'
                        ) AND event_name NOT LIKE 'NotifySubscriber/%'
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  CAST('winlogon' AS STRING) AS component,
  CAST('NotifySubscriber' AS STRING) AS phase,
  CAST(subscriber_name AS STRING) AS detail,
  (
    CASE WHEN step = 1 THEN clock_ns END
  ) AS start_ns,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  state,
  ambiguous,
  'Microsoft-Windows-Winlogon' AS source
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      seconds,
                      subscriber_name,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      event AS key_1,
                      subscriber_name AS key_2,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        event
                      ) IS NULL OR (
                        subscriber_name
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        subscriber_name,
                        time_ns,
                        timestamp
                      FROM microsoft_windows_winlogon_notifysubscriber_start
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      seconds,
                      subscriber_name,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      event AS key_1,
                      subscriber_name AS key_2,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        event
                      ) IS NULL OR (
                        subscriber_name
                      ) IS NULL THEN event_ref END AS key_null
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        subscriber_name,
                        time_ns,
                        timestamp
                      FROM microsoft_windows_winlogon_notifysubscriber_stop
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e;

-- view connections
WITH kernel AS (
  SELECT
    'tcp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_send
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_sendipv4
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_sendipv6
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_recv
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_recvipv4
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_recvipv6
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'connect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_connect
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'connect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_connectipv4
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'connect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_connectipv6
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'accept' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_accept
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'accept' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_acceptipv4
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'accept' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_acceptipv6
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'reconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_reconnect
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'reconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_reconnectipv4
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'reconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_reconnectipv6
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'retransmit' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_retransmit
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'retransmit' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_retransmitipv4
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'retransmit' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_retransmitipv6
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'disconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_disconnect
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'disconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_disconnectipv4
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'disconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM tcpip_disconnectipv6
  UNION ALL
  SELECT
    'udp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM udpip_send
  UNION ALL
  SELECT
    'udp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM udpip_sendipv4
  UNION ALL
  SELECT
    'udp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM udpip_sendipv6
  UNION ALL
  SELECT
    'udp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM udpip_recv
  UNION ALL
  SELECT
    'udp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM udpip_recvipv4
  UNION ALL
  SELECT
    'udp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM udpip_recvipv6
), manifest AS (
  SELECT
    'tcp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_10
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_26
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_11
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_27
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'connect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_12
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'connect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_28
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'accept' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_15
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'accept' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_31
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'reconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_16
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'reconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_32
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'retransmit' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_14
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'retransmit' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_30
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'disconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_13
  UNION ALL
  SELECT
    'tcp' AS protocol,
    'disconnect' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_29
  UNION ALL
  SELECT
    'udp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_42
  UNION ALL
  SELECT
    'udp' AS protocol,
    'send' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_58
  UNION ALL
  SELECT
    'udp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_43
  UNION ALL
  SELECT
    'udp' AS protocol,
    'receive' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    CAST(pid AS BIGINT) AS process_id,
    saddr,
    CAST(sport AS INT) AS sport,
    daddr,
    CAST(dport AS INT) AS dport,
    CAST(size AS BIGINT) AS bytes
  FROM microsoft_windows_kernel_network_59
), seen AS (
  SELECT
    *
  FROM kernel
  UNION ALL
  SELECT
    m.*
  FROM manifest AS m
  LEFT JOIN (
    SELECT DISTINCT
      trace
    FROM kernel
  ) AS k
    ON k.trace = m.trace
  WHERE
    k.trace IS NULL
), ends AS (
  SELECT
    *,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN daddr ELSE saddr END AS local_address,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN dport ELSE sport END AS local_port,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN saddr ELSE daddr END AS remote_address,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN sport ELSE dport END AS remote_port
  FROM seen
), following AS (
  SELECT
    *,
    COALESCE(LAG(step) OVER uses, '') AS last_step
  FROM ends
  WINDOW uses AS (PARTITION BY trace, protocol, process_id, local_address, local_port, remote_address, remote_port ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST)
), numbered AS (
  SELECT
    *,
    COUNT(CASE WHEN step IN ('connect', 'accept', 'reconnect') AND last_step <> 'reconnect' OR last_step = 'disconnect' AND step <> 'disconnect' THEN 1 END) OVER uses AS turn,
    ROW_NUMBER() OVER uses AS place
  FROM following
  WINDOW uses AS (
    PARTITION BY trace, protocol, process_id, local_address, local_port, remote_address, remote_port
    ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
), connected AS (
  SELECT
    trace,
    protocol,
    process_id,
    local_address,
    local_port,
    remote_address,
    remote_port,
    MIN_BY(event_ref, place) AS event_ref,
    MIN_BY(timestamp, place) AS timestamp,
    MIN_BY(time_ns, place) AS time_ns,
    MIN(clock_ns) AS clock_ns,
    MIN(seconds) AS seconds,
    MAX(clock_ns) AS end_ns,
    COALESCE(SUM(CASE WHEN step = 'send' THEN bytes END), 0) AS bytes_sent,
    COALESCE(SUM(CASE WHEN step = 'receive' THEN bytes END), 0) AS bytes_received,
    COUNT(CASE WHEN step = 'send' THEN 1 END) AS sends,
    COUNT(CASE WHEN step = 'receive' THEN 1 END) AS receives,
    COUNT(CASE WHEN step = 'retransmit' THEN 1 END) AS retransmits,
    COUNT(CASE WHEN step = 'reconnect' THEN 1 END) AS reconnects,
    MAX(CASE WHEN step IN ('connect', 'accept') THEN step END) AS opened_as,
    CASE WHEN protocol = 'tcp' THEN COUNT(CASE WHEN step = 'disconnect' THEN 1 END) > 0 END AS is_closed
  FROM numbered
  GROUP BY
    trace,
    protocol,
    process_id,
    local_address,
    local_port,
    remote_address,
    remote_port,
    turn
)
SELECT
  c.trace,
  c.event_ref,
  c.timestamp,
  c.time_ns,
  c.clock_ns,
  c.seconds,
  c.end_ns,
  c.protocol,
  c.process_id,
  p.process_name,
  c.local_address,
  c.local_port,
  c.remote_address,
  c.remote_port,
  CAST(c.bytes_sent AS BIGINT) AS bytes_sent,
  CAST(c.bytes_received AS BIGINT) AS bytes_received,
  c.sends,
  c.receives,
  c.retransmits,
  c.reconnects,
  c.opened_as,
  c.is_closed
FROM connected AS c
LEFT JOIN processes AS p
  ON p.trace = c.trace AND p.process_id = c.process_id AND c.time_ns >= COALESCE(p.valid_from_ns, c.time_ns) AND c.time_ns <= COALESCE(p.valid_to_ns, c.time_ns);

-- view contention
SELECT
  q.trace,
  q.event_ref,
  q.timestamp,
  q.time_ns,
  q.clock_ns,
  q.seconds,
  q.process_id,
  q.process_name,
  q.thread_id,
  q.clr_instance_id,
  q.kind,
  q.wait_ns,
  q.end_ns,
  q.lock_id,
  q.object_id,
  q.owner_thread_id,
  s.stack_id,
  q.state,
  q.ambiguous,
  q.source
FROM (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    CAST(thread_id AS BIGINT) AS thread_id,
    CAST(clr_instance_id AS INT) AS clr_instance_id,
    CAST(start_contention_flags_text AS STRING) AS kind,
    CAST(COALESCE(TRY_CAST(stop_of_duration_ns AS BIGINT), (
      CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
    )) AS BIGINT) AS wait_ns,
    end_ns,
    CAST(start_lock_id AS DECIMAL(20, 0)) AS lock_id,
    CAST(start_associated_object_id AS DECIMAL(20, 0)) AS object_id,
    CAST(start_lock_owner_thread_id AS DECIMAL(20, 0)) AS owner_thread_id,
    state,
    ambiguous,
    'Microsoft-Windows-DotNETRuntime' AS source
  FROM (
    SELECT
      *
    FROM (
      SELECT
        *,
        CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' WHEN pair_next = 1 THEN 'no stop' ELSE 'open at the end' END AS state,
        CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
        CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
        FALSE AS ambiguous,
        CASE WHEN step = -1 THEN of_duration_ns WHEN pair_next = -1 THEN pair_of_duration_ns END AS stop_of_duration_ns
      FROM (
        SELECT
          *,
          LEAD(step) OVER one AS pair_next,
          LEAD(clock_ns) OVER one AS pair_next_ns,
          LEAD(event_ref) OVER one AS pair_next_ref,
          LEAD(of_duration_ns) OVER one AS pair_of_duration_ns,
          LAG(step) OVER one AS pair_last
        FROM (
          SELECT
            *,
            CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_is_first AND pair_open THEN 0 ELSE 2 END AS pair_class
          FROM (
            SELECT
              *,
              COALESCE(LAG(clock_ns) OVER turns <> clock_ns, TRUE) AS pair_is_first,
              COALESCE(LAST_VALUE(pair_after) IGNORE NULLS OVER past = 1, FALSE) AS pair_open
            FROM (
              SELECT
                *,
                CASE WHEN NOT pair_tied THEN step WHEN pair_tick_stops = 0 THEN 1 WHEN pair_tick_starts = 0 OR pair_tick_stops > 1 THEN -1 END AS pair_after
              FROM (
                SELECT
                  *,
                  COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                  MIN(event_ref) OVER key AS pair_key,
                  COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                  COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops
                FROM (
                  SELECT
                    trace,
                    event_ref,
                    clock_ns,
                    processor,
                    clr_instance_id,
                    process_id,
                    process_name,
                    seconds,
                    thread_id,
                    time_ns,
                    timestamp,
                    1 AS step,
                    process_id AS key_0,
                    COALESCE(clr_instance_id, -1) AS key_1,
                    thread_id AS key_2,
                    CASE WHEN (
                      process_id
                    ) IS NULL OR (
                      COALESCE(clr_instance_id, -1)
                    ) IS NULL OR (
                      thread_id
                    ) IS NULL THEN event_ref END AS key_null,
                    associated_object_id AS start_associated_object_id,
                    contention_flags_text AS start_contention_flags_text,
                    lock_id AS start_lock_id,
                    lock_owner_thread_id AS start_lock_owner_thread_id,
                    NULL AS of_duration_ns
                  FROM (
                    SELECT
                      trace,
                      associated_object_id,
                      clock_ns,
                      clr_instance_id,
                      contention_flags_text,
                      event_ref,
                      lock_id,
                      lock_owner_thread_id,
                      process_id,
                      process_name,
                      processor,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp
                    FROM microsoft_windows_dotnetruntime_contention_start
                  ) AS e
                  UNION ALL
                  SELECT
                    trace,
                    event_ref,
                    clock_ns,
                    processor,
                    clr_instance_id,
                    process_id,
                    process_name,
                    seconds,
                    thread_id,
                    time_ns,
                    timestamp,
                    -1 AS step,
                    process_id AS key_0,
                    COALESCE(clr_instance_id, -1) AS key_1,
                    thread_id AS key_2,
                    CASE WHEN (
                      process_id
                    ) IS NULL OR (
                      COALESCE(clr_instance_id, -1)
                    ) IS NULL OR (
                      thread_id
                    ) IS NULL THEN event_ref END AS key_null,
                    NULL AS start_associated_object_id,
                    NULL AS start_contention_flags_text,
                    NULL AS start_lock_id,
                    NULL AS start_lock_owner_thread_id,
                    duration_ns AS of_duration_ns
                  FROM (
                    SELECT
                      trace,
                      clock_ns,
                      clr_instance_id,
                      duration_ns,
                      event_ref,
                      process_id,
                      process_name,
                      processor,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp
                    FROM microsoft_windows_dotnetruntime_contention_stop
                  ) AS e
                ) AS pair_steps
                WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
              ) AS pair_ticks
            ) AS pair_known
            WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
              PARTITION BY pair_key, trace
              ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN step ELSE 0 END NULLS LAST, event_ref NULLS LAST
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            )
          ) AS pair_opens
        ) AS pair_levels
        WINDOW one AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
      ) AS pair_ends
      WHERE
        step = 1 OR step = -1 AND COALESCE(pair_last, -1) = -1
    ) AS pair_rows
    WHERE
      step = 1
  ) AS e
) AS q
LEFT JOIN stack_events AS s
  ON s.trace = q.trace AND s.event_ref = q.event_ref;

-- view context_switches
WITH steps AS (
  SELECT
    trace,
    old_thread_id AS thread_id,
    clock_ns,
    event_ref,
    'out' AS step,
    old_thread_state_text AS state,
    CASE WHEN old_thread_state = 5 THEN old_thread_wait_reason_text END AS reason
  FROM thread_cswitch
  UNION ALL
  SELECT
    trace,
    t_thread_id,
    clock_ns,
    event_ref,
    'ready',
    NULL,
    NULL
  FROM thread_readythread
  UNION ALL
  SELECT
    trace,
    new_thread_id,
    clock_ns,
    event_ref,
    'in',
    NULL,
    NULL
  FROM thread_cswitch
  UNION ALL
  SELECT
    trace,
    t_thread_id,
    clock_ns,
    event_ref,
    'start',
    NULL,
    NULL
  FROM thread_start
), away AS (
  SELECT
    trace,
    MIN_BY(event_ref, clock_ns) FILTER(WHERE
      step = 'in') AS event_ref,
    MIN(CASE WHEN step = 'out' THEN clock_ns END) AS out_ns,
    MAX(state) AS state,
    MAX(reason) AS reason,
    MIN(CASE WHEN step = 'ready' THEN clock_ns END) AS ready_ns,
    MIN_BY(event_ref, clock_ns) FILTER(WHERE
      step = 'ready') AS ready_ref
  FROM (
    SELECT
      *,
      COUNT(CASE WHEN step IN ('out', 'start') THEN 1 END) OVER (PARTITION BY trace, thread_id ORDER BY clock_ns NULLS LAST) AS turn
    FROM steps
    WHERE
      thread_id <> 0
  ) AS numbered
  WHERE
    turn > 0
  GROUP BY
    trace,
    thread_id,
    turn
), runs AS (
  SELECT
    *,
    LEAD(clock_ns) OVER turns AS next_ns,
    LEAD(old_thread_id) OVER turns AS next_old_id,
    LEAD(old_thread_state_text) OVER turns AS next_state,
    LEAD(old_thread_state) OVER turns AS next_state_number,
    LEAD(old_thread_wait_reason_text) OVER turns AS next_reason,
    LAG(new_thread_id) OVER turns AS last_id,
    LAG(process_id) OVER turns AS last_process_id,
    LAG(process_name) OVER turns AS last_process_name
  FROM thread_cswitch
  WINDOW turns AS (PARTITION BY trace, processor ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST)
)
SELECT
  s.trace,
  s.event_ref,
  s.timestamp,
  s.time_ns,
  s.clock_ns,
  s.seconds,
  s.processor,
  s.process_id,
  s.process_name,
  s.new_thread_id AS thread_id,
  s.new_thread_priority AS priority,
  CASE WHEN s.next_old_id = s.new_thread_id THEN CASE WHEN s.next_ns >= s.clock_ns THEN s.next_ns - s.clock_ns END END AS ran_ns,
  CASE WHEN s.next_old_id = s.new_thread_id THEN s.next_state END AS left_as,
  CASE WHEN s.next_old_id = s.new_thread_id AND s.next_state_number = 5 THEN s.next_reason END AS left_to_wait_for,
  CASE WHEN s.clock_ns >= a.out_ns THEN s.clock_ns - a.out_ns END AS away_ns,
  CASE WHEN NOT a.out_ns IS NULL THEN a.state END AS away_as,
  a.reason AS waited_for,
  CASE WHEN s.clock_ns >= a.ready_ns THEN s.clock_ns - a.ready_ns END AS ready_ns,
  r.process_id AS readied_by_process_id,
  r.process_name AS readied_by_process_name,
  r.thread_id AS readied_by_thread_id,
  (
    r.flag & 1
  ) <> 0 AS readied_from_dpc,
  r.event_ref AS ready_ref,
  s.old_thread_id,
  CASE WHEN s.old_thread_id = 0 THEN 0 WHEN s.last_id = s.old_thread_id THEN s.last_process_id END AS old_process_id,
  CASE WHEN s.last_id = s.old_thread_id THEN s.last_process_name END AS old_process_name,
  e.stack_id,
  NULLIF(GET(k.modules, 0), '') AS module,
  NULLIF(GET(k.functions, 0), '') AS function,
  k.functions
FROM runs AS s
LEFT JOIN away AS a
  ON a.trace = s.trace AND a.event_ref = s.event_ref
LEFT JOIN thread_readythread AS r
  ON r.trace = a.trace AND r.event_ref = CASE WHEN a.ready_ns <= s.clock_ns THEN a.ready_ref END
LEFT JOIN stack_events AS e
  ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k
  ON k.trace = e.trace AND k.stack_id = e.stack_id;

-- view cpu_samples
WITH intervals AS (
  SELECT
    trace,
    MAX(new_interval) * 100 AS interval_ns
  FROM perfinfo_collectionstart
  WHERE
    source = 0
  GROUP BY
    trace
)
SELECT
  s.trace,
  s.event_ref,
  s.timestamp,
  s.time_ns,
  s.clock_ns,
  s.seconds,
  s.processor,
  s.process_id,
  s.process_name,
  s.thread_id,
  s.instruction_pointer,
  s.instruction_pointer_module AS module,
  s.instruction_pointer_function AS function,
  s.instruction_pointer_offset AS function_offset,
  (
    s.flags & 1
  ) <> 0 AS in_dpc,
  (
    s.flags & 2
  ) <> 0 AS in_isr,
  s.thread_id = 0 AND COALESCE(s.flags & 3, 0) = 0 AS is_idle,
  v.interval_ns,
  e.stack_id,
  k.addresses AS stack_addresses,
  k.modules AS stack_modules,
  k.functions AS stack_functions,
  k.offsets AS stack_offsets,
  k.kernel_frames
FROM perfinfo_sampleprof AS s
LEFT JOIN intervals AS v
  ON v.trace = s.trace
LEFT JOIN stack_events AS e
  ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k
  ON k.trace = e.trace AND k.stack_id = e.stack_id;

-- view cpu_usage
SELECT
  trace,
  CAST(FLOOR(seconds) AS BIGINT) AS second,
  process_id,
  process_name,
  CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind,
  COUNT(*) AS samples,
  CAST(SUM(interval_ns) AS BIGINT) AS cpu_ns
FROM cpu_samples
GROUP BY
  trace,
  CAST(FLOOR(seconds) AS BIGINT),
  process_id,
  process_name,
  CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END;

-- view cpu_usage_precise
WITH starts AS (
  SELECT
    trace,
    process_id,
    process_name,
    thread_id,
    ran_ns,
    CAST(ROUND(seconds * 1e9) AS BIGINT) AS from_ns
  FROM context_switches
  WHERE
    ran_ns > 0
), runs AS (
  SELECT
    *,
    from_ns + ran_ns AS until_ns,
    CAST(FLOOR(from_ns / 1e9) AS BIGINT) AS first_second,
    CAST(FLOOR((
      from_ns + ran_ns - 1
    ) / 1e9) AS BIGINT) - CAST(FLOOR(from_ns / 1e9) AS BIGINT) + 1 AS in_seconds
  FROM starts
), parts AS (
  SELECT
    trace,
    process_id,
    process_name,
    thread_id,
    from_ns,
    until_ns,
    first_second,
    EXPLODE(IF((
      in_seconds - 1
    ) < 0, ARRAY(), SEQUENCE(0, (
      in_seconds - 1
    )))) AS n
  FROM runs
  WHERE
    in_seconds <= 86400
)
SELECT
  trace,
  first_second + n AS second,
  process_id,
  process_name,
  CASE WHEN thread_id = 0 THEN 'idle' ELSE 'thread' END AS kind,
  COUNT(*) AS runs,
  COUNT(DISTINCT thread_id) AS threads,
  CAST(SUM(LEAST(until_ns, (
    first_second + n + 1
  ) * 1000000000) - GREATEST(from_ns, (
    first_second + n
  ) * 1000000000)) AS BIGINT) AS cpu_ns
FROM parts
GROUP BY
  trace,
  first_second + n,
  process_id,
  process_name,
  CASE WHEN thread_id = 0 THEN 'idle' ELSE 'thread' END;

-- view disk_io
WITH transfers AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'read' AS operation,
    process_id,
    process_name,
    thread_id,
    disk_number,
    file_name,
    byte_offset,
    transfer_size,
    high_res_response_time,
    irp_flags_text,
    irp_priority_text
  FROM diskio_read
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'write',
    process_id,
    process_name,
    thread_id,
    disk_number,
    file_name,
    byte_offset,
    transfer_size,
    high_res_response_time,
    irp_flags_text,
    irp_priority_text
  FROM diskio_write
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'flush',
    process_id,
    process_name,
    thread_id,
    disk_number,
    NULL,
    NULL,
    NULL,
    high_res_response_time,
    irp_flags_text,
    irp_priority_text
  FROM diskio_flushbuffers
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'optical read',
    process_id,
    process_name,
    thread_id,
    disk_number,
    file_name,
    byte_offset,
    transfer_size,
    high_res_response_time,
    irp_flags_text,
    irp_priority_text
  FROM diskio_opticalread
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'optical write',
    process_id,
    process_name,
    thread_id,
    disk_number,
    file_name,
    byte_offset,
    transfer_size,
    high_res_response_time,
    irp_flags_text,
    irp_priority_text
  FROM diskio_opticalwrite
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'optical flush',
    process_id,
    process_name,
    thread_id,
    disk_number,
    NULL,
    NULL,
    NULL,
    high_res_response_time,
    irp_flags_text,
    irp_priority_text
  FROM diskio_opticalflushbuffers
)
SELECT
  d.trace,
  d.event_ref,
  d.timestamp,
  d.time_ns,
  d.clock_ns,
  d.seconds,
  d.processor,
  d.operation,
  d.process_id,
  d.process_name,
  d.thread_id,
  d.disk_number,
  d.file_name,
  d.byte_offset,
  d.transfer_size,
  TRY_CAST(ROUND(CAST(d.high_res_response_time AS DOUBLE) * 1000000000 / h.perf_freq) AS BIGINT) AS disk_ns,
  d.irp_flags_text AS irp_flags,
  d.irp_priority_text AS irp_priority
FROM transfers AS d
LEFT JOIN traces AS h
  ON h.trace = d.trace;

-- view dns_queries
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  CAST(process_id AS BIGINT) AS process_id,
  process_name,
  thread_id,
  CAST(query_name AS STRING) AS query_name,
  CAST(query_type AS BIGINT) AS query_type,
  CAST(CASE query_type
    WHEN 1
    THEN 'A'
    WHEN 2
    THEN 'NS'
    WHEN 5
    THEN 'CNAME'
    WHEN 6
    THEN 'SOA'
    WHEN 12
    THEN 'PTR'
    WHEN 15
    THEN 'MX'
    WHEN 16
    THEN 'TXT'
    WHEN 28
    THEN 'AAAA'
    WHEN 33
    THEN 'SRV'
    WHEN 35
    THEN 'NAPTR'
    WHEN 43
    THEN 'DS'
    WHEN 46
    THEN 'RRSIG'
    WHEN 48
    THEN 'DNSKEY'
    WHEN 52
    THEN 'TLSA'
    WHEN 64
    THEN 'SVCB'
    WHEN 65
    THEN 'HTTPS'
    WHEN 252
    THEN 'AXFR'
    WHEN 255
    THEN 'ANY'
  END AS STRING) AS query_type_name,
  CAST(query_options AS DECIMAL(20, 0)) AS query_options,
  CAST(start_is_network_query <> 0 AS BOOLEAN) AS is_network_query,
  CAST(start_server_list AS STRING) AS server_list,
  CAST(stop_of_query_status AS BIGINT) AS status,
  CAST(stop_of_query_results AS STRING) AS results,
  (
    CASE WHEN step = 1 THEN clock_ns END
  ) AS start_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  state,
  ambiguous,
  'Microsoft-Windows-DNS-Client' AS source
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous,
    CASE WHEN step = -1 THEN of_query_results WHEN pair_next = -1 THEN pair_of_query_results END AS stop_of_query_results,
    CASE WHEN step = -1 THEN of_query_status WHEN pair_next = -1 THEN pair_of_query_status END AS stop_of_query_status
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref,
      LEAD(of_query_results) OVER one AS pair_of_query_results,
      LEAD(of_query_status) OVER one AS pair_of_query_status
    FROM (
      SELECT
        *,
        CASE WHEN step = 1 THEN pair_starts WHEN pair_total < pair_low THEN -1 ELSE pair_starts - pair_total + pair_low END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 ELSE -step END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      query_name,
                      query_options,
                      query_type,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      LOWER(query_name) AS key_1,
                      query_type AS key_2,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        LOWER(query_name)
                      ) IS NULL OR (
                        query_type
                      ) IS NULL THEN event_ref END AS key_null,
                      is_network_query AS start_is_network_query,
                      server_list AS start_server_list,
                      NULL AS of_query_results,
                      NULL AS of_query_status
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_ref,
                        is_network_query,
                        process_id,
                        process_name,
                        processor,
                        query_name,
                        query_options,
                        query_type,
                        seconds,
                        server_list,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM microsoft_windows_dns_client_3006
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      query_name,
                      query_options,
                      query_type,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      LOWER(query_name) AS key_1,
                      query_type AS key_2,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        LOWER(query_name)
                      ) IS NULL OR (
                        query_type
                      ) IS NULL THEN event_ref END AS key_null,
                      NULL AS start_is_network_query,
                      NULL AS start_server_list,
                      query_results AS of_query_results,
                      query_status AS of_query_status
                    FROM (
                      SELECT
                        trace,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        query_name,
                        query_options,
                        query_results,
                        query_status,
                        query_type,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM microsoft_windows_dns_client_3008
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_2, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e;

-- view dpc_isr
WITH routines AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'DPC' AS kind,
    initial_time_ns,
    routine,
    routine_module,
    routine_function,
    CAST(NULL AS INT) AS vector,
    CAST(NULL AS INT) AS return_value
  FROM perfinfo_dpc
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'threaded DPC',
    initial_time_ns,
    routine,
    routine_module,
    routine_function,
    NULL,
    NULL
  FROM perfinfo_threadeddpc
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'timer DPC',
    initial_time_ns,
    routine,
    routine_module,
    routine_function,
    NULL,
    NULL
  FROM perfinfo_timerdpc
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'ISR',
    initial_time_ns,
    routine,
    routine_module,
    routine_function,
    vector,
    return_value
  FROM perfinfo_isr
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'ISR',
    initial_time_ns,
    routine,
    routine_module,
    routine_function,
    vector,
    return_value
  FROM perfinfo_isr_msi
)
SELECT
  r.trace,
  r.event_ref,
  r.timestamp,
  r.time_ns,
  r.clock_ns,
  r.seconds,
  r.processor,
  r.kind,
  CASE WHEN r.initial_time_ns BETWEEN t.start_ns AND r.time_ns THEN r.initial_time_ns END AS start_ns,
  CASE WHEN r.initial_time_ns >= t.start_ns THEN CASE WHEN r.time_ns >= r.initial_time_ns THEN r.time_ns - r.initial_time_ns END END AS duration_ns,
  r.routine,
  r.routine_module AS module,
  r.routine_function AS function,
  r.vector,
  r.return_value <> 0 AS claimed
FROM routines AS r
LEFT JOIN traces AS t
  ON t.trace = r.trace;

-- view event_fields
SELECT
  *
FROM events;

-- view events
SELECT
  e.trace,
  e.header_table,
  e.event_ref,
  e.timestamp,
  e.time_ns,
  e.clock_ns,
  e.seconds,
  e.processor,
  e.process_id,
  e.thread_id,
  e.id_source,
  e.process_name,
  e.header_type,
  e.pointer_size,
  e.provider_id,
  e.provider_name,
  e.event_name,
  e.event_kind,
  e.payload_size,
  e.payload,
  e.id AS event_id,
  e.version AS event_version,
  CASE WHEN e.header_table = 'message_trace_header' THEN k.level ELSE e.level END AS level,
  CASE WHEN e.level IS NULL OR e.level = k.level THEN k.level_name END AS level_name,
  e.task,
  CASE WHEN e.task IS NULL OR e.task = k.task THEN k.task_name END AS task_name,
  e.opcode,
  CASE WHEN e.opcode IS NULL OR e.opcode = k.opcode THEN k.opcode_name END AS opcode_name,
  e.keyword,
  e.channel,
  e.activity_id,
  e.related_activity_id,
  CAST(NULL AS BIGINT) AS stack_id,
  e.fields,
  e.message
FROM (
  SELECT
    trace,
    'system_trace_header' AS header_table,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    id_source,
    process_name,
    header_type,
    pointer_size,
    provider_id,
    provider_name,
    event_name,
    event_kind,
    payload_size,
    payload,
    hook_id AS id,
    event_version AS version,
    CAST(NULL AS INT) AS level,
    CAST(NULL AS INT) AS opcode,
    CAST(NULL AS INT) AS task,
    NULL AS keyword,
    CAST(NULL AS INT) AS channel,
    CAST(NULL AS STRING) AS activity_id,
    CAST(NULL AS STRING) AS related_activity_id,
    fields,
    CAST(NULL AS STRING) AS message
  FROM system_trace_header
  UNION ALL
  SELECT
    trace,
    'perfinfo_trace_header' AS header_table,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    id_source,
    process_name,
    header_type,
    pointer_size,
    provider_id,
    provider_name,
    event_name,
    event_kind,
    payload_size,
    payload,
    hook_id AS id,
    event_version AS version,
    CAST(NULL AS INT) AS level,
    CAST(NULL AS INT) AS opcode,
    CAST(NULL AS INT) AS task,
    NULL AS keyword,
    CAST(NULL AS INT) AS channel,
    CAST(NULL AS STRING) AS activity_id,
    CAST(NULL AS STRING) AS related_activity_id,
    fields,
    CAST(NULL AS STRING) AS message
  FROM perfinfo_trace_header
  UNION ALL
  SELECT
    trace,
    'event_trace_header' AS header_table,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    id_source,
    process_name,
    header_type,
    pointer_size,
    provider_id,
    provider_name,
    event_name,
    event_kind,
    payload_size,
    payload,
    class_type AS id,
    class_version AS version,
    CAST(class_level AS INT) AS level,
    CAST(NULL AS INT) AS opcode,
    CAST(NULL AS INT) AS task,
    NULL AS keyword,
    CAST(NULL AS INT) AS channel,
    CAST(NULL AS STRING) AS activity_id,
    CAST(NULL AS STRING) AS related_activity_id,
    fields,
    CAST(NULL AS STRING) AS message
  FROM event_trace_header
  UNION ALL
  SELECT
    trace,
    'event_instance_header' AS header_table,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    id_source,
    process_name,
    header_type,
    pointer_size,
    provider_id,
    provider_name,
    event_name,
    event_kind,
    payload_size,
    payload,
    class_type AS id,
    class_version AS version,
    CAST(class_level AS INT) AS level,
    CAST(NULL AS INT) AS opcode,
    CAST(NULL AS INT) AS task,
    NULL AS keyword,
    CAST(NULL AS INT) AS channel,
    CAST(NULL AS STRING) AS activity_id,
    CAST(NULL AS STRING) AS related_activity_id,
    fields,
    CAST(NULL AS STRING) AS message
  FROM event_instance_header
  UNION ALL
  SELECT
    trace,
    'event_header' AS header_table,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    id_source,
    process_name,
    header_type,
    pointer_size,
    provider_id,
    provider_name,
    event_name,
    event_kind,
    payload_size,
    payload,
    event_id AS id,
    event_version AS version,
    level,
    opcode,
    task,
    keyword,
    channel,
    activity_id,
    related_activity_id,
    fields,
    CAST(NULL AS STRING) AS message
  FROM event_header
  UNION ALL
  SELECT
    trace,
    'message_trace_header' AS header_table,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    id_source,
    process_name,
    header_type,
    pointer_size,
    provider_id,
    provider_name,
    event_name,
    event_kind,
    payload_size,
    payload,
    message_number AS id,
    CAST(NULL AS INT) AS version,
    CAST(NULL AS INT) AS level,
    CAST(NULL AS INT) AS opcode,
    CAST(NULL AS INT) AS task,
    NULL AS keyword,
    CAST(NULL AS INT) AS channel,
    CAST(NULL AS STRING) AS activity_id,
    CAST(NULL AS STRING) AS related_activity_id,
    fields,
    message
  FROM message_trace_header
  UNION ALL
  SELECT
    trace,
    'other_header' AS header_table,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    id_source,
    process_name,
    header_type,
    pointer_size,
    provider_id,
    provider_name,
    event_name,
    event_kind,
    payload_size,
    payload,
    header_type AS id,
    CAST(NULL AS INT) AS version,
    CAST(NULL AS INT) AS level,
    CAST(NULL AS INT) AS opcode,
    CAST(NULL AS INT) AS task,
    NULL AS keyword,
    CAST(NULL AS INT) AS channel,
    CAST(NULL AS STRING) AS activity_id,
    CAST(NULL AS STRING) AS related_activity_id,
    CAST(NULL AS STRING) AS fields,
    CAST(NULL AS STRING) AS message
  FROM other_header
) AS e
LEFT JOIN event_types AS k
  ON k.trace = e.trace AND k.event_kind = e.event_kind;

-- view exceptions
SELECT
  x.trace,
  x.event_ref,
  x.timestamp,
  x.time_ns,
  x.clock_ns,
  x.seconds,
  x.process_id,
  x.process_name,
  x.thread_id,
  x.clr_instance_id,
  x.exception_type,
  x.exception_message,
  '0x' || LPAD(LOWER(HEX(CAST(x.exception_hresult - CASE WHEN x.exception_hresult >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT))), 8, '0') AS hresult,
  x.exception_flags_text AS flags,
  e.stack_id,
  k.functions
FROM microsoft_windows_dotnetruntime_exception_start AS x
LEFT JOIN stack_events AS e
  ON e.trace = x.trace AND e.event_ref = x.event_ref
LEFT JOIN stacks AS k
  ON k.trace = e.trace AND k.stack_id = e.stack_id;

-- view file_io
WITH operations AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'create' AS operation,
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL AS file_offset,
    NULL AS io_size,
    irp_ptr
  FROM fileio_create
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'cleanup',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_cleanup
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'close',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_close
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'read',
    process_id,
    process_name,
    thread_id,
    file_name,
    file_offset,
    io_size,
    irp_ptr
  FROM fileio_read
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'write',
    process_id,
    process_name,
    thread_id,
    file_name,
    file_offset,
    io_size,
    irp_ptr
  FROM fileio_write
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'set info',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_setinfo
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'delete',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_delete
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'rename',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_rename
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'list folder',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_direnum
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'watch folder',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_dirnotify
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'flush',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_flush
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'query info',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_queryinfo
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    'control',
    process_id,
    process_name,
    thread_id,
    file_name,
    NULL,
    NULL,
    irp_ptr
  FROM fileio_fscontrol
), steps AS (
  SELECT
    *,
    1 AS step,
    NULL AS nt_status,
    NULL AS nt_status_text,
    NULL AS extra_info
  FROM operations
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    irp_ptr,
    -1,
    nt_status,
    nt_status_text,
    extra_info
  FROM fileio_operationend
), paired AS (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' WHEN pair_next = 1 THEN 'no stop' ELSE 'open at the end' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    FALSE AS ambiguous,
    CASE WHEN step = -1 THEN nt_status WHEN pair_next = -1 THEN pair_nt_status END AS stop_nt_status,
    CASE WHEN step = -1 THEN nt_status_text WHEN pair_next = -1 THEN pair_nt_status_text END AS stop_nt_status_text,
    CASE WHEN step = -1 THEN extra_info WHEN pair_next = -1 THEN pair_extra_info END AS stop_extra_info
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref,
      LEAD(nt_status) OVER one AS pair_nt_status,
      LEAD(nt_status_text) OVER one AS pair_nt_status_text,
      LEAD(extra_info) OVER one AS pair_extra_info,
      LAG(step) OVER one AS pair_last
    FROM (
      SELECT
        *,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_is_first AND pair_open THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          COALESCE(LAG(clock_ns) OVER turns <> clock_ns, TRUE) AS pair_is_first,
          COALESCE(LAST_VALUE(pair_after) IGNORE NULLS OVER past = 1, FALSE) AS pair_open
        FROM (
          SELECT
            *,
            CASE WHEN NOT pair_tied THEN step WHEN pair_tick_stops = 0 THEN 1 WHEN pair_tick_starts = 0 OR pair_tick_stops > 1 THEN -1 END AS pair_after
          FROM (
            SELECT
              *,
              COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
              MIN(event_ref) OVER key AS pair_key,
              COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
              COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops
            FROM steps AS pair_steps
            WINDOW tick AS (PARTITION BY trace, irp_ptr ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, irp_ptr ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
          ) AS pair_ticks
        ) AS pair_known
        WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
          PARTITION BY pair_key, trace
          ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN step ELSE 0 END NULLS LAST, event_ref NULLS LAST
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR step = -1 AND COALESCE(pair_last, -1) = -1
)
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  processor,
  operation,
  process_id,
  process_name,
  thread_id,
  file_name,
  file_offset,
  io_size,
  CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END AS duration_ns,
  stop_nt_status AS status,
  stop_nt_status_text AS status_text,
  CASE WHEN operation IN ('read', 'write') THEN TRY_CAST(stop_extra_info AS BIGINT) END AS bytes_done,
  state,
  ambiguous
FROM paired
WHERE
  step = 1;

-- view folded_stacks
SELECT
  k.trace,
  k.stack_id,
  k.process_id,
  k.process_name,
  CONCAT_WS(
    CHR(  59),
    REPLACE(COALESCE(k.process_name, 'process ' || CAST(k.process_id AS STRING), '?'), CHR(  59), ':'),
    NULLIF(
      REPLACE(
        ARRAY_JOIN(
          REVERSE(
            TRANSFORM(
              k.addresses,
              (address, i) -> REPLACE(
                REPLACE(
                  CASE
                    WHEN GET(k.functions, CAST(i AS INT)) <> '' AND GET(k.modules, CAST(i AS INT)) <> ''
                    THEN GET(k.modules, CAST(i AS INT)) || '!' || GET(k.functions, CAST(i AS INT))
                    WHEN GET(k.functions, CAST(i AS INT)) <> ''
                    THEN GET(k.functions, CAST(i AS INT))
                    WHEN GET(k.modules, CAST(i AS INT)) <> ''
                    THEN GET(k.modules, CAST(i AS INT)) || '+0x' || LOWER(HEX(CAST(GET(k.offsets, CAST(i AS INT)) - CASE WHEN GET(k.offsets, CAST(i AS INT)) >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT)))
                    ELSE '0x' || LOWER(HEX(CAST(address - CASE WHEN address >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT)))
                  END,
                  CHR(  59),
                  ':'
                ),
                CHR(  10),
                ' '
              )
            )
          ),
          '\n'
        ),
        CHR(  10),
        CHR(  59)
      ),
      ''
    )
  ) AS stack
FROM stacks AS k;

-- view gc
WITH steps AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    event_version,
    'start' AS step,
    count AS number,
    depth,
    reason_text,
    type,
    type_text
  FROM microsoft_windows_dotnetruntime_gc_start
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    event_version,
    'stop',
    count,
    depth,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_gc_stop
), firsts AS (
  SELECT
    *,
    CASE WHEN step <> 'start' OR LAG(step) OVER one = 'start' AND LAG(event_version) OVER one <> event_version THEN 0 ELSE 1 END AS is_first
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, number ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST)
), turns AS (
  SELECT
    *,
    SUM(is_first) OVER (PARTITION BY trace, process_id, clr_instance_id, number ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST) AS turn
  FROM firsts
), pairs AS (
  SELECT
    *,
    MIN(CASE WHEN step = 'stop' THEN clock_ns END) OVER one AS end_ns,
    MIN(CASE WHEN step = 'stop' THEN event_ref END) OVER one AS stop_ref,
    MAX(depth) OVER one AS generation,
    MAX(type) OVER one AS any_type,
    MAX(type_text) OVER one AS any_type_text
  FROM turns
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, number, turn)
), collections AS (
  SELECT
    *
  FROM pairs
  WHERE
    is_first = 1
), histories AS (
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    clr_instance_id,
    SUM(CAST(v.size_before AS DECIMAL(20, 0))) AS before_bytes
  FROM (
    SELECT
      h.trace,
      h.event_ref,
      h.clock_ns,
      h.process_id,
      h.clr_instance_id,
      EXPLODE(h.values) AS v
    FROM microsoft_windows_dotnetruntime_gc_perheaphistory AS h
    UNION ALL
    SELECT
      h.trace,
      h.event_ref,
      h.clock_ns,
      h.process_id,
      h.clr_instance_id,
      EXPLODE(h.values) AS v
    FROM microsoft_windows_dotnetruntimeprivate_gc_perheaphistory AS h
  ) AS generations
  GROUP BY
    trace,
    event_ref,
    clock_ns,
    process_id,
    clr_instance_id
), statistics AS (
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    clr_instance_id,
    pinned_object_count,
    gc_handle_count,
    finalization_promoted_size,
    CAST(generation_size0 AS DECIMAL(20, 0)) + generation_size1 + generation_size2 + generation_size3 + COALESCE(generation_size4, 0) AS after_bytes,
    CAST(total_promoted_size0 AS DECIMAL(20, 0)) + total_promoted_size1 + total_promoted_size2 + total_promoted_size3 + COALESCE(total_promoted_size4, 0) AS promoted
  FROM microsoft_windows_dotnetruntime_gc_heapstats
), marks AS (
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    clr_instance_id,
    step,
    NULL AS before_bytes,
    NULL AS after_bytes,
    NULL AS promoted,
    NULL AS pinned_object_count,
    NULL AS gc_handle_count,
    NULL AS finalization_promoted_size
  FROM steps
  UNION ALL
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    clr_instance_id,
    'history',
    before_bytes,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM histories
  UNION ALL
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    clr_instance_id,
    'statistics',
    NULL,
    after_bytes,
    promoted,
    pinned_object_count,
    gc_handle_count,
    finalization_promoted_size
  FROM statistics
), counted AS (
  SELECT
    *,
    COUNT(CASE WHEN step IN ('start', 'stop') THEN 1 END) OVER one AS mark,
    ROW_NUMBER() OVER one AS place
  FROM marks
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST)
), heaps AS (
  SELECT
    trace,
    MAX(CASE WHEN step = 'stop' THEN event_ref END) AS stop_ref,
    SUM(before_bytes) AS before_bytes,
    MIN_BY(after_bytes, place) FILTER(WHERE
      step = 'statistics') AS after_bytes,
    MIN_BY(promoted, place) FILTER(WHERE
      step = 'statistics') AS promoted,
    MIN_BY(pinned_object_count, place) FILTER(WHERE
      step = 'statistics') AS pinned,
    MIN_BY(gc_handle_count, place) FILTER(WHERE
      step = 'statistics') AS handles,
    MIN_BY(finalization_promoted_size, place) FILTER(WHERE
      step = 'statistics') AS finalization
  FROM (
    SELECT
      *,
      CASE WHEN step = 'history' THEN mark + 1 ELSE mark END AS stop_mark
    FROM counted
  ) AS at_stop
  GROUP BY
    trace,
    process_id,
    clr_instance_id,
    stop_mark
), times AS (
  SELECT
    trace,
    event_ref,
    clock_ns,
    end_ns,
    process_id,
    clr_instance_id,
    'pause' AS step,
    is_background,
    pause_ns,
    suspending_ns
  FROM gc_pauses
  WHERE
    is_gc
  UNION ALL
  SELECT
    trace,
    event_ref,
    clock_ns,
    end_ns,
    process_id,
    clr_instance_id,
    CASE WHEN any_type = 1 THEN 'background' ELSE 'blocking' END,
    NULL,
    NULL,
    NULL
  FROM collections
), near AS (
  SELECT
    *,
    COUNT(CASE WHEN step = 'pause' THEN 1 END) OVER one AS pause_turn,
    COUNT(CASE WHEN step = 'background' THEN 1 END) OVER one AS background_turn
  FROM times
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST)
), owners AS (
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    clr_instance_id,
    step,
    is_background,
    pause_ns,
    suspending_ns,
    COALESCE(end_ns, 9223372036854775807) AS pause_end_ns,
    LEAD(event_ref) OVER paused AS next_ref,
    LEAD(clock_ns) OVER paused AS next_ns,
    FIRST_VALUE(event_ref) OVER background AS background_ref,
    FIRST_VALUE(step) OVER background AS background_step,
    COALESCE(FIRST_VALUE(end_ns) OVER background, 9223372036854775807) AS background_end_ns
  FROM near
  WINDOW paused AS (PARTITION BY trace, process_id, clr_instance_id, pause_turn ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST), background AS (PARTITION BY trace, process_id, clr_instance_id, background_turn ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST)
), stops AS (
  SELECT
    trace,
    owner_ref,
    COUNT(*) AS pauses,
    SUM(pause_ns) AS pause_ns,
    SUM(CASE WHEN NOT pause_ns IS NULL THEN suspending_ns END) AS suspending_ns
  FROM (
    SELECT
      trace,
      pause_ns,
      suspending_ns,
      CASE WHEN next_ns < pause_end_ns THEN next_ref WHEN is_background AND background_step = 'background' AND clock_ns < background_end_ns THEN background_ref END AS owner_ref
    FROM owners
    WHERE
      step = 'pause'
  ) AS owned
  WHERE
    NOT owner_ref IS NULL
  GROUP BY
    trace,
    owner_ref
)
SELECT
  c.trace,
  c.event_ref,
  c.timestamp,
  c.time_ns,
  c.clock_ns,
  c.seconds,
  c.process_id,
  c.process_name,
  c.thread_id,
  c.clr_instance_id,
  c.number,
  c.generation,
  c.reason_text AS reason,
  c.any_type_text AS type,
  c.end_ns,
  CASE WHEN c.end_ns >= c.clock_ns THEN c.end_ns - c.clock_ns END AS duration_ns,
  COALESCE(s.pauses, 0) AS pauses,
  CAST(s.pause_ns AS BIGINT) AS pause_ns,
  CAST(s.suspending_ns AS BIGINT) AS suspending_ns,
  TRY_CAST(h.before_bytes AS BIGINT) AS heap_before_bytes,
  TRY_CAST(h.after_bytes AS BIGINT) AS heap_after_bytes,
  TRY_CAST(h.promoted AS BIGINT) AS promoted_bytes,
  h.pinned AS pinned_objects,
  h.handles AS gc_handles,
  TRY_CAST(h.finalization AS BIGINT) AS finalization_promoted_bytes,
  e.stack_id
FROM collections AS c
LEFT JOIN heaps AS h
  ON h.trace = c.trace AND h.stop_ref = c.stop_ref
LEFT JOIN stops AS s
  ON s.trace = c.trace AND s.owner_ref = c.event_ref
LEFT JOIN stack_events AS e
  ON e.trace = c.trace AND e.event_ref = c.event_ref;

-- view gc_pauses
WITH steps AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'start' AS step,
    reason,
    reason_text
  FROM microsoft_windows_dotnetruntime_gc_suspendeestart
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'stopped',
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_gc_suspendeestop
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'end',
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_gc_restarteestop
), turns AS (
  SELECT
    *,
    COUNT(CASE WHEN step = 'start' THEN 1 END) OVER (PARTITION BY trace, process_id, clr_instance_id, thread_id ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST) AS turn
  FROM steps
), pauses AS (
  SELECT
    *,
    MIN(CASE WHEN step = 'stopped' THEN clock_ns END) OVER one AS stopped_ns,
    MIN(CASE WHEN step = 'end' THEN clock_ns END) OVER one AS end_ns
  FROM turns
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, thread_id, turn)
)
SELECT
  p.trace,
  p.event_ref,
  p.timestamp,
  p.time_ns,
  p.clock_ns,
  p.seconds,
  p.process_id,
  p.process_name,
  p.thread_id,
  p.clr_instance_id,
  p.reason_text AS reason,
  p.reason IN (1, 6) AS is_gc,
  p.reason = 6 AS is_background,
  CASE WHEN p.stopped_ns >= p.clock_ns THEN p.stopped_ns - p.clock_ns END AS suspending_ns,
  CASE WHEN p.end_ns >= p.clock_ns THEN p.end_ns - p.clock_ns END AS pause_ns,
  p.end_ns,
  e.stack_id
FROM pauses AS p
LEFT JOIN stack_events AS e
  ON e.trace = p.trace AND e.event_ref = p.event_ref
WHERE
  p.step = 'start';

-- view handles
WITH types AS (
  SELECT
    trace,
    object_type,
    MAX(type_name) AS type_name
  FROM (
    SELECT
      trace,
      object_type,
      type_name
    FROM object_typedcstart
    UNION ALL
    SELECT
      trace,
      object_type,
      type_name
    FROM object_typedcend
  ) AS named
  GROUP BY
    trace,
    object_type
), steps AS (
  SELECT
    'create' AS step,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    thread_id,
    handle,
    object,
    object_type,
    object_name,
    CAST(NULL AS BIGINT) AS source_handle,
    CAST(NULL AS BIGINT) AS source_process_id
  FROM object_createhandle
  UNION ALL
  SELECT
    'duplicate',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    target_process_id,
    thread_id,
    target_handle,
    object,
    object_type,
    NULL,
    source_handle,
    process_id
  FROM object_duplicatehandle
  UNION ALL
  SELECT
    'close',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    thread_id,
    handle,
    object,
    object_type,
    object_name,
    NULL,
    NULL
  FROM object_closehandle
  UNION ALL
  SELECT
    'open',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    NULL,
    handle,
    object,
    object_type,
    object_name,
    NULL,
    NULL
  FROM object_handledcstart
  UNION ALL
  SELECT
    'open',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    NULL,
    handle,
    object,
    object_type,
    object_name,
    NULL,
    NULL
  FROM object_handledcend
), tables AS (
  SELECT
    *,
    CASE WHEN handle < 2147483648 THEN process_id END AS of_process
  FROM steps
), following AS (
  SELECT
    *,
    COALESCE(LAG(step) OVER (PARTITION BY trace, of_process, handle ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST), 'close') AS last_step
  FROM tables
), lives AS (
  SELECT
    *,
    COUNT(CASE WHEN step IN ('create', 'duplicate') OR last_step = 'close' THEN 1 END) OVER life AS life,
    ROW_NUMBER() OVER life AS place
  FROM following
  WINDOW life AS (PARTITION BY trace, of_process, handle ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
), opened AS (
  SELECT
    trace,
    handle,
    MIN_BY(event_ref, place) AS event_ref,
    MIN_BY(timestamp, place) AS timestamp,
    MIN_BY(time_ns, place) AS time_ns,
    MIN(clock_ns) AS clock_ns,
    MIN(seconds) AS seconds,
    MIN_BY(process_id, place) AS process_id,
    MIN_BY(thread_id, place) AS thread_id,
    MIN_BY(object, place) AS object,
    MIN_BY(object_type, place) AS object_type,
    MAX(NULLIF(object_name, '')) AS object_name,
    MAX(CASE WHEN step IN ('create', 'duplicate') THEN step END) AS opened_as,
    MAX(source_handle) AS source_handle,
    MAX(source_process_id) AS source_process_id,
    MIN(CASE WHEN step IN ('create', 'duplicate') THEN clock_ns END) AS opened_ns,
    MAX(CASE WHEN step = 'close' THEN clock_ns END) AS closed_ns
  FROM lives
  GROUP BY
    trace,
    of_process,
    handle,
    life
)
SELECT
  o.trace,
  o.event_ref,
  o.timestamp,
  o.time_ns,
  o.clock_ns,
  o.seconds,
  o.process_id,
  p.process_name,
  o.thread_id,
  o.handle,
  o.object,
  COALESCE(t.type_name, CAST(o.object_type AS STRING)) AS object_type,
  o.object_name,
  o.opened_as,
  o.source_handle,
  o.source_process_id,
  o.opened_ns,
  o.closed_ns,
  o.closed_ns IS NULL AS is_outstanding,
  s.stack_id
FROM opened AS o
LEFT JOIN types AS t
  ON t.trace = o.trace AND t.object_type = o.object_type
LEFT JOIN processes AS p
  ON p.trace = o.trace AND p.process_id = o.process_id AND o.time_ns >= COALESCE(p.valid_from_ns, o.time_ns) AND o.time_ns <= COALESCE(p.valid_to_ns, o.time_ns)
LEFT JOIN stack_events AS s
  ON s.trace = o.trace AND s.event_ref = o.event_ref;

-- view hot_functions
WITH samples AS (
  SELECT
    trace,
    process_id,
    process_name,
    CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind,
    stack_id,
    COALESCE(module, '') AS module,
    COALESCE(function, '') AS function,
    COUNT(*) AS n,
    SUM(interval_ns) AS ns
  FROM cpu_samples
  WHERE
    NOT COALESCE(is_idle, FALSE)
  GROUP BY
    trace,
    process_id,
    process_name,
    CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END,
    stack_id,
    COALESCE(module, ''),
    COALESCE(function, '')
), frames AS (
  SELECT
    trace,
    stack_id,
    modules,
    functions,
    EXPLODE(IF((
      SIZE(addresses) - 1
    ) < 0, ARRAY(), SEQUENCE(0, (
      SIZE(addresses) - 1
    )))) AS i
  FROM stacks
  WHERE
    SIZE(addresses) > 0
), functions AS (
  SELECT DISTINCT
    trace,
    stack_id,
    GET(modules, CAST(i AS INT)) AS module,
    GET(functions, CAST(i AS INT)) AS function
  FROM frames
), counted AS (
  SELECT
    trace,
    process_id,
    process_name,
    kind,
    module,
    function,
    n AS exclusive,
    n AS inclusive,
    ns AS exclusive_ns,
    ns AS inclusive_ns
  FROM samples
  UNION ALL
  SELECT
    s.trace,
    s.process_id,
    s.process_name,
    s.kind,
    f.module,
    f.function,
    0,
    s.n,
    CASE WHEN NOT s.ns IS NULL THEN 0 END,
    s.ns
  FROM samples AS s
  JOIN functions AS f
    ON f.trace = s.trace AND f.stack_id = s.stack_id
  WHERE
    f.module <> s.module OR f.function <> s.function
)
SELECT
  trace,
  process_id,
  process_name,
  kind,
  NULLIF(module, '') AS module,
  NULLIF(function, '') AS function,
  CAST(SUM(exclusive) AS BIGINT) AS exclusive_samples,
  CAST(SUM(inclusive) AS BIGINT) AS inclusive_samples,
  CAST(SUM(exclusive_ns) AS BIGINT) AS exclusive_ns,
  CAST(SUM(inclusive_ns) AS BIGINT) AS inclusive_ns
FROM counted
GROUP BY
  trace,
  process_id,
  process_name,
  kind,
  module,
  function;

-- view http_requests
WITH received AS (
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'begin' AS step,
    request_id,
    CAST(NULL AS STRING) AS method,
    CAST(NULL AS STRING) AS url,
    CAST(NULL AS BIGINT) AS status,
    remote_addr AS remote_address,
    CAST(NULL AS STRING) AS queue,
    CAST(NULL AS BIGINT) AS bytes,
    CAST(NULL AS STRING) AS reason,
    related_activity_id AS request_activity_id
  FROM microsoft_windows_httpservice_recvreq
), ids AS (
  SELECT
    trace,
    request_activity_id,
    MAX(request_id) AS request_id
  FROM received
  WHERE
    NOT request_activity_id IS NULL
  GROUP BY
    trace,
    request_activity_id
), by_activity AS (
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'parse' AS step,
    CASE http_verb
      WHEN 3
      THEN 'OPTIONS'
      WHEN 4
      THEN 'GET'
      WHEN 5
      THEN 'HEAD'
      WHEN 6
      THEN 'POST'
      WHEN 7
      THEN 'PUT'
      WHEN 8
      THEN 'DELETE'
      WHEN 9
      THEN 'TRACE'
      WHEN 10
      THEN 'CONNECT'
      WHEN 11
      THEN 'TRACK'
      WHEN 12
      THEN 'MOVE'
      WHEN 13
      THEN 'COPY'
      WHEN 14
      THEN 'PROPFIND'
      WHEN 15
      THEN 'PROPPATCH'
      WHEN 16
      THEN 'MKCOL'
      WHEN 17
      THEN 'LOCK'
      WHEN 18
      THEN 'UNLOCK'
      WHEN 19
      THEN 'SEARCH'
    END AS method,
    url,
    CAST(NULL AS BIGINT) AS status,
    CAST(NULL AS BIGINT) AS bytes
  FROM microsoft_windows_httpservice_parse
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'cached',
    NULL,
    NULL,
    NULL,
    CAST(bytes_sent AS BIGINT)
  FROM microsoft_windows_httpservice_httprequesttracetask_srvdfrmcache
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'cached',
    NULL,
    NULL,
    304,
    CAST(bytes_sent AS BIGINT)
  FROM microsoft_windows_httpservice_httprequesttracetask_cachednotmodified
), steps AS (
  SELECT
    *
  FROM received
  UNION ALL
  SELECT
    b.source,
    b.trace,
    b.event_ref,
    b.timestamp,
    b.time_ns,
    b.clock_ns,
    b.seconds,
    b.process_id,
    b.process_name,
    b.activity_id,
    b.owner,
    b.step,
    i.request_id,
    b.method,
    b.url,
    b.status,
    NULL,
    NULL,
    b.bytes,
    NULL,
    b.activity_id
  FROM by_activity AS b
  JOIN ids AS i
    ON i.trace = b.trace AND i.request_activity_id = b.activity_id
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'deliver',
    request_id,
    NULL,
    url,
    NULL,
    NULL,
    request_queue_name,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_httpservice_deliver
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'respond',
    request_id,
    verb,
    NULL,
    CAST(status_code AS BIGINT),
    NULL,
    NULL,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_httpservice_recvresp
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'respond',
    request_id,
    verb,
    NULL,
    CAST(status_code AS BIGINT),
    NULL,
    NULL,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_httpservice_fastresp
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'respond',
    request_id,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_httpservice_recvresplast
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'respond',
    request_id,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_httpservice_fastresplast
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'sent',
    request_id,
    NULL,
    NULL,
    CAST(http_status AS BIGINT),
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_httpservice_sendcomplete
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'sent',
    request_id,
    NULL,
    NULL,
    CAST(http_status AS BIGINT),
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_httpservice_fastsend
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'sent',
    request_id,
    NULL,
    NULL,
    CAST(http_status AS BIGINT),
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_httpservice_zerosend
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'sent',
    request_id,
    NULL,
    NULL,
    CAST(http_status AS BIGINT),
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_httpservice_cachedandsend
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'send error',
    request_id,
    NULL,
    NULL,
    CAST(http_status AS BIGINT),
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_httpservice_lastsnderror
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'send error',
    request_id,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    reason,
    NULL
  FROM microsoft_windows_httpservice_snderror
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'rejected',
    request_id,
    NULL,
    NULL,
    NULL,
    NULL,
    request_queue_name,
    NULL,
    reason,
    NULL
  FROM microsoft_windows_httpservice_requestrejected
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'cancelled',
    request_id,
    NULL,
    NULL,
    NULL,
    NULL,
    request_queue_name,
    NULL,
    reason,
    NULL
  FROM microsoft_windows_httpservice_requestcancelled
  UNION ALL
  SELECT
    'HttpService' AS source,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    CAST(NULL AS BIGINT) AS owner,
    'rejected',
    request_id,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    reason,
    NULL
  FROM microsoft_windows_httpservice_parserequestfailed
  UNION ALL
  SELECT
    'WinINet',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'begin',
    hinternet,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_wininet_wininet_http_request_start
  UNION ALL
  SELECT
    'WinINet',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'ask',
    request_handle,
    NULLIF(REGEXP_EXTRACT(headers, '^([A-Z]+) '), ''),
    NULLIF(CONCAT(COALESCE(REGEXP_EXTRACT(headers, '(?i)[\\r\\n]host: *([^\\r\\n]*)'), ''), COALESCE(REGEXP_EXTRACT(headers, '^[A-Z]+ ([^ \\r\\n]*)'), '')), ''),
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_wininet_wininet_request_header
  UNION ALL
  SELECT
    'WinINet',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'respond',
    request_handle,
    NULL,
    NULL,
    CAST(response_code AS BIGINT),
    NULL,
    NULL,
    TRY_CAST(content_length AS BIGINT),
    NULL,
    activity_id
  FROM microsoft_windows_wininet_wininet_http_response_stop
  UNION ALL
  SELECT
    'WinINet',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'received',
    request_handle,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_wininet_wininet_http_response_body_received
  UNION ALL
  SELECT
    'WinINet',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'failed',
    handle,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    CONCAT('error ', COALESCE(error, '')),
    activity_id
  FROM microsoft_windows_wininet_wininet_http_request_fail
  UNION ALL
  SELECT
    'WinINet',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'failed',
    handle,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    CONCAT('error ', COALESCE(error, '')),
    activity_id
  FROM microsoft_windows_wininet_wininet_http_response_fail
  UNION ALL
  SELECT
    'WebIO',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'begin',
    request,
    method,
    uri,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_webio_requestcreate_17
  UNION ALL
  SELECT
    'WebIO',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'respond',
    request,
    NULL,
    NULL,
    TRY_CAST(NULLIF(REGEXP_EXTRACT(headers, '^HTTP/[0-9.]+ ([0-9]+)'), '') AS BIGINT),
    NULL,
    NULL,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_webio_requestheader_101
  UNION ALL
  SELECT
    'WebIO',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    activity_id,
    process_id,
    'received',
    request,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    activity_id
  FROM microsoft_windows_webio_responserecieveentity_stop
), numbered AS (
  SELECT
    *,
    COUNT(CASE WHEN step = 'begin' THEN 1 END) OVER uses AS turn,
    ROW_NUMBER() OVER uses AS place
  FROM steps
  WINDOW uses AS (PARTITION BY source, trace, owner, request_id ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
), requests AS (
  SELECT
    source,
    trace,
    MIN_BY(event_ref, place) AS event_ref,
    MIN_BY(timestamp, place) AS timestamp,
    MIN_BY(time_ns, place) AS time_ns,
    MIN(clock_ns) AS clock_ns,
    MIN(seconds) AS seconds,
    COALESCE(MIN_BY(process_id, place) FILTER(WHERE
      source <> 'HttpService' OR step = 'respond'), MIN_BY(process_id, place) FILTER(WHERE
      step = 'sent')) AS process_id,
    COALESCE(MIN_BY(process_name, place) FILTER(WHERE
      source <> 'HttpService' OR step = 'respond'), MIN_BY(process_name, place) FILTER(WHERE
      step = 'sent')) AS process_name,
    request_id,
    MAX(request_activity_id) AS activity_id,
    MAX_BY(method, place) FILTER(WHERE
      NOT method IS NULL) AS method,
    MIN_BY(url, place) FILTER(WHERE
      NOT url IS NULL) AS url,
    MAX_BY(status, place) FILTER(WHERE
      NOT status IS NULL) AS status,
    MAX(remote_address) AS remote_address,
    MAX(queue) AS queue,
    MAX(CASE WHEN step = 'cached' THEN bytes END) AS bytes_sent,
    MAX(CASE WHEN step = 'respond' THEN bytes END) AS bytes_received,
    MAX(reason) AS reason,
    MAX_BY(step, place) FILTER(WHERE
      NOT step IN ('begin', 'parse', 'deliver', 'ask', 'respond')) AS ended_as,
    MIN(CASE WHEN step = 'begin' THEN clock_ns END) AS begin_ns,
    MIN(CASE WHEN step = 'deliver' THEN clock_ns END) AS delivered_ns,
    MIN(CASE WHEN step = 'respond' THEN clock_ns END) AS response_ns,
    MAX(CASE WHEN NOT step IN ('begin', 'parse', 'deliver', 'ask', 'respond') THEN clock_ns END) AS end_ns
  FROM numbered
  GROUP BY
    source,
    trace,
    owner,
    request_id,
    turn
), placed AS (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY trace, merge_key_0, merge_key_1, merge_key_2, merge_key_3 ORDER BY merge_ns NULLS LAST, source_rank NULLS LAST, event_ref NULLS LAST) AS merge_place
  FROM (
    SELECT
      *,
      COALESCE(end_ns, clock_ns) AS merge_ns,
      method AS merge_key_0,
      path AS merge_key_1,
      COALESCE(query, '') AS merge_key_2,
      REGEXP_REPLACE(remote_address, ':[0-9]+$', '') AS merge_key_3
    FROM (
      SELECT
        trace,
        event_ref,
        timestamp,
        time_ns,
        clock_ns,
        seconds,
        CAST(source AS STRING) AS source,
        CAST(process_id AS BIGINT) AS process_id,
        CAST(process_name AS STRING) AS process_name,
        CAST(request_id AS DECIMAL(20, 0)) AS request_id,
        CAST(activity_id AS STRING) AS activity_id,
        CAST(method AS STRING) AS method,
        CAST(url AS STRING) AS url,
        CAST(NULLIF(REGEXP_REPLACE(REGEXP_REPLACE(url, '^[a-z]+://[^/]*', ''), '[?].*$', ''), '') AS STRING) AS path,
        CAST(NULLIF(REGEXP_EXTRACT(url, '[?](.*)$'), '') AS STRING) AS query,
        CAST(status AS BIGINT) AS status,
        CAST(NULL AS BIGINT) AS substatus,
        CAST(NULL AS BIGINT) AS win32_status,
        CAST(remote_address AS STRING) AS remote_address,
        CAST(queue AS STRING) AS queue,
        CAST(NULL AS STRING) AS site,
        CAST(NULL AS STRING) AS user_name,
        CAST(NULL AS STRING) AS user_agent,
        CAST(NULL AS STRING) AS referer,
        CAST(bytes_sent AS BIGINT) AS bytes_sent,
        CAST(bytes_received AS BIGINT) AS bytes_received,
        CAST(ended_as AS STRING) AS ended_as,
        CAST(reason AS STRING) AS reason,
        CAST(delivered_ns AS BIGINT) AS delivered_ns,
        CAST(response_ns AS BIGINT) AS response_ns,
        CAST(end_ns AS BIGINT) AS end_ns,
        CAST(duration_ns AS BIGINT) AS duration_ns,
        1 AS source_rank
      FROM (
        SELECT
          *
        FROM (
          SELECT
            trace,
            event_ref,
            timestamp,
            time_ns,
            clock_ns,
            seconds,
            source,
            process_id,
            process_name,
            request_id,
            activity_id,
            method,
            url,
            status,
            remote_address,
            queue,
            bytes_sent,
            bytes_received,
            ended_as,
            reason,
            delivered_ns,
            response_ns,
            end_ns,
            CASE WHEN end_ns >= begin_ns THEN end_ns - begin_ns END AS duration_ns
          FROM requests
        ) AS given
      ) AS e
      UNION ALL
      SELECT
        trace,
        event_ref,
        CAST(TIMESTAMP_MICROS(CAST((
          time_ns - CAST(time_taken AS BIGINT) * 1000000
        ) DIV 1000 AS BIGINT)) AS TIMESTAMP) AS timestamp,
        CAST(time_ns - CAST(time_taken AS BIGINT) * 1000000 AS BIGINT) AS time_ns,
        CAST(clock_ns - CAST(time_taken AS BIGINT) * 1000000 AS BIGINT) AS clock_ns,
        CAST(seconds - CAST(time_taken AS DOUBLE) / 1000 AS DOUBLE) AS seconds,
        'IIS-Logging' AS source,
        CAST(NULL AS BIGINT) AS process_id,
        CAST(NULL AS STRING) AS process_name,
        CAST(NULL AS DECIMAL(20, 0)) AS request_id,
        CAST(NULL AS STRING) AS activity_id,
        CAST(NULLIF(cs_method, '-') AS STRING) AS method,
        CAST(CONCAT(COALESCE(cs_uri_stem, ''), COALESCE('?' || NULLIF(NULLIF(cs_uri_query, '-'), ''), '')) AS STRING) AS url,
        CAST(cs_uri_stem AS STRING) AS path,
        CAST(NULLIF(NULLIF(cs_uri_query, '-'), '') AS STRING) AS query,
        CAST(sc_status AS BIGINT) AS status,
        CAST(sc_substatus AS BIGINT) AS substatus,
        CAST(sc_win32_status AS BIGINT) AS win32_status,
        CAST(NULLIF(c_ip, '-') AS STRING) AS remote_address,
        CAST(NULL AS STRING) AS queue,
        CAST(s_sitename AS STRING) AS site,
        CAST(NULLIF(cs_username, '-') AS STRING) AS user_name,
        CAST(NULLIF(REPLACE(cs_user_agent, '+', ' '), '-') AS STRING) AS user_agent,
        CAST(NULLIF(cs_referer, '-') AS STRING) AS referer,
        CAST(sc_bytes AS BIGINT) AS bytes_sent,
        CAST(cs_bytes AS BIGINT) AS bytes_received,
        CAST('sent' AS STRING) AS ended_as,
        CAST(NULL AS STRING) AS reason,
        CAST(NULL AS BIGINT) AS delivered_ns,
        CAST(NULL AS BIGINT) AS response_ns,
        CAST(clock_ns AS BIGINT) AS end_ns,
        CAST(CAST(time_taken AS BIGINT) * 1000000 AS BIGINT) AS duration_ns,
        2 AS source_rank
      FROM (
        SELECT
          trace,
          c_ip,
          clock_ns,
          cs_bytes,
          cs_method,
          cs_referer,
          cs_uri_query,
          cs_uri_stem,
          cs_user_agent,
          cs_username,
          event_ref,
          s_sitename,
          sc_bytes,
          sc_status,
          sc_substatus,
          sc_win32_status,
          seconds,
          time_ns,
          time_taken
        FROM microsoft_windows_iis_logging_logs
      ) AS e
    ) AS merge_sources
  ) AS merge_keys
), merged_1 AS (
  SELECT
    *,
    CASE source_rank WHEN 1 THEN merge_place END AS merge_group
  FROM placed
), near_2 AS (
  SELECT
    *,
    CASE
      WHEN source_rank = 2 AND NOT merge_key_0 IS NULL AND NOT merge_key_1 IS NULL AND NOT merge_key_2 IS NULL AND NOT merge_key_3 IS NULL
      THEN CASE
        WHEN merge_ns - before_ns <= 20000000 AND (
          after_ns IS NULL OR merge_ns - before_ns <= after_ns - merge_ns
        )
        THEN before_place
        WHEN after_ns - merge_ns <= 20000000
        THEN after_place
      END
    END AS merge_near,
    LEAST(COALESCE(merge_ns - before_ns, 20000000), COALESCE(after_ns - merge_ns, 20000000)) AS merge_distance
  FROM (
    SELECT
      *,
      MAX(CASE WHEN merge_group = merge_place THEN merge_place END) OVER before AS before_place,
      MAX(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER before AS before_ns,
      MIN(CASE WHEN merge_group = merge_place THEN merge_place END) OVER after AS after_place,
      MIN(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER after AS after_ns
    FROM merged_1
    WINDOW before AS (PARTITION BY trace, merge_key_0, merge_key_1, merge_key_2, merge_key_3 ORDER BY merge_place NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), after AS (PARTITION BY trace, merge_key_0, merge_key_1, merge_key_2, merge_key_3 ORDER BY merge_place NULLS LAST ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
  ) AS merge_found
), merged_2 AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    source,
    process_id,
    process_name,
    request_id,
    activity_id,
    method,
    url,
    path,
    query,
    status,
    substatus,
    win32_status,
    remote_address,
    queue,
    site,
    user_name,
    user_agent,
    referer,
    bytes_sent,
    bytes_received,
    ended_as,
    reason,
    delivered_ns,
    response_ns,
    end_ns,
    duration_ns,
    source_rank,
    merge_ns,
    merge_key_0,
    merge_key_1,
    merge_key_2,
    merge_key_3,
    merge_place,
    CASE
      WHEN source_rank <> 2
      THEN merge_group
      WHEN NOT merge_near IS NULL
      AND ROW_NUMBER() OVER (PARTITION BY trace, merge_key_0, merge_key_1, merge_key_2, merge_key_3, merge_near ORDER BY merge_distance NULLS LAST, merge_place NULLS LAST) = 1
      THEN merge_near
      ELSE merge_place
    END AS merge_group
  FROM near_2
)
SELECT
  trace,
  MIN_BY(event_ref, source_rank) FILTER(WHERE
    NOT event_ref IS NULL) AS event_ref,
  MIN_BY(timestamp, source_rank) FILTER(WHERE
    NOT timestamp IS NULL) AS timestamp,
  MIN_BY(time_ns, source_rank) FILTER(WHERE
    NOT time_ns IS NULL) AS time_ns,
  MIN_BY(clock_ns, source_rank) FILTER(WHERE
    NOT clock_ns IS NULL) AS clock_ns,
  MIN_BY(seconds, source_rank) FILTER(WHERE
    NOT seconds IS NULL) AS seconds,
  LISTAGG(source, ', ') WITHIN GROUP (ORDER BY
    source NULLS LAST) AS source,
  MIN_BY(process_id, source_rank) FILTER(WHERE
    NOT process_id IS NULL) AS process_id,
  MIN_BY(process_name, source_rank) FILTER(WHERE
    NOT process_name IS NULL) AS process_name,
  MIN_BY(request_id, source_rank) FILTER(WHERE
    NOT request_id IS NULL) AS request_id,
  MIN_BY(activity_id, source_rank) FILTER(WHERE
    NOT activity_id IS NULL) AS activity_id,
  MIN_BY(method, source_rank) FILTER(WHERE
    NOT method IS NULL) AS method,
  MIN_BY(url, source_rank) FILTER(WHERE
    NOT url IS NULL) AS url,
  MIN_BY(path, source_rank) FILTER(WHERE
    NOT path IS NULL) AS path,
  MIN_BY(query, source_rank) FILTER(WHERE
    NOT query IS NULL) AS query,
  MIN_BY(status, source_rank) FILTER(WHERE
    NOT status IS NULL) AS status,
  MIN_BY(substatus, source_rank) FILTER(WHERE
    NOT substatus IS NULL) AS substatus,
  MIN_BY(win32_status, source_rank) FILTER(WHERE
    NOT win32_status IS NULL) AS win32_status,
  MIN_BY(remote_address, source_rank) FILTER(WHERE
    NOT remote_address IS NULL) AS remote_address,
  MIN_BY(queue, source_rank) FILTER(WHERE
    NOT queue IS NULL) AS queue,
  MIN_BY(site, source_rank) FILTER(WHERE
    NOT site IS NULL) AS site,
  MIN_BY(user_name, source_rank) FILTER(WHERE
    NOT user_name IS NULL) AS user_name,
  MIN_BY(user_agent, source_rank) FILTER(WHERE
    NOT user_agent IS NULL) AS user_agent,
  MIN_BY(referer, source_rank) FILTER(WHERE
    NOT referer IS NULL) AS referer,
  MIN_BY(bytes_sent, source_rank) FILTER(WHERE
    NOT bytes_sent IS NULL) AS bytes_sent,
  MIN_BY(bytes_received, source_rank) FILTER(WHERE
    NOT bytes_received IS NULL) AS bytes_received,
  MIN_BY(ended_as, source_rank) FILTER(WHERE
    NOT ended_as IS NULL) AS ended_as,
  MIN_BY(reason, source_rank) FILTER(WHERE
    NOT reason IS NULL) AS reason,
  MIN_BY(delivered_ns, source_rank) FILTER(WHERE
    NOT delivered_ns IS NULL) AS delivered_ns,
  MIN_BY(response_ns, source_rank) FILTER(WHERE
    NOT response_ns IS NULL) AS response_ns,
  MIN_BY(end_ns, source_rank) FILTER(WHERE
    NOT end_ns IS NULL) AS end_ns,
  MIN_BY(duration_ns, source_rank) FILTER(WHERE
    NOT duration_ns IS NULL) AS duration_ns
FROM merged_2
GROUP BY
  trace,
  merge_key_0,
  merge_key_1,
  merge_key_2,
  merge_key_3,
  merge_group;

-- view image_loads
SELECT
  i.trace,
  e.event_ref,
  i.load_time AS timestamp,
  i.load_ns AS time_ns,
  e.clock_ns,
  e.seconds,
  i.process_id,
  i.process_name,
  i.image_name,
  i.image_path,
  i.image_base,
  i.image_size,
  i.unload_time,
  i.unload_ns,
  i.file_version,
  i.pdb_name,
  i.pdb_guid,
  i.pdb_age
FROM images AS i
LEFT JOIN (
  SELECT
    trace,
    process_id,
    image_base,
    time_ns,
    MIN(event_ref) AS event_ref,
    MIN(clock_ns) AS clock_ns,
    MIN(seconds) AS seconds
  FROM image_load
  GROUP BY
    trace,
    process_id,
    image_base,
    time_ns
) AS e
  ON e.trace = i.trace AND e.process_id = i.process_id AND e.image_base = i.image_base AND e.time_ns = i.load_ns
WHERE
  NOT i.load_ns IS NULL;

-- view jit
SELECT
  q.trace,
  q.event_ref,
  q.timestamp,
  q.time_ns,
  q.clock_ns,
  q.seconds,
  q.process_id,
  q.process_name,
  q.thread_id,
  q.clr_instance_id,
  q.method,
  q.signature,
  q.jit_ns,
  q.end_ns,
  q.il_bytes,
  q.native_bytes,
  q.tier,
  s.stack_id,
  q.state,
  q.ambiguous,
  q.source
FROM (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    CAST(thread_id AS BIGINT) AS thread_id,
    CAST(clr_instance_id AS INT) AS clr_instance_id,
    CAST(CASE WHEN start_method_namespace <> '' THEN start_method_namespace || '.' || start_method_name ELSE start_method_name END AS STRING) AS method,
    CAST(start_method_signature AS STRING) AS signature,
    CAST((
      CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
    ) AS BIGINT) AS jit_ns,
    end_ns,
    CAST(start_method_il_size AS BIGINT) AS il_bytes,
    CAST(stop_of_method_size AS BIGINT) AS native_bytes,
    CAST(CASE CAST(FLOOR(stop_of_method_flags / 128) AS BIGINT) % 8
      WHEN 1
      THEN 'MinOptJitted'
      WHEN 2
      THEN 'Optimized'
      WHEN 3
      THEN 'QuickJitted'
      WHEN 4
      THEN 'OptimizedTier1'
      WHEN 5
      THEN 'OptimizedTier1OSR'
      WHEN 6
      THEN 'QuickJittedInstrumented'
      WHEN 7
      THEN 'OptimizedTier1Instrumented'
    END AS STRING) AS tier,
    state,
    ambiguous,
    'Microsoft-Windows-DotNETRuntime' AS source
  FROM (
    SELECT
      *
    FROM (
      SELECT
        *,
        CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' WHEN pair_next = 1 THEN 'no stop' ELSE 'open at the end' END AS state,
        CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
        CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
        FALSE AS ambiguous,
        CASE WHEN step = -1 THEN of_method_flags WHEN pair_next = -1 THEN pair_of_method_flags END AS stop_of_method_flags,
        CASE WHEN step = -1 THEN of_method_size WHEN pair_next = -1 THEN pair_of_method_size END AS stop_of_method_size
      FROM (
        SELECT
          *,
          LEAD(step) OVER one AS pair_next,
          LEAD(clock_ns) OVER one AS pair_next_ns,
          LEAD(event_ref) OVER one AS pair_next_ref,
          LEAD(of_method_flags) OVER one AS pair_of_method_flags,
          LEAD(of_method_size) OVER one AS pair_of_method_size,
          LAG(step) OVER one AS pair_last
        FROM (
          SELECT
            *,
            CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_is_first AND pair_open THEN 0 ELSE 2 END AS pair_class
          FROM (
            SELECT
              *,
              COALESCE(LAG(clock_ns) OVER turns <> clock_ns, TRUE) AS pair_is_first,
              COALESCE(LAST_VALUE(pair_after) IGNORE NULLS OVER past = 1, FALSE) AS pair_open
            FROM (
              SELECT
                *,
                CASE WHEN NOT pair_tied THEN step WHEN pair_tick_stops = 0 THEN 1 WHEN pair_tick_starts = 0 OR pair_tick_stops > 1 THEN -1 END AS pair_after
              FROM (
                SELECT
                  *,
                  COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                  MIN(event_ref) OVER key AS pair_key,
                  COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                  COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops
                FROM (
                  SELECT
                    trace,
                    event_ref,
                    clock_ns,
                    processor,
                    clr_instance_id,
                    process_id,
                    process_name,
                    seconds,
                    thread_id,
                    time_ns,
                    timestamp,
                    1 AS step,
                    process_id AS key_0,
                    COALESCE(clr_instance_id, -1) AS key_1,
                    thread_id AS key_2,
                    method_id AS key_3,
                    CASE WHEN (
                      process_id
                    ) IS NULL OR (
                      COALESCE(clr_instance_id, -1)
                    ) IS NULL OR (
                      thread_id
                    ) IS NULL OR (
                      method_id
                    ) IS NULL THEN event_ref END AS key_null,
                    method_il_size AS start_method_il_size,
                    method_name AS start_method_name,
                    method_namespace AS start_method_namespace,
                    method_signature AS start_method_signature,
                    NULL AS of_method_flags,
                    NULL AS of_method_size
                  FROM (
                    SELECT
                      trace,
                      clock_ns,
                      clr_instance_id,
                      event_ref,
                      method_id,
                      method_il_size,
                      method_name,
                      method_namespace,
                      method_signature,
                      process_id,
                      process_name,
                      processor,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp
                    FROM microsoft_windows_dotnetruntime_method_jittingstarted
                  ) AS e
                  UNION ALL
                  SELECT
                    trace,
                    event_ref,
                    clock_ns,
                    processor,
                    clr_instance_id,
                    process_id,
                    process_name,
                    seconds,
                    thread_id,
                    time_ns,
                    timestamp,
                    -1 AS step,
                    process_id AS key_0,
                    COALESCE(clr_instance_id, -1) AS key_1,
                    thread_id AS key_2,
                    method_id AS key_3,
                    CASE WHEN (
                      process_id
                    ) IS NULL OR (
                      COALESCE(clr_instance_id, -1)
                    ) IS NULL OR (
                      thread_id
                    ) IS NULL OR (
                      method_id
                    ) IS NULL THEN event_ref END AS key_null,
                    NULL AS start_method_il_size,
                    NULL AS start_method_name,
                    NULL AS start_method_namespace,
                    NULL AS start_method_signature,
                    method_flags AS of_method_flags,
                    method_size AS of_method_size
                  FROM (
                    SELECT
                      trace,
                      clock_ns,
                      clr_instance_id,
                      event_ref,
                      method_flags,
                      method_id,
                      method_size,
                      process_id,
                      process_name,
                      processor,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp
                    FROM microsoft_windows_dotnetruntime_method_loadverbose
                  ) AS e
                ) AS pair_steps
                WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_2, key_3, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_2, key_3, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
              ) AS pair_ticks
            ) AS pair_known
            WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
              PARTITION BY pair_key, trace
              ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN step ELSE 0 END NULLS LAST, event_ref NULLS LAST
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            )
          ) AS pair_opens
        ) AS pair_levels
        WINDOW one AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
      ) AS pair_ends
      WHERE
        step = 1 OR step = -1 AND COALESCE(pair_last, -1) = -1
    ) AS pair_rows
    WHERE
      step = 1
  ) AS e
) AS q
LEFT JOIN stack_events AS s
  ON s.trace = q.trace AND s.event_ref = q.event_ref;

-- view lost_time
WITH intervals AS (
  SELECT
    trace,
    MAX(new_interval) * 100 AS interval_ns
  FROM perfinfo_collectionstart
  WHERE
    source = 0
  GROUP BY
    trace
), samples AS (
  SELECT
    trace,
    processor,
    clock_ns,
    LAG(clock_ns) OVER (PARTITION BY trace, processor ORDER BY clock_ns NULLS LAST) AS last_ns
  FROM perfinfo_sampleprof
)
SELECT
  s.trace,
  'samples' AS kind,
  s.processor,
  s.last_ns AS start_ns,
  s.clock_ns AS end_ns,
  CASE WHEN s.clock_ns >= s.last_ns THEN s.clock_ns - s.last_ns END AS duration_ns,
  CAST(ROUND(CAST(s.clock_ns - s.last_ns AS DOUBLE) / v.interval_ns) AS BIGINT) - 1 AS lost
FROM samples AS s
JOIN intervals AS v
  ON v.trace = s.trace
WHERE
  v.interval_ns > 0 AND s.clock_ns - s.last_ns > 3 * v.interval_ns
UNION ALL
SELECT
  trace,
  'events',
  NULL,
  NULL,
  NULL,
  NULL,
  events_lost
FROM traces
WHERE
  events_lost > 0
UNION ALL
SELECT
  trace,
  'buffers',
  NULL,
  NULL,
  NULL,
  NULL,
  buffers_lost
FROM traces
WHERE
  buffers_lost > 0
UNION ALL
SELECT
  trace,
  'session events',
  NULL,
  NULL,
  NULL,
  NULL,
  session_events_lost
FROM traces
WHERE
  events_lost IS NULL AND session_events_lost > 0
UNION ALL
SELECT
  trace,
  'session buffers',
  NULL,
  NULL,
  NULL,
  NULL,
  session_buffers_lost
FROM traces
WHERE
  buffers_lost IS NULL AND session_buffers_lost > 0
UNION ALL
SELECT
  trace,
  'overwritten buffers',
  NULL,
  NULL,
  NULL,
  NULL,
  overwritten_buffers
FROM traces
WHERE
  overwritten_buffers > 0;

-- view marks
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  processor,
  process_id,
  process_name,
  thread_id,
  'kernel' AS kind,
  message
FROM perfinfo_mark
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  processor,
  process_id,
  process_name,
  thread_id,
  'web page',
  payload_event_name
FROM microsoft_ie_mshtml_dom_customsiteevent
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  processor,
  process_id,
  process_name,
  thread_id,
  'Direct3D',
  label
FROM microsoft_windows_direct3d11_marker;

-- view memory_outstanding
WITH virtual AS (
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    base_address,
    region_size,
    CASE WHEN (
      flags & 8192
    ) <> 0 THEN 'reserve' WHEN (
      flags & 4096
    ) <> 0 THEN 'commit' END AS step
  FROM pagefault_virtualalloc
  UNION ALL
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    base_address,
    region_size,
    CASE WHEN (
      flags & 32768
    ) <> 0 THEN 'release' WHEN (
      flags & 16384
    ) <> 0 THEN 'decommit' END
  FROM pagefault_virtualfree
  UNION ALL
  SELECT
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    base_address,
    region_size,
    'existing'
  FROM pagefault_virtualallocdcstart
), ranges AS (
  SELECT
    *,
    step IN ('reserve', 'release', 'existing') AS is_range,
    MAX(CASE WHEN step IN ('reserve', 'release', 'existing') THEN base_address END) OVER (PARTITION BY trace, process_id ORDER BY base_address NULLS LAST) AS range_base
  FROM virtual
  WHERE
    NOT step IS NULL
), uses AS (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY trace, process_id, base_address, is_range ORDER BY clock_ns DESC, event_ref DESC) AS place,
    MAX(CASE WHEN step = 'release' THEN clock_ns END) OVER (PARTITION BY trace, process_id, range_base) AS released_ns,
    MAX(CASE WHEN is_range THEN region_size END) OVER (PARTITION BY trace, process_id, range_base) AS range_size
  FROM ranges
), steps AS (
  SELECT
    'heap' AS kind,
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    process_id AS owner,
    heap_handle AS heap,
    alloc_address AS address,
    alloc_size AS size,
    CAST(NULL AS STRING) AS pool_type,
    CAST(NULL AS BIGINT) AS tag,
    'allocate' AS step
  FROM heap_alloc
  UNION ALL
  SELECT
    'heap',
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    process_id,
    heap_handle,
    new_alloc_address,
    new_alloc_size,
    NULL,
    NULL,
    'allocate'
  FROM heap_realloc
  UNION ALL
  SELECT
    'heap',
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    process_id,
    heap_handle,
    old_alloc_address,
    NULL,
    NULL,
    NULL,
    'free'
  FROM heap_realloc
  UNION ALL
  SELECT
    'heap',
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    process_id,
    heap_handle,
    free_address,
    NULL,
    NULL,
    NULL,
    'free'
  FROM heap_free
  UNION ALL
  SELECT
    'heap',
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    process_id,
    heap_handle,
    NULL,
    NULL,
    NULL,
    NULL,
    'destroy'
  FROM heap_destroy
  UNION ALL
  SELECT
    'pool',
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    NULL,
    NULL,
    entry,
    number_of_bytes,
    pool_type_text,
    tag,
    'allocate'
  FROM pool_poolallocation
  UNION ALL
  SELECT
    'pool',
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    NULL,
    NULL,
    entry,
    NULL,
    NULL,
    NULL,
    'free'
  FROM pool_poolfree
  UNION ALL
  SELECT
    'pool',
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    session_id,
    NULL,
    entry,
    number_of_bytes,
    pool_type_text,
    tag,
    'allocate'
  FROM pool_sessionpoolallocation
  UNION ALL
  SELECT
    'pool',
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    session_id,
    NULL,
    entry,
    NULL,
    NULL,
    NULL,
    'free'
  FROM pool_sessionpoolfree
), blocks AS (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY trace, kind, owner, address ORDER BY clock_ns DESC, event_ref DESC, step NULLS LAST) AS place,
    MAX(CASE WHEN step = 'destroy' THEN clock_ns END) OVER (PARTITION BY trace, kind, owner, heap) AS destroyed_ns
  FROM steps
), outstanding AS (
  SELECT
    CASE step WHEN 'reserve' THEN 'virtual' ELSE 'commit' END AS kind,
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    region_size AS size,
    CAST(NULL AS STRING) AS pool_type,
    CAST(NULL AS STRING) AS pool_tag
  FROM uses
  WHERE
    place = 1
    AND (
      step = 'reserve'
      OR step = 'commit'
      AND NOT COALESCE(released_ns >= clock_ns AND CAST(base_address AS DECIMAL(20, 0)) < CAST(range_base AS DECIMAL(20, 0)) + CAST(range_size AS DECIMAL(20, 0)), FALSE)
    )
  UNION ALL
  SELECT
    kind,
    trace,
    event_ref,
    clock_ns,
    process_id,
    process_name,
    size,
    pool_type,
    CASE
      WHEN kind = 'pool'
      THEN CONCAT(
        COALESCE(CASE WHEN tag % 256 BETWEEN 32 AND 126 THEN CHR(  CAST(tag % 256 AS INT)) ELSE '.' END, ''),
        COALESCE(
          CASE WHEN (
            (
              tag - tag % 256
            ) / 256
          ) % 256 BETWEEN 32 AND 126 THEN CHR(  CAST((
              (
                tag - tag % 256
              ) / 256
            ) % 256 AS INT)) ELSE '.' END,
          ''
        ),
        COALESCE(
          CASE
            WHEN (
              (
                tag - tag % 65536
              ) / 65536
            ) % 256 BETWEEN 32 AND 126
            THEN CHR(  CAST((
                (
                  tag - tag % 65536
                ) / 65536
              ) % 256 AS INT))
            ELSE '.'
          END,
          ''
        ),
        COALESCE(
          CASE
            WHEN (
              (
                tag - tag % 16777216
              ) / 16777216 % 128
            ) % 256 BETWEEN 32 AND 126
            THEN CHR(  CAST((
                (
                  tag - tag % 16777216
                ) / 16777216 % 128
              ) % 256 AS INT))
            ELSE '.'
          END,
          ''
        )
      )
    END
  FROM blocks
  WHERE
    place = 1 AND step = 'allocate' AND NOT COALESCE(destroyed_ns >= clock_ns, FALSE)
)
SELECT
  o.trace,
  o.kind,
  o.process_id,
  MAX(o.process_name) AS process_name,
  o.pool_type,
  o.pool_tag,
  s.stack_id,
  COUNT(*) AS allocations,
  TRY_CAST(SUM(CAST(o.size AS DECIMAL(20, 0))) AS BIGINT) AS bytes,
  MIN(o.clock_ns) AS first_ns,
  MAX(o.clock_ns) AS last_ns
FROM outstanding AS o
LEFT JOIN stack_events AS s
  ON s.trace = o.trace AND s.event_ref = o.event_ref
GROUP BY
  o.trace,
  o.kind,
  o.process_id,
  o.pool_type,
  o.pool_tag,
  s.stack_id;

-- view packets
WITH fragments AS (
  SELECT
    'NDIS' AS source,
    miniport_if_index AS interface_index,
    CAST(NULL AS BIGINT) AS component_id,
    lower_if_index AS edge_id,
    CAST(NULL AS STRING) AS place,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    CAST(keyword % 68719476736 AS BIGINT) AS keys,
    HEX(SUBSTRING(fragment, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(fragment), 0) AS BIGINT) AS bytes
  FROM microsoft_windows_ndis_packetcapture_1001
  UNION ALL
  SELECT
    'VMSwitch',
    CAST(NULL AS BIGINT),
    source_port_id,
    CAST(NULL AS BIGINT),
    NULLIF(source_nic_name, ''),
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    CAST(keyword % 68719476736 AS BIGINT) AS keys,
    HEX(SUBSTRING(fragment, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(fragment), 0) AS BIGINT) AS bytes
  FROM microsoft_windows_ndis_packetcapture_1003
), marked AS (
  SELECT
    *,
    ROW_NUMBER() OVER (
      PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END
      ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST
    ) AS n
  FROM (
    SELECT
      *,
      CASE WHEN (
        keys & 1073741824
      ) <> 0 THEN 1 ELSE 0 END AS starts,
      CASE WHEN (
        keys & 2147483648
      ) <> 0 THEN 1 ELSE 0 END AS ends,
      CASE WHEN (
        keys & 8589934592
      ) <> 0 THEN 'received' WHEN (
        keys & 4294967296
      ) <> 0 THEN 'sent' END AS direction
    FROM fragments
  ) AS f
), opened AS (
  SELECT
    *,
    COALESCE(
      MAX(CASE WHEN starts + ends > 0 THEN 4 * n + starts + 2 * ends END) OVER (
        PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END
        ORDER BY n NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) % 4,
      0
    ) = 1 AS is_open
  FROM marked
), counted AS (
  SELECT
    *,
    SUM(CASE WHEN starts = 1 OR NOT is_open THEN 1 ELSE 0 END) OVER (
      PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END
      ORDER BY n NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS packet
  FROM opened
), joined AS (
  SELECT
    *,
    SUBSTRING(
      CONCAT(
        COALESCE(h, ''),
        COALESCE(COALESCE(LEAD(h, 1) OVER following, ''), ''),
        COALESCE(COALESCE(LEAD(h, 2) OVER following, ''), ''),
        COALESCE(COALESCE(LEAD(h, 3) OVER following, ''), ''),
        COALESCE(COALESCE(LEAD(h, 4) OVER following, ''), ''),
        COALESCE(COALESCE(LEAD(h, 5) OVER following, ''), ''),
        COALESCE(COALESCE(LEAD(h, 6) OVER following, ''), ''),
        COALESCE(COALESCE(LEAD(h, 7) OVER following, ''), '')
      ),
      1,
      320
    ) AS digits,
    CAST(SUM(bytes) OVER whole AS BIGINT) AS captured,
    MAX(CASE WHEN (
      keys & 33554432
    ) <> 0 THEN 1 ELSE 0 END) OVER whole = 1 AS is_cut
  FROM counted
  WINDOW following AS (
    PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END, packet
    ORDER BY n NULLS LAST
  ), whole AS (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END, packet)
), captured AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id,
    CAST(edge_id AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    HEX(SUBSTRING(payload_payload, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(payload_payload), 0) AS BIGINT) AS captured,
    CAST(original_payload_size AS BIGINT) AS original,
    FALSE AS is_cut,
    CAST(NULL AS STRING) AS drop_reason,
    CAST(NULL AS STRING) AS drop_location,
    pkt_group_id AS packet_group,
    CAST(pkt_number AS BIGINT) AS packet_number,
    CAST(appearance_count AS BIGINT) AS appearance
  FROM microsoft_windows_pktmon_160
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id,
    CAST(edge_id AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    HEX(SUBSTRING(payload_payload, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(payload_payload), 0) AS BIGINT) AS captured,
    CAST(original_payload_size AS BIGINT) AS original,
    FALSE AS is_cut,
    COALESCE(drop_reason_text, CONCAT('reason ', COALESCE(CAST(drop_reason AS STRING), ''))) AS drop_reason,
    CASE
      WHEN drop_location <> 0
      THEN CONCAT('0x', COALESCE(LOWER(HEX(CAST(drop_location - CASE WHEN drop_location >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT))), ''))
    END AS drop_location,
    pkt_group_id AS packet_group,
    CAST(pkt_number AS BIGINT) AS packet_number,
    CAST(appearance_count AS BIGINT) AS appearance
  FROM microsoft_windows_pktmon_170
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id,
    CAST(edge_id AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    HEX(SUBSTRING(payload_payload, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(payload_payload), 0) AS BIGINT) AS captured,
    CAST(original_payload_size AS BIGINT) AS original,
    FALSE AS is_cut,
    COALESCE(drop_reason_text, CONCAT('reason ', COALESCE(CAST(drop_reason AS STRING), ''))) AS drop_reason,
    CASE
      WHEN drop_location <> 0
      THEN CONCAT('0x', COALESCE(LOWER(HEX(CAST(drop_location - CASE WHEN drop_location >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT))), ''))
    END AS drop_location,
    pkt_group_id AS packet_group,
    CAST(pkt_number AS BIGINT) AS packet_number,
    CAST(appearance_count AS BIGINT) AS appearance
  FROM microsoft_windows_pktmon_240
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id,
    CAST(edge_id AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    HEX(SUBSTRING(payload_payload, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(payload_payload), 0) AS BIGINT) AS captured,
    CAST(original_payload_size AS BIGINT) AS original,
    FALSE AS is_cut,
    CAST(NULL AS STRING) AS drop_reason,
    CAST(NULL AS STRING) AS drop_location,
    NULL AS packet_group,
    CAST(NULL AS BIGINT) AS packet_number,
    CAST(NULL AS BIGINT) AS appearance
  FROM microsoft_windows_pktmon_200
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id,
    CAST(edge_id AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    HEX(SUBSTRING(payload_payload, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(payload_payload), 0) AS BIGINT) AS captured,
    CAST(original_payload_size AS BIGINT) AS original,
    FALSE AS is_cut,
    COALESCE(drop_reason_text, CONCAT('reason ', COALESCE(CAST(drop_reason AS STRING), ''))) AS drop_reason,
    CASE
      WHEN drop_location <> 0
      THEN CONCAT('0x', COALESCE(LOWER(HEX(CAST(drop_location - CASE WHEN drop_location >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT))), ''))
    END AS drop_location,
    NULL AS packet_group,
    CAST(NULL AS BIGINT) AS packet_number,
    CAST(NULL AS BIGINT) AS appearance
  FROM microsoft_windows_pktmon_210
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id,
    CAST(edge_id AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    HEX(SUBSTRING(payload_payload, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(payload_payload), 0) AS BIGINT) AS captured,
    CAST(original_payload_size AS BIGINT) AS original,
    FALSE AS is_cut,
    CAST(NULL AS STRING) AS drop_reason,
    CAST(NULL AS STRING) AS drop_location,
    NULL AS packet_group,
    CAST(NULL AS BIGINT) AS packet_number,
    CAST(NULL AS BIGINT) AS appearance
  FROM microsoft_windows_pktmon_220
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id,
    CAST(edge_id AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    HEX(SUBSTRING(payload_payload, 1, 160)) AS h,
    CAST(COALESCE(OCTET_LENGTH(payload_payload), 0) AS BIGINT) AS captured,
    CAST(original_payload_size AS BIGINT) AS original,
    FALSE AS is_cut,
    COALESCE(drop_reason_text, CONCAT('reason ', COALESCE(CAST(drop_reason AS STRING), ''))) AS drop_reason,
    CASE
      WHEN drop_location <> 0
      THEN CONCAT('0x', COALESCE(LOWER(HEX(CAST(drop_location - CASE WHEN drop_location >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT))), ''))
    END AS drop_location,
    NULL AS packet_group,
    CAST(NULL AS BIGINT) AS packet_number,
    CAST(NULL AS BIGINT) AS appearance
  FROM microsoft_windows_pktmon_230
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    source,
    component_id,
    edge_id,
    interface_index,
    place,
    direction,
    CASE
      WHEN source = 'VMSwitch'
      THEN 'Ethernet'
      WHEN (
        keys & 65536
      ) <> 0
      THEN '802.11'
      WHEN (
        keys & 33280
      ) <> 0
      THEN 'IP'
      WHEN (
        keys & 1
      ) <> 0
      THEN 'Ethernet'
      ELSE ''
    END,
    digits,
    captured,
    NULL,
    is_cut,
    CAST(NULL AS STRING) AS drop_reason,
    CAST(NULL AS STRING) AS drop_location,
    NULL AS packet_group,
    CAST(NULL AS BIGINT) AS packet_number,
    CAST(NULL AS BIGINT) AS appearance
  FROM joined
  WHERE
    starts = 1 OR NOT is_open AND ends = 0
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'RAS' AS source,
    CAST(NULL AS BIGINT) AS component_id,
    CAST(NULL AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    NULLIF(rras_user_name, '') AS place,
    'sent',
    '',
    HEX(SUBSTRING(fragment, 1, 160)),
    CAST(COALESCE(OCTET_LENGTH(fragment), 0) AS BIGINT),
    NULL,
    FALSE,
    CAST(NULL AS STRING) AS drop_reason,
    CAST(NULL AS STRING) AS drop_location,
    NULL AS packet_group,
    CAST(NULL AS BIGINT) AS packet_number,
    CAST(NULL AS BIGINT) AS appearance
  FROM microsoft_windows_ras_ndiswanpacketcapture_5001
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    'RAS' AS source,
    CAST(NULL AS BIGINT) AS component_id,
    CAST(NULL AS BIGINT) AS edge_id,
    CAST(NULL AS BIGINT) AS interface_index,
    NULLIF(rras_user_name, '') AS place,
    'received',
    '',
    HEX(SUBSTRING(fragment, 1, 160)),
    CAST(COALESCE(OCTET_LENGTH(fragment), 0) AS BIGINT),
    NULL,
    FALSE,
    CAST(NULL AS STRING) AS drop_reason,
    CAST(NULL AS STRING) AS drop_location,
    NULL AS packet_group,
    CAST(NULL AS BIGINT) AS packet_number,
    CAST(NULL AS BIGINT) AS appearance
  FROM microsoft_windows_ras_ndiswanpacketcapture_5002
), linked AS (
  SELECT
    *,
    CASE
      WHEN link <> '' OR link IS NULL
      THEN link
      WHEN SUBSTRING(h, 1, 1) = '4'
      AND CASE WHEN LENGTH(h) >= 5 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, 5, 4), 16, 10) AS BIGINT) END = GREATEST(captured, COALESCE(original, 0))
      AND LENGTH(h) >= 40
      THEN 'IP'
      WHEN SUBSTRING(h, 1, 1) = '6'
      AND CASE WHEN LENGTH(h) >= 9 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, 9, 4), 16, 10) AS BIGINT) END + 40 = GREATEST(captured, COALESCE(original, 0))
      AND LENGTH(h) >= 80
      THEN 'IP'
      WHEN CASE WHEN LENGTH(h) >= 25 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, 25, 4), 16, 10) AS BIGINT) END >= 1536
      OR CASE WHEN LENGTH(h) >= 25 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, 25, 4), 16, 10) AS BIGINT) END + 14 <= GREATEST(captured, COALESCE(original, 0))
      THEN 'Ethernet'
    END AS link_type
  FROM captured
), framed AS (
  SELECT
    *,
    CASE
      WHEN link_type = 'IP'
      THEN CASE SUBSTRING(h, 1, 1) WHEN '4' THEN 2048 WHEN '6' THEN 34525 END
      WHEN link_type = 'Ethernet'
      THEN CASE WHEN NOT type1 IN (33024, 34984) THEN type1 WHEN NOT type2 IN (33024, 34984) THEN type2 ELSE type3 END
    END AS type,
    CASE
      WHEN link_type = 'IP'
      THEN 1
      WHEN link_type = 'Ethernet'
      THEN CASE WHEN NOT type1 IN (33024, 34984) THEN 29 WHEN NOT type2 IN (33024, 34984) THEN 37 ELSE 45 END
    END AS ip_at
  FROM (
    SELECT
      *,
      CASE WHEN LENGTH(h) >= 25 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, 25, 4), 16, 10) AS BIGINT) END AS type1,
      CASE WHEN LENGTH(h) >= 33 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, 33, 4), 16, 10) AS BIGINT) END AS type2,
      CASE WHEN LENGTH(h) >= 41 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, 41, 4), 16, 10) AS BIGINT) END AS type3
    FROM linked
  ) AS typed
), addressed AS (
  SELECT
    *,
    CASE
      WHEN version = 4
      THEN CASE WHEN LENGTH(h) >= ip_at + 18 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, ip_at + 18, 2), 16, 10) AS BIGINT) END
      WHEN version = 6
      THEN CASE WHEN LENGTH(h) >= ip_at + 12 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, ip_at + 12, 2), 16, 10) AS BIGINT) END
    END AS next0,
    CAST(CASE
      WHEN version = 4 AND CASE WHEN LENGTH(h) >= ip_at + 12 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, ip_at + 12, 4), 16, 10) AS BIGINT) END % 8192 = 0
      THEN ip_at + 8 * CASE WHEN LENGTH(h) >= ip_at + 1 + 1 - 1 THEN CAST(CONV(SUBSTRING(h, ip_at + 1, 1), 16, 10) AS BIGINT) END
      WHEN version = 6
      THEN ip_at + 80
    END AS BIGINT) AS at0,
    CASE
      WHEN version = 4
      THEN CASE WHEN LENGTH(h) >= ip_at + 4 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, ip_at + 4, 4), 16, 10) AS BIGINT) END
      WHEN version = 6 AND CASE WHEN LENGTH(h) >= ip_at + 8 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, ip_at + 8, 4), 16, 10) AS BIGINT) END > 0
      THEN CASE WHEN LENGTH(h) >= ip_at + 8 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, ip_at + 8, 4), 16, 10) AS BIGINT) END + 40
    END AS ip_length,
    CASE WHEN version = 4 THEN SUBSTRING(h, ip_at + 24, 8) WHEN version = 6 THEN SUBSTRING(h, ip_at + 16, 32) WHEN is_arp THEN SUBSTRING(h, ip_at + 28, 8) END AS source_digits,
    CASE WHEN version = 4 THEN SUBSTRING(h, ip_at + 32, 8) WHEN version = 6 THEN SUBSTRING(h, ip_at + 48, 32) WHEN is_arp THEN SUBSTRING(h, ip_at + 48, 8) END AS destination_digits
  FROM (
    SELECT
      *,
      CASE
        WHEN type = 2048 AND SUBSTRING(h, ip_at, 1) = '4' AND SUBSTRING(h, ip_at + 1, 1) >= '5' AND LENGTH(h) >= ip_at + 39
        THEN 4
        WHEN type = 34525 AND SUBSTRING(h, ip_at, 1) = '6' AND LENGTH(h) >= ip_at + 79
        THEN 6
      END AS version,
      type = 2054 AND SUBSTRING(h, ip_at + 4, 8) = '08000604' AND LENGTH(h) >= ip_at + 55 AS is_arp
    FROM framed
  ) AS versioned
), headed1 AS (
  SELECT
    *,
    CASE
      WHEN version = 6 AND next0 IN (0, 43, 44, 60, 135)
      THEN CASE WHEN LENGTH(h) >= at0 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, at0, 2), 16, 10) AS BIGINT) END
      ELSE next0
    END AS next1,
    CAST(CASE
      WHEN version = 6 AND next0 IN (0, 43, 60, 135)
      THEN at0 + 16 * (
        CASE WHEN LENGTH(h) >= at0 + 2 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, at0 + 2, 2), 16, 10) AS BIGINT) END + 1
      )
      WHEN version = 6 AND next0 = 44
      THEN CASE WHEN CASE WHEN LENGTH(h) >= at0 + 4 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, at0 + 4, 4), 16, 10) AS BIGINT) END < 8 THEN at0 + 16 END
      ELSE at0
    END AS BIGINT) AS at1
  FROM addressed
), headed2 AS (
  SELECT
    *,
    CASE
      WHEN version = 6 AND next1 IN (0, 43, 44, 60, 135)
      THEN CASE WHEN LENGTH(h) >= at1 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, at1, 2), 16, 10) AS BIGINT) END
      ELSE next1
    END AS next2,
    CAST(CASE
      WHEN version = 6 AND next1 IN (0, 43, 60, 135)
      THEN at1 + 16 * (
        CASE WHEN LENGTH(h) >= at1 + 2 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, at1 + 2, 2), 16, 10) AS BIGINT) END + 1
      )
      WHEN version = 6 AND next1 = 44
      THEN CASE WHEN CASE WHEN LENGTH(h) >= at1 + 4 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, at1 + 4, 4), 16, 10) AS BIGINT) END < 8 THEN at1 + 16 END
      ELSE at1
    END AS BIGINT) AS at2
  FROM headed1
), headed3 AS (
  SELECT
    *,
    CASE
      WHEN version = 6 AND next2 IN (0, 43, 44, 60, 135)
      THEN CASE WHEN LENGTH(h) >= at2 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, at2, 2), 16, 10) AS BIGINT) END
      ELSE next2
    END AS next3,
    CAST(CASE
      WHEN version = 6 AND next2 IN (0, 43, 60, 135)
      THEN at2 + 16 * (
        CASE WHEN LENGTH(h) >= at2 + 2 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, at2 + 2, 2), 16, 10) AS BIGINT) END + 1
      )
      WHEN version = 6 AND next2 = 44
      THEN CASE WHEN CASE WHEN LENGTH(h) >= at2 + 4 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, at2 + 4, 4), 16, 10) AS BIGINT) END < 8 THEN at2 + 16 END
      ELSE at2
    END AS BIGINT) AS at3
  FROM headed2
), headed AS (
  SELECT
    *,
    CASE
      WHEN version = 6 AND next3 IN (0, 43, 44, 60, 135)
      THEN CASE WHEN LENGTH(h) >= at3 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, at3, 2), 16, 10) AS BIGINT) END
      ELSE next3
    END AS ip_protocol,
    CAST(CASE
      WHEN version = 6 AND next3 IN (0, 43, 60, 135)
      THEN at3 + 16 * (
        CASE WHEN LENGTH(h) >= at3 + 2 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, at3 + 2, 2), 16, 10) AS BIGINT) END + 1
      )
      WHEN version = 6 AND next3 = 44
      THEN CASE WHEN CASE WHEN LENGTH(h) >= at3 + 4 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, at3 + 4, 4), 16, 10) AS BIGINT) END < 8 THEN at3 + 16 END
      ELSE at3
    END AS BIGINT) AS data_at,
    CASE
      WHEN LENGTH(source_digits) = 32
      THEN CONCAT(
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(source_digits, 1, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(source_digits, 5, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(source_digits, 9, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(source_digits, 13, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(source_digits, 17, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(source_digits, 21, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(source_digits, 25, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(source_digits, 29, 4)), '^0{1,3}', ''), ''),
        ':'
      )
    END AS source_groups,
    CASE
      WHEN LENGTH(destination_digits) = 32
      THEN CONCAT(
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(destination_digits, 1, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(destination_digits, 5, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(destination_digits, 9, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(destination_digits, 13, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(destination_digits, 17, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(destination_digits, 21, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(destination_digits, 25, 4)), '^0{1,3}', ''), ''),
        ':',
        COALESCE(REGEXP_REPLACE(LOWER(SUBSTRING(destination_digits, 29, 4)), '^0{1,3}', ''), ''),
        ':'
      )
    END AS destination_groups
  FROM headed3
), parsed AS (
  SELECT
    *,
    CASE
      WHEN LOCATE(':0:0:0:0:0:0:0:0:', source_groups) > 0
      THEN 8
      WHEN LOCATE(':0:0:0:0:0:0:0:', source_groups) > 0
      THEN 7
      WHEN LOCATE(':0:0:0:0:0:0:', source_groups) > 0
      THEN 6
      WHEN LOCATE(':0:0:0:0:0:', source_groups) > 0
      THEN 5
      WHEN LOCATE(':0:0:0:0:', source_groups) > 0
      THEN 4
      WHEN LOCATE(':0:0:0:', source_groups) > 0
      THEN 3
      WHEN LOCATE(':0:0:', source_groups) > 0
      THEN 2
    END AS source_zeros,
    CASE
      WHEN LOCATE(':0:0:0:0:0:0:0:0:', destination_groups) > 0
      THEN 8
      WHEN LOCATE(':0:0:0:0:0:0:0:', destination_groups) > 0
      THEN 7
      WHEN LOCATE(':0:0:0:0:0:0:', destination_groups) > 0
      THEN 6
      WHEN LOCATE(':0:0:0:0:0:', destination_groups) > 0
      THEN 5
      WHEN LOCATE(':0:0:0:0:', destination_groups) > 0
      THEN 4
      WHEN LOCATE(':0:0:0:', destination_groups) > 0
      THEN 3
      WHEN LOCATE(':0:0:', destination_groups) > 0
      THEN 2
    END AS destination_zeros,
    CASE WHEN ip_protocol = 6 THEN CASE WHEN LENGTH(h) >= data_at + 26 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, data_at + 26, 2), 16, 10) AS BIGINT) END END AS flags
  FROM headed
), components AS (
  SELECT
    trace,
    id,
    MAX(NULLIF(name, 'NULL')) AS name,
    MAX(description) AS description
  FROM (
    SELECT
      trace,
      id,
      name,
      description
    FROM microsoft_windows_pktmon_20
    UNION ALL
    SELECT
      trace,
      id,
      name,
      description
    FROM microsoft_windows_pktmon_270
  ) AS both_kinds
  GROUP BY
    trace,
    id
), edges AS (
  SELECT
    trace,
    component_id,
    edge_id,
    MAX(edge_name) AS edge
  FROM microsoft_windows_pktmon_90
  GROUP BY
    trace,
    component_id,
    edge_id
), properties AS (
  SELECT
    trace,
    component_id,
    COALESCE(MAX(CASE WHEN type = 2 THEN value END), MAX(CASE WHEN type = 1 THEN value END)) AS interface_index
  FROM microsoft_windows_pktmon_30
  GROUP BY
    trace,
    component_id
), adapters AS (
  SELECT
    trace,
    interface_index,
    MAX(alias) AS alias
  FROM sysconfig_netinterface
  GROUP BY
    trace,
    interface_index
)
SELECT
  p.trace,
  p.event_ref,
  p.timestamp,
  p.time_ns,
  p.clock_ns,
  p.seconds,
  p.processor,
  p.source,
  CASE WHEN p.source = 'PktMon' THEN i.interface_index ELSE p.interface_index END AS interface_index,
  COALESCE(p.place, a.alias) AS interface_name,
  p.component_id,
  COALESCE(c.name, c.description) AS component_name,
  e.edge,
  p.direction,
  p.link_type,
  CASE
    WHEN link_type = 'Ethernet' AND LENGTH(h) >= 24
    THEN LOWER(
      CONCAT_WS(':', SUBSTRING(h, 12 + 1, 2), SUBSTRING(h, 12 + 3, 2), SUBSTRING(h, 12 + 5, 2), SUBSTRING(h, 12 + 7, 2), SUBSTRING(h, 12 + 9, 2), SUBSTRING(h, 12 + 11, 2))
    )
  END AS source_mac,
  CASE
    WHEN link_type = 'Ethernet' AND LENGTH(h) >= 24
    THEN LOWER(CONCAT_WS(':', SUBSTRING(h, 0 + 1, 2), SUBSTRING(h, 0 + 3, 2), SUBSTRING(h, 0 + 5, 2), SUBSTRING(h, 0 + 7, 2), SUBSTRING(h, 0 + 9, 2), SUBSTRING(h, 0 + 11, 2)))
  END AS destination_mac,
  CASE
    WHEN p.link_type = 'Ethernet' AND p.type1 IN (33024, 34984)
    THEN CASE WHEN LENGTH(h) >= 29 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, 29, 4), 16, 10) AS BIGINT) END % 4096
  END AS vlan_id,
  CASE WHEN p.type >= 1536 THEN CAST(p.type AS BIGINT) END AS ether_type,
  CASE
    WHEN NOT p.source_digits IS NULL
    THEN CASE
      WHEN LENGTH(source_digits) = 8
      THEN CONCAT_WS(
        '.',
        CAST(CASE WHEN LENGTH(source_digits) >= 1 + 2 - 1 THEN CAST(CONV(SUBSTRING(source_digits, 1, 2), 16, 10) AS BIGINT) END AS STRING),
        CAST(CASE WHEN LENGTH(source_digits) >= 3 + 2 - 1 THEN CAST(CONV(SUBSTRING(source_digits, 3, 2), 16, 10) AS BIGINT) END AS STRING),
        CAST(CASE WHEN LENGTH(source_digits) >= 5 + 2 - 1 THEN CAST(CONV(SUBSTRING(source_digits, 5, 2), 16, 10) AS BIGINT) END AS STRING),
        CAST(CASE WHEN LENGTH(source_digits) >= 7 + 2 - 1 THEN CAST(CONV(SUBSTRING(source_digits, 7, 2), 16, 10) AS BIGINT) END AS STRING)
      )
      WHEN SUBSTRING(source_digits, 1, 24) = '00000000000000000000FFFF'
      THEN CONCAT(
        '::ffff:',
        COALESCE(
          CONCAT_WS(
            '.',
            CAST(CASE WHEN LENGTH(SUBSTRING(source_digits, 25, 8)) >= 1 + 2 - 1 THEN CAST(CONV(SUBSTRING(SUBSTRING(source_digits, 25, 8), 1, 2), 16, 10) AS BIGINT) END AS STRING),
            CAST(CASE WHEN LENGTH(SUBSTRING(source_digits, 25, 8)) >= 3 + 2 - 1 THEN CAST(CONV(SUBSTRING(SUBSTRING(source_digits, 25, 8), 3, 2), 16, 10) AS BIGINT) END AS STRING),
            CAST(CASE WHEN LENGTH(SUBSTRING(source_digits, 25, 8)) >= 5 + 2 - 1 THEN CAST(CONV(SUBSTRING(SUBSTRING(source_digits, 25, 8), 5, 2), 16, 10) AS BIGINT) END AS STRING),
            CAST(CASE WHEN LENGTH(SUBSTRING(source_digits, 25, 8)) >= 7 + 2 - 1 THEN CAST(CONV(SUBSTRING(SUBSTRING(source_digits, 25, 8), 7, 2), 16, 10) AS BIGINT) END AS STRING)
          ),
          ''
        )
      )
      WHEN source_zeros IS NULL
      THEN SUBSTRING(source_groups, 2, LENGTH(source_groups) - 2)
      ELSE CONCAT(
        COALESCE(SUBSTRING(source_groups, 2, GREATEST(LOCATE(CONCAT(COALESCE(REPEAT(':0', source_zeros), ''), ':'), source_groups) - 2, 0)), ''),
        '::',
        COALESCE(
          SUBSTRING(
            source_groups,
            LOCATE(CONCAT(COALESCE(REPEAT(':0', source_zeros), ''), ':'), source_groups) + 2 * source_zeros + 1,
            GREATEST(LENGTH(source_groups) - LOCATE(CONCAT(COALESCE(REPEAT(':0', source_zeros), ''), ':'), source_groups) - 2 * source_zeros - 1, 0)
          ),
          ''
        )
      )
    END
  END AS source_address,
  CASE
    WHEN NOT p.destination_digits IS NULL
    THEN CASE
      WHEN LENGTH(destination_digits) = 8
      THEN CONCAT_WS(
        '.',
        CAST(CASE WHEN LENGTH(destination_digits) >= 1 + 2 - 1 THEN CAST(CONV(SUBSTRING(destination_digits, 1, 2), 16, 10) AS BIGINT) END AS STRING),
        CAST(CASE WHEN LENGTH(destination_digits) >= 3 + 2 - 1 THEN CAST(CONV(SUBSTRING(destination_digits, 3, 2), 16, 10) AS BIGINT) END AS STRING),
        CAST(CASE WHEN LENGTH(destination_digits) >= 5 + 2 - 1 THEN CAST(CONV(SUBSTRING(destination_digits, 5, 2), 16, 10) AS BIGINT) END AS STRING),
        CAST(CASE WHEN LENGTH(destination_digits) >= 7 + 2 - 1 THEN CAST(CONV(SUBSTRING(destination_digits, 7, 2), 16, 10) AS BIGINT) END AS STRING)
      )
      WHEN SUBSTRING(destination_digits, 1, 24) = '00000000000000000000FFFF'
      THEN CONCAT(
        '::ffff:',
        COALESCE(
          CONCAT_WS(
            '.',
            CAST(CASE WHEN LENGTH(SUBSTRING(destination_digits, 25, 8)) >= 1 + 2 - 1 THEN CAST(CONV(SUBSTRING(SUBSTRING(destination_digits, 25, 8), 1, 2), 16, 10) AS BIGINT) END AS STRING),
            CAST(CASE WHEN LENGTH(SUBSTRING(destination_digits, 25, 8)) >= 3 + 2 - 1 THEN CAST(CONV(SUBSTRING(SUBSTRING(destination_digits, 25, 8), 3, 2), 16, 10) AS BIGINT) END AS STRING),
            CAST(CASE WHEN LENGTH(SUBSTRING(destination_digits, 25, 8)) >= 5 + 2 - 1 THEN CAST(CONV(SUBSTRING(SUBSTRING(destination_digits, 25, 8), 5, 2), 16, 10) AS BIGINT) END AS STRING),
            CAST(CASE WHEN LENGTH(SUBSTRING(destination_digits, 25, 8)) >= 7 + 2 - 1 THEN CAST(CONV(SUBSTRING(SUBSTRING(destination_digits, 25, 8), 7, 2), 16, 10) AS BIGINT) END AS STRING)
          ),
          ''
        )
      )
      WHEN destination_zeros IS NULL
      THEN SUBSTRING(destination_groups, 2, LENGTH(destination_groups) - 2)
      ELSE CONCAT(
        COALESCE(SUBSTRING(destination_groups, 2, GREATEST(LOCATE(CONCAT(COALESCE(REPEAT(':0', destination_zeros), ''), ':'), destination_groups) - 2, 0)), ''),
        '::',
        COALESCE(
          SUBSTRING(
            destination_groups,
            LOCATE(CONCAT(COALESCE(REPEAT(':0', destination_zeros), ''), ':'), destination_groups) + 2 * destination_zeros + 1,
            GREATEST(LENGTH(destination_groups) - LOCATE(CONCAT(COALESCE(REPEAT(':0', destination_zeros), ''), ':'), destination_groups) - 2 * destination_zeros - 1, 0)
          ),
          ''
        )
      )
    END
  END AS destination_address,
  p.ip_protocol,
  CASE
    WHEN p.type = 2054
    THEN 'ARP'
    ELSE CASE p.ip_protocol
      WHEN 1
      THEN 'ICMP'
      WHEN 2
      THEN 'IGMP'
      WHEN 6
      THEN 'TCP'
      WHEN 17
      THEN 'UDP'
      WHEN 41
      THEN 'IPv6'
      WHEN 47
      THEN 'GRE'
      WHEN 50
      THEN 'ESP'
      WHEN 51
      THEN 'AH'
      WHEN 58
      THEN 'ICMPv6'
      WHEN 89
      THEN 'OSPF'
      WHEN 103
      THEN 'PIM'
      WHEN 112
      THEN 'VRRP'
      WHEN 132
      THEN 'SCTP'
    END
  END AS protocol,
  CASE WHEN p.ip_protocol IN (6, 17, 132) THEN CASE WHEN LENGTH(h) >= data_at + 4 - 1 THEN CAST(CONV(SUBSTRING(h, data_at, 4), 16, 10) AS BIGINT) END END AS source_port,
  CASE WHEN p.ip_protocol IN (6, 17, 132) THEN CASE WHEN LENGTH(h) >= data_at + 4 + 4 - 1 THEN CAST(CONV(SUBSTRING(h, data_at + 4, 4), 16, 10) AS BIGINT) END END AS destination_port,
  CASE
    WHEN NOT p.flags IS NULL
    THEN CONCAT_WS(
      '|',
      CASE WHEN (
        p.flags & 1
      ) <> 0 THEN 'FIN' END,
      CASE WHEN (
        p.flags & 2
      ) <> 0 THEN 'SYN' END,
      CASE WHEN (
        p.flags & 4
      ) <> 0 THEN 'RST' END,
      CASE WHEN (
        p.flags & 8
      ) <> 0 THEN 'PSH' END,
      CASE WHEN (
        p.flags & 16
      ) <> 0 THEN 'ACK' END,
      CASE WHEN (
        p.flags & 32
      ) <> 0 THEN 'URG' END,
      CASE WHEN (
        p.flags & 64
      ) <> 0 THEN 'ECE' END,
      CASE WHEN (
        p.flags & 128
      ) <> 0 THEN 'CWR' END
    )
  END AS tcp_flags,
  CASE WHEN p.ip_protocol IN (1, 58) THEN CASE WHEN LENGTH(h) >= data_at + 2 - 1 THEN CAST(CONV(SUBSTRING(h, data_at, 2), 16, 10) AS BIGINT) END END AS icmp_type,
  CASE WHEN p.ip_protocol IN (1, 58) THEN CASE WHEN LENGTH(h) >= data_at + 2 + 2 - 1 THEN CAST(CONV(SUBSTRING(h, data_at + 2, 2), 16, 10) AS BIGINT) END END AS icmp_code,
  CASE
    WHEN NOT p.original IS NULL
    THEN GREATEST(p.original, p.captured)
    WHEN NOT p.is_cut
    THEN p.captured
    WHEN NOT p.ip_length IS NULL
    THEN GREATEST(p.captured, p.ip_length + CAST((
      p.ip_at - 1
    ) / 2 AS BIGINT))
  END AS wire_length,
  p.captured AS captured_length,
  p.process_id,
  p.process_name,
  p.thread_id,
  p.drop_reason,
  p.drop_location,
  p.packet_group,
  p.packet_number,
  p.appearance
FROM parsed AS p
LEFT JOIN components AS c
  ON p.source = 'PktMon' AND c.trace = p.trace AND c.id = p.component_id
LEFT JOIN edges AS e
  ON p.source = 'PktMon' AND e.trace = p.trace AND e.component_id = p.component_id AND e.edge_id = p.edge_id
LEFT JOIN properties AS i
  ON p.source = 'PktMon' AND i.trace = p.trace AND i.component_id = p.component_id
LEFT JOIN adapters AS a
  ON a.trace = p.trace AND a.interface_index = CASE WHEN p.source = 'PktMon' THEN i.interface_index ELSE p.interface_index END;

-- view page_faults
WITH faults AS (
  SELECT
    'hard' AS kind,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    virtual_address,
    file_name,
    read_offset,
    byte_count,
    initial_time_ns,
    CAST(NULL AS STRING) AS module,
    CAST(NULL AS STRING) AS function
  FROM pagefault_hardfault
  UNION ALL
  SELECT
    'hard access',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    virtual_address,
    NULL AS file_name,
    NULL AS read_offset,
    NULL AS byte_count,
    NULL AS initial_time_ns,
    program_counter_module AS module,
    program_counter_function AS function
  FROM pagefault_hardpagefault
  UNION ALL
  SELECT
    'transition',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    virtual_address,
    NULL AS file_name,
    NULL AS read_offset,
    NULL AS byte_count,
    NULL AS initial_time_ns,
    program_counter_module AS module,
    program_counter_function AS function
  FROM pagefault_transitionfault
  UNION ALL
  SELECT
    'demand zero',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    virtual_address,
    NULL AS file_name,
    NULL AS read_offset,
    NULL AS byte_count,
    NULL AS initial_time_ns,
    program_counter_module AS module,
    program_counter_function AS function
  FROM pagefault_demandzerofault
  UNION ALL
  SELECT
    'copy on write',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    virtual_address,
    NULL AS file_name,
    NULL AS read_offset,
    NULL AS byte_count,
    NULL AS initial_time_ns,
    program_counter_module AS module,
    program_counter_function AS function
  FROM pagefault_copyonwrite
  UNION ALL
  SELECT
    'guard',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    virtual_address,
    NULL AS file_name,
    NULL AS read_offset,
    NULL AS byte_count,
    NULL AS initial_time_ns,
    program_counter_module AS module,
    program_counter_function AS function
  FROM pagefault_guardpagefault
  UNION ALL
  SELECT
    'access violation',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    virtual_address,
    NULL AS file_name,
    NULL AS read_offset,
    NULL AS byte_count,
    NULL AS initial_time_ns,
    program_counter_module AS module,
    program_counter_function AS function
  FROM pagefault_accessviolation
)
SELECT
  f.trace,
  f.event_ref,
  f.timestamp,
  f.time_ns,
  f.clock_ns,
  f.seconds,
  f.processor,
  f.kind,
  f.process_id,
  f.process_name,
  f.thread_id,
  f.virtual_address,
  f.file_name,
  f.read_offset AS file_offset,
  f.byte_count,
  f.initial_time_ns AS start_ns,
  CASE WHEN f.time_ns >= f.initial_time_ns THEN f.time_ns - f.initial_time_ns END AS duration_ns,
  f.module,
  f.function,
  s.stack_id
FROM faults AS f
LEFT JOIN stack_events AS s
  ON s.trace = f.trace AND s.event_ref = f.event_ref;

-- view power
WITH steps AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    'idle' AS kind,
    CAST(NULL AS INT) AS processor_group,
    processor,
    state,
    CAST(NULL AS BIGINT) AS speed,
    TRUE AS begins
  FROM power_ppmidlestateenter
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    'idle',
    NULL,
    processor,
    NULL,
    NULL,
    FALSE
  FROM power_ppmidlestateexit
  UNION ALL
  SELECT
    p.trace,
    p.event_ref,
    p.timestamp,
    p.time_ns,
    p.clock_ns,
    p.seconds,
    'performance',
    p.group,
    p.number,
    p.state,
    p.speed,
    TRUE
  FROM microsoft_windows_kernel_processor_power_processorperfstatechange_10 AS p
  UNION ALL
  SELECT
    p.trace,
    p.event_ref,
    p.timestamp,
    p.time_ns,
    p.clock_ns,
    p.seconds,
    'parked',
    p.group,
    p.number,
    NULL,
    NULL,
    TRUE
  FROM microsoft_windows_kernel_processor_power_parkcore AS p
  UNION ALL
  SELECT
    p.trace,
    p.event_ref,
    p.timestamp,
    p.time_ns,
    p.clock_ns,
    p.seconds,
    'parked',
    p.group,
    p.number,
    NULL,
    NULL,
    FALSE
  FROM microsoft_windows_kernel_processor_power_unparkcore AS p
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    'transition',
    NULL,
    NULL,
    reason,
    NULL,
    TRUE
  FROM microsoft_windows_kernel_power_powertransition_start
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    'transition',
    NULL,
    NULL,
    NULL,
    NULL,
    FALSE
  FROM microsoft_windows_kernel_power_powertransition_stop
), turns AS (
  SELECT
    *,
    LEAD(clock_ns) OVER (PARTITION BY trace, kind, processor_group, processor ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST) AS next_ns
  FROM steps
)
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  kind,
  processor_group,
  processor,
  state,
  speed,
  clock_ns AS start_ns,
  next_ns AS end_ns,
  CASE WHEN next_ns >= clock_ns THEN next_ns - clock_ns END AS duration_ns
FROM turns
WHERE
  begins;

-- view process_start_images
WITH starts AS (
  SELECT
    trace,
    process_ref,
    process_id,
    process_name,
    image_path,
    parent_process_id,
    parent_process_name,
    start_time,
    start_ns,
    end_ns
  FROM processes
  WHERE
    NOT start_ns IS NULL AND ARRAY_CONTAINS(known_from, 'start')
), loads AS (
  SELECT
    s.trace,
    s.process_ref,
    i.time_ns,
    i.image_path,
    i.time_ns <= s.start_ns + 10000000000 AS is_early,
    LAG(i.time_ns) OVER one AS before_ns,
    LAG(i.image_path) OVER one AS before_path
  FROM starts AS s
  JOIN image_loads AS i
    ON i.trace = s.trace AND i.process_id = s.process_id AND i.time_ns >= s.start_ns AND i.time_ns <= COALESCE(s.end_ns, i.time_ns)
  WINDOW one AS (PARTITION BY s.trace, s.process_ref ORDER BY i.time_ns NULLS LAST, i.event_ref NULLS LAST, i.image_base NULLS LAST)
), gaps AS (
  SELECT
    *,
    CASE WHEN is_early THEN CASE WHEN time_ns >= before_ns THEN time_ns - before_ns END END AS gap_ns
  FROM loads
), ranked AS (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY trace, process_ref ORDER BY COALESCE(gap_ns, -1) DESC, time_ns NULLS LAST) AS place
  FROM gaps
), images AS (
  SELECT
    trace,
    process_ref,
    MIN(time_ns) AS first_ns,
    COUNT(*) AS images,
    COUNT(CASE WHEN is_early THEN 1 END) AS images_10s,
    MAX(gap_ns) AS largest_gap_ns,
    MAX(CASE WHEN place = 1 AND NOT gap_ns IS NULL THEN before_ns END) AS gap_start_ns,
    MAX(CASE WHEN place = 1 AND NOT gap_ns IS NULL THEN before_path END) AS gap_after,
    MAX(CASE WHEN place = 1 AND NOT gap_ns IS NULL THEN image_path END) AS gap_before
  FROM ranked
  GROUP BY
    trace,
    process_ref
)
SELECT
  s.trace,
  s.start_time AS timestamp,
  s.start_ns AS time_ns,
  s.process_id,
  s.process_ref,
  s.process_name,
  s.image_path,
  s.parent_process_id,
  s.parent_process_name,
  CASE WHEN i.first_ns >= s.start_ns THEN i.first_ns - s.start_ns END AS to_first_image_ns,
  COALESCE(i.images, 0) AS images,
  COALESCE(i.images_10s, 0) AS images_10s,
  i.largest_gap_ns,
  i.gap_start_ns,
  i.gap_after,
  i.gap_before,
  CASE WHEN s.end_ns >= s.start_ns THEN s.end_ns - s.start_ns END AS lived_ns
FROM starts AS s
LEFT JOIN images AS i
  ON i.trace = s.trace AND i.process_ref = s.process_ref;

-- view process_starts
WITH placed AS (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY trace, merge_key_0 ORDER BY merge_ns NULLS LAST, source_rank NULLS LAST, event_ref NULLS LAST) AS merge_place
  FROM (
    SELECT
      *,
      clock_ns AS merge_ns,
      process_id AS merge_key_0
    FROM (
      SELECT
        trace,
        event_ref,
        timestamp,
        time_ns,
        clock_ns,
        seconds,
        'Sysmon' AS source,
        CAST(payload_process_id AS BIGINT) AS process_id,
        CAST(image AS STRING) AS image_path,
        CAST(command_line AS STRING) AS command_line,
        CAST(parent_process_id AS BIGINT) AS parent_process_id,
        CAST(parent_image AS STRING) AS parent_image_path,
        CAST(parent_command_line AS STRING) AS parent_command_line,
        CAST(NULL AS STRING) AS user_sid,
        CAST(user AS STRING) AS user_name,
        CAST(terminal_session_id AS BIGINT) AS session_id,
        CAST(integrity_level AS STRING) AS integrity_level,
        CAST(current_directory AS STRING) AS current_directory,
        CAST(original_file_name AS STRING) AS original_file_name,
        CAST(product AS STRING) AS product_name,
        CAST(company AS STRING) AS company_name,
        CAST(description AS STRING) AS description,
        CAST(hashes AS STRING) AS hashes,
        1 AS source_rank
      FROM (
        SELECT
          trace,
          clock_ns,
          command_line,
          company,
          current_directory,
          description,
          event_ref,
          hashes,
          image,
          integrity_level,
          original_file_name,
          parent_command_line,
          parent_image,
          parent_process_id,
          payload_process_id,
          product,
          seconds,
          terminal_session_id,
          time_ns,
          timestamp,
          user
        FROM (
          SELECT
            trace,
            clock_ns,
            command_line,
            TRY_CAST(company AS STRING) AS company,
            current_directory,
            TRY_CAST(description AS STRING) AS description,
            event_ref,
            hashes,
            image,
            integrity_level,
            TRY_CAST(original_file_name AS STRING) AS original_file_name,
            parent_command_line,
            parent_image,
            parent_process_id,
            payload_process_id,
            TRY_CAST(product AS STRING) AS product,
            seconds,
            terminal_session_id,
            time_ns,
            timestamp,
            user
          FROM microsoft_windows_sysmon_createprocess
        ) AS typed
      ) AS e
      UNION ALL
      SELECT
        trace,
        event_ref,
        timestamp,
        time_ns,
        clock_ns,
        seconds,
        'kernel' AS source,
        CAST(process_id AS BIGINT) AS process_id,
        CAST(path AS STRING) AS image_path,
        CAST(command_line AS STRING) AS command_line,
        CAST(parent_id AS BIGINT) AS parent_process_id,
        CAST(parent_name AS STRING) AS parent_image_path,
        CAST(NULL AS STRING) AS parent_command_line,
        CAST(user_sid AS STRING) AS user_sid,
        CAST(NULL AS STRING) AS user_name,
        CAST(session_id AS BIGINT) AS session_id,
        CAST(NULL AS STRING) AS integrity_level,
        CAST(NULL AS STRING) AS current_directory,
        CAST(NULL AS STRING) AS original_file_name,
        CAST(NULL AS STRING) AS product_name,
        CAST(NULL AS STRING) AS company_name,
        CAST(NULL AS STRING) AS description,
        CAST(NULL AS STRING) AS hashes,
        2 AS source_rank
      FROM (
        SELECT
          *
        FROM (
          SELECT
            s.*,
            COALESCE(p.image_path, s.image_file_name) AS path,
            p.parent_process_name AS parent_name
          FROM process_start AS s
          LEFT JOIN processes AS p
            ON p.trace = s.trace AND p.process_id = s.process_id AND p.start_ns = s.time_ns
        ) AS given
      ) AS e
      UNION ALL
      SELECT
        trace,
        event_ref,
        timestamp,
        time_ns,
        clock_ns,
        seconds,
        'Kernel-Process' AS source,
        CAST(payload_process_id AS BIGINT) AS process_id,
        CAST(image_name AS STRING) AS image_path,
        CAST(NULL AS STRING) AS command_line,
        CAST(parent_process_id AS BIGINT) AS parent_process_id,
        CAST(NULL AS STRING) AS parent_image_path,
        CAST(NULL AS STRING) AS parent_command_line,
        CAST(NULL AS STRING) AS user_sid,
        CAST(NULL AS STRING) AS user_name,
        CAST(session_id AS BIGINT) AS session_id,
        CAST(CASE mandatory_label
          WHEN 'S-1-16-4096'
          THEN 'Low'
          WHEN 'S-1-16-8192'
          THEN 'Medium'
          WHEN 'S-1-16-8448'
          THEN 'Medium Plus'
          WHEN 'S-1-16-12288'
          THEN 'High'
          WHEN 'S-1-16-16384'
          THEN 'System'
          ELSE mandatory_label
        END AS STRING) AS integrity_level,
        CAST(NULL AS STRING) AS current_directory,
        CAST(NULL AS STRING) AS original_file_name,
        CAST(NULL AS STRING) AS product_name,
        CAST(NULL AS STRING) AS company_name,
        CAST(NULL AS STRING) AS description,
        CAST(NULL AS STRING) AS hashes,
        3 AS source_rank
      FROM (
        SELECT
          trace,
          clock_ns,
          event_ref,
          image_name,
          mandatory_label,
          parent_process_id,
          payload_process_id,
          seconds,
          session_id,
          time_ns,
          timestamp
        FROM (
          SELECT
            trace,
            clock_ns,
            event_ref,
            TRY_CAST(image_name AS STRING) AS image_name,
            TRY_CAST(mandatory_label AS STRING) AS mandatory_label,
            parent_process_id,
            payload_process_id,
            seconds,
            session_id,
            time_ns,
            timestamp
          FROM microsoft_windows_kernel_process_processstart_start
        ) AS typed
      ) AS e
      UNION ALL
      SELECT
        trace,
        event_ref,
        timestamp,
        time_ns,
        clock_ns,
        seconds,
        'Security 4688' AS source,
        CAST(CAST(new_process_id AS BIGINT) AS BIGINT) AS process_id,
        CAST(new_process_name AS STRING) AS image_path,
        CAST(NULLIF(command_line, '') AS STRING) AS command_line,
        CAST(CAST(payload_process_id AS BIGINT) AS BIGINT) AS parent_process_id,
        CAST(parent_process_name AS STRING) AS parent_image_path,
        CAST(NULL AS STRING) AS parent_command_line,
        CAST(subject_user_sid AS STRING) AS user_sid,
        CAST(CONCAT(COALESCE(subject_domain_name, ''), COALESCE(CHR(  92), ''), COALESCE(subject_user_name, '')) AS STRING) AS user_name,
        CAST(NULL AS BIGINT) AS session_id,
        CAST(CASE mandatory_label
          WHEN 'S-1-16-4096'
          THEN 'Low'
          WHEN 'S-1-16-8192'
          THEN 'Medium'
          WHEN 'S-1-16-8448'
          THEN 'Medium Plus'
          WHEN 'S-1-16-12288'
          THEN 'High'
          WHEN 'S-1-16-16384'
          THEN 'System'
          ELSE mandatory_label
        END AS STRING) AS integrity_level,
        CAST(NULL AS STRING) AS current_directory,
        CAST(NULL AS STRING) AS original_file_name,
        CAST(NULL AS STRING) AS product_name,
        CAST(NULL AS STRING) AS company_name,
        CAST(NULL AS STRING) AS description,
        CAST(NULL AS STRING) AS hashes,
        4 AS source_rank
      FROM (
        SELECT
          trace,
          clock_ns,
          command_line,
          event_ref,
          mandatory_label,
          new_process_id,
          new_process_name,
          parent_process_name,
          payload_process_id,
          seconds,
          subject_domain_name,
          subject_user_name,
          subject_user_sid,
          time_ns,
          timestamp
        FROM (
          SELECT
            trace,
            clock_ns,
            TRY_CAST(command_line AS STRING) AS command_line,
            event_ref,
            TRY_CAST(mandatory_label AS STRING) AS mandatory_label,
            new_process_id,
            new_process_name,
            TRY_CAST(parent_process_name AS STRING) AS parent_process_name,
            payload_process_id,
            seconds,
            subject_domain_name,
            subject_user_name,
            subject_user_sid,
            time_ns,
            timestamp
          FROM microsoft_windows_security_auditing_4688
        ) AS typed
      ) AS e
    ) AS merge_sources
  ) AS merge_keys
), merged_1 AS (
  SELECT
    *,
    CASE source_rank WHEN 1 THEN merge_place END AS merge_group
  FROM placed
), near_2 AS (
  SELECT
    *,
    CASE
      WHEN source_rank = 2 AND NOT merge_key_0 IS NULL
      THEN CASE
        WHEN merge_ns - before_ns <= 2000000000 AND (
          after_ns IS NULL OR merge_ns - before_ns <= after_ns - merge_ns
        )
        THEN before_place
        WHEN after_ns - merge_ns <= 2000000000
        THEN after_place
      END
    END AS merge_near,
    LEAST(COALESCE(merge_ns - before_ns, 2000000000), COALESCE(after_ns - merge_ns, 2000000000)) AS merge_distance
  FROM (
    SELECT
      *,
      MAX(CASE WHEN merge_group = merge_place THEN merge_place END) OVER before AS before_place,
      MAX(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER before AS before_ns,
      MIN(CASE WHEN merge_group = merge_place THEN merge_place END) OVER after AS after_place,
      MIN(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER after AS after_ns
    FROM merged_1
    WINDOW before AS (PARTITION BY trace, merge_key_0 ORDER BY merge_place NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), after AS (PARTITION BY trace, merge_key_0 ORDER BY merge_place NULLS LAST ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
  ) AS merge_found
), merged_2 AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    source,
    process_id,
    image_path,
    command_line,
    parent_process_id,
    parent_image_path,
    parent_command_line,
    user_sid,
    user_name,
    session_id,
    integrity_level,
    current_directory,
    original_file_name,
    product_name,
    company_name,
    description,
    hashes,
    source_rank,
    merge_ns,
    merge_key_0,
    merge_place,
    CASE
      WHEN source_rank <> 2
      THEN merge_group
      WHEN NOT merge_near IS NULL AND ROW_NUMBER() OVER (PARTITION BY trace, merge_key_0, merge_near ORDER BY merge_distance NULLS LAST, merge_place NULLS LAST) = 1
      THEN merge_near
      ELSE merge_place
    END AS merge_group
  FROM near_2
), near_3 AS (
  SELECT
    *,
    CASE
      WHEN source_rank = 3 AND NOT merge_key_0 IS NULL
      THEN CASE
        WHEN merge_ns - before_ns <= 2000000000 AND (
          after_ns IS NULL OR merge_ns - before_ns <= after_ns - merge_ns
        )
        THEN before_place
        WHEN after_ns - merge_ns <= 2000000000
        THEN after_place
      END
    END AS merge_near,
    LEAST(COALESCE(merge_ns - before_ns, 2000000000), COALESCE(after_ns - merge_ns, 2000000000)) AS merge_distance
  FROM (
    SELECT
      *,
      MAX(CASE WHEN merge_group = merge_place THEN merge_place END) OVER before AS before_place,
      MAX(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER before AS before_ns,
      MIN(CASE WHEN merge_group = merge_place THEN merge_place END) OVER after AS after_place,
      MIN(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER after AS after_ns
    FROM merged_2
    WINDOW before AS (PARTITION BY trace, merge_key_0 ORDER BY merge_place NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), after AS (PARTITION BY trace, merge_key_0 ORDER BY merge_place NULLS LAST ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
  ) AS merge_found
), merged_3 AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    source,
    process_id,
    image_path,
    command_line,
    parent_process_id,
    parent_image_path,
    parent_command_line,
    user_sid,
    user_name,
    session_id,
    integrity_level,
    current_directory,
    original_file_name,
    product_name,
    company_name,
    description,
    hashes,
    source_rank,
    merge_ns,
    merge_key_0,
    merge_place,
    CASE
      WHEN source_rank <> 3
      THEN merge_group
      WHEN NOT merge_near IS NULL AND ROW_NUMBER() OVER (PARTITION BY trace, merge_key_0, merge_near ORDER BY merge_distance NULLS LAST, merge_place NULLS LAST) = 1
      THEN merge_near
      ELSE merge_place
    END AS merge_group
  FROM near_3
), near_4 AS (
  SELECT
    *,
    CASE
      WHEN source_rank = 4 AND NOT merge_key_0 IS NULL
      THEN CASE
        WHEN merge_ns - before_ns <= 2000000000 AND (
          after_ns IS NULL OR merge_ns - before_ns <= after_ns - merge_ns
        )
        THEN before_place
        WHEN after_ns - merge_ns <= 2000000000
        THEN after_place
      END
    END AS merge_near,
    LEAST(COALESCE(merge_ns - before_ns, 2000000000), COALESCE(after_ns - merge_ns, 2000000000)) AS merge_distance
  FROM (
    SELECT
      *,
      MAX(CASE WHEN merge_group = merge_place THEN merge_place END) OVER before AS before_place,
      MAX(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER before AS before_ns,
      MIN(CASE WHEN merge_group = merge_place THEN merge_place END) OVER after AS after_place,
      MIN(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER after AS after_ns
    FROM merged_3
    WINDOW before AS (PARTITION BY trace, merge_key_0 ORDER BY merge_place NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), after AS (PARTITION BY trace, merge_key_0 ORDER BY merge_place NULLS LAST ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
  ) AS merge_found
), merged_4 AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    source,
    process_id,
    image_path,
    command_line,
    parent_process_id,
    parent_image_path,
    parent_command_line,
    user_sid,
    user_name,
    session_id,
    integrity_level,
    current_directory,
    original_file_name,
    product_name,
    company_name,
    description,
    hashes,
    source_rank,
    merge_ns,
    merge_key_0,
    merge_place,
    CASE
      WHEN source_rank <> 4
      THEN merge_group
      WHEN NOT merge_near IS NULL AND ROW_NUMBER() OVER (PARTITION BY trace, merge_key_0, merge_near ORDER BY merge_distance NULLS LAST, merge_place NULLS LAST) = 1
      THEN merge_near
      ELSE merge_place
    END AS merge_group
  FROM near_4
)
SELECT
  trace,
  MIN_BY(event_ref, source_rank) FILTER(WHERE
    NOT event_ref IS NULL) AS event_ref,
  MIN_BY(timestamp, source_rank) FILTER(WHERE
    NOT timestamp IS NULL) AS timestamp,
  MIN_BY(time_ns, source_rank) FILTER(WHERE
    NOT time_ns IS NULL) AS time_ns,
  MIN_BY(clock_ns, source_rank) FILTER(WHERE
    NOT clock_ns IS NULL) AS clock_ns,
  MIN_BY(seconds, source_rank) FILTER(WHERE
    NOT seconds IS NULL) AS seconds,
  LISTAGG(source, ', ') WITHIN GROUP (ORDER BY
    source NULLS LAST) AS source,
  MIN_BY(process_id, source_rank) FILTER(WHERE
    NOT process_id IS NULL) AS process_id,
  MIN_BY(image_path, source_rank) FILTER(WHERE
    NOT image_path IS NULL) AS image_path,
  MIN_BY(command_line, source_rank) FILTER(WHERE
    NOT command_line IS NULL) AS command_line,
  MIN_BY(parent_process_id, source_rank) FILTER(WHERE
    NOT parent_process_id IS NULL) AS parent_process_id,
  MIN_BY(parent_image_path, source_rank) FILTER(WHERE
    NOT parent_image_path IS NULL) AS parent_image_path,
  MIN_BY(parent_command_line, source_rank) FILTER(WHERE
    NOT parent_command_line IS NULL) AS parent_command_line,
  MIN_BY(user_sid, source_rank) FILTER(WHERE
    NOT user_sid IS NULL) AS user_sid,
  MIN_BY(user_name, source_rank) FILTER(WHERE
    NOT user_name IS NULL) AS user_name,
  MIN_BY(session_id, source_rank) FILTER(WHERE
    NOT session_id IS NULL) AS session_id,
  MIN_BY(integrity_level, source_rank) FILTER(WHERE
    NOT integrity_level IS NULL) AS integrity_level,
  MIN_BY(current_directory, source_rank) FILTER(WHERE
    NOT current_directory IS NULL) AS current_directory,
  MIN_BY(original_file_name, source_rank) FILTER(WHERE
    NOT original_file_name IS NULL) AS original_file_name,
  MIN_BY(product_name, source_rank) FILTER(WHERE
    NOT product_name IS NULL) AS product_name,
  MIN_BY(company_name, source_rank) FILTER(WHERE
    NOT company_name IS NULL) AS company_name,
  MIN_BY(description, source_rank) FILTER(WHERE
    NOT description IS NULL) AS description,
  MIN_BY(hashes, source_rank) FILTER(WHERE
    NOT hashes IS NULL) AS hashes
FROM merged_4
GROUP BY
  trace,
  merge_key_0,
  merge_group;

-- view process_tree
WITH RECURSIVE steps AS (
  SELECT
    *,
    '/' || LPAD(CAST(first_seen_ns AS STRING), 20, '0') || '-' || LPAD(CAST(process_id AS STRING), 10, '0') AS step
  FROM processes
), levels AS (
  SELECT
    trace,
    process_ref,
    0 AS depth,
    step AS place
  FROM steps
  WHERE
    parent_process_ref IS NULL
  UNION ALL
  SELECT
    c.trace,
    c.process_ref,
    t.depth + 1,
    t.place || c.step
  FROM levels AS t
  JOIN steps AS c
    ON c.trace = t.trace AND c.parent_process_ref = t.process_ref
)
SELECT
  t.trace,
  t.depth,
  REPEAT('  ', t.depth) || COALESCE(c.process_name, '?') AS tree,
  c.process_id,
  c.process_name,
  c.parent_process_id,
  c.parent_process_name,
  c.start_time,
  c.end_time,
  c.exit_code,
  c.command_line,
  c.user_sid,
  c.session_id,
  c.image_path,
  t.process_ref,
  c.parent_process_ref,
  t.place
FROM levels AS t
JOIN processes AS c
  ON c.trace = t.trace AND c.process_ref = t.process_ref
ORDER BY
  t.trace NULLS LAST,
  t.place NULLS LAST;

-- view regions
WITH begun AS (
  SELECT
    *,
    REGEXP_REPLACE(REGEXP_REPLACE(message, '(?i)^(start|begin)[ _.:/-]+', ''), '(?i)[ _.:/-]+(start|begin)$', '') AS begins,
    REGEXP_REPLACE(REGEXP_REPLACE(message, '(?i)^(stop|end)[ _.:/-]+', ''), '(?i)[ _.:/-]+(stop|end)$', '') AS ends
  FROM marks
), steps AS (
  SELECT
    *,
    CASE WHEN begins <> message THEN 1 ELSE -1 END AS step,
    CASE WHEN begins <> message THEN begins ELSE ends END AS region,
    CASE WHEN kind <> 'kernel' THEN process_id END AS within
  FROM begun
  WHERE
    (
      begins <> message
    ) <> (
      ends <> message
    )
), paired AS (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM steps AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, kind, within, region ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, kind, within, region ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, kind, within, region ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, kind, within, region ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
)
SELECT
  trace,
  CASE WHEN step = 1 THEN event_ref END AS event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  kind,
  region,
  CASE WHEN step = 1 THEN clock_ns END AS start_ns,
  end_ns,
  CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END AS duration_ns,
  stop_ref AS end_ref,
  state,
  ambiguous
FROM paired;

-- view registry
WITH steps AS (
  SELECT
    'open' AS operation,
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_open
  UNION ALL
  SELECT
    'create',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_create
  UNION ALL
  SELECT
    'delete',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_delete
  UNION ALL
  SELECT
    'query',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_query
  UNION ALL
  SELECT
    'set value',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_setvalue
  UNION ALL
  SELECT
    'delete value',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_deletevalue
  UNION ALL
  SELECT
    'query value',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_queryvalue
  UNION ALL
  SELECT
    'enumerate keys',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_enumeratekey
  UNION ALL
  SELECT
    'enumerate values',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_enumeratevaluekey
  UNION ALL
  SELECT
    'query values',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_querymultiplevalue
  UNION ALL
  SELECT
    'set information',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_setinformation
  UNION ALL
  SELECT
    'flush',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_flush
  UNION ALL
  SELECT
    'virtualize',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_virtualize
  UNION ALL
  SELECT
    'close',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_close
  UNION ALL
  SELECT
    'set security',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_setsecurity
  UNION ALL
  SELECT
    'query security',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    status,
    status_text,
    initial_time_ns
  FROM registry_querysecurity
  UNION ALL
  SELECT
    'name born',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    NULL,
    NULL,
    NULL
  FROM registry_kcbcreate
  UNION ALL
  SELECT
    'name',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    NULL,
    NULL,
    NULL
  FROM registry_kcbdelete
  UNION ALL
  SELECT
    'name',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    NULL,
    NULL,
    NULL
  FROM registry_kcbrundownbegin
  UNION ALL
  SELECT
    'name',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    NULL,
    NULL,
    NULL
  FROM registry_kcbrundownend
  UNION ALL
  SELECT
    'name',
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    key_handle,
    key_name,
    NULL,
    NULL,
    NULL
  FROM registry_rundown
), lives AS (
  SELECT
    *,
    CASE WHEN key_handle = 0 THEN event_ref END AS alone,
    COUNT(CASE WHEN operation = 'name born' THEN 1 END) OVER (PARTITION BY trace, key_handle, CASE WHEN key_handle = 0 THEN event_ref END ORDER BY clock_ns NULLS LAST) AS life
  FROM steps
), named AS (
  SELECT
    *,
    MAX(CASE WHEN operation IN ('name born', 'name') THEN key_name END) OVER (PARTITION BY trace, key_handle, alone, life) AS block_name,
    operation IN ('set value', 'delete value', 'query value', 'enumerate values', 'query values') AS is_of_value
  FROM lives
)
SELECT
  n.trace,
  n.event_ref,
  n.timestamp,
  n.time_ns,
  n.clock_ns,
  n.seconds,
  n.processor,
  n.operation,
  n.process_id,
  n.process_name,
  n.thread_id,
  NULLIF(CONCAT_WS(CHR(  92), CASE WHEN n.key_handle <> 0 THEN COALESCE(n.block_name, '?') END, CASE WHEN NOT n.is_of_value THEN NULLIF(n.key_name, '') END), '') AS key_path,
  CASE WHEN n.operation IN ('enumerate values', 'query values') THEN NULLIF(n.key_name, '') WHEN n.is_of_value THEN n.key_name END AS value_name,
  n.status,
  n.status_text,
  n.initial_time_ns AS start_ns,
  CASE WHEN n.time_ns >= n.initial_time_ns THEN n.time_ns - n.initial_time_ns END AS duration_ns,
  s.stack_id
FROM named AS n
LEFT JOIN stack_events AS s
  ON s.trace = n.trace AND s.event_ref = n.event_ref
WHERE
  NOT n.operation IN ('name born', 'name');

-- view script_blocks
WITH single AS (
  SELECT
    *
  FROM (
    SELECT
      *,
      ROW_NUMBER() OVER (PARTITION BY trace, process_id, script_block_id, message_number ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST) AS copy
    FROM microsoft_windows_powershell_4104
  ) AS logged
  WHERE
    copy = 1
), following AS (
  SELECT
    *,
    LEAD(message_number) OVER block AS next_number,
    LAG(message_number) OVER block AS last_number
  FROM single
  WINDOW block AS (PARTITION BY trace, process_id, script_block_id ORDER BY message_number NULLS LAST)
), gaps AS (
  SELECT
    *,
    COALESCE(last_number, 0) + 1 AS from_before,
    message_number - 1 AS to_before,
    message_number + 1 AS from_after,
    CASE WHEN next_number IS NULL THEN message_total END AS to_after
  FROM following
), texts AS (
  SELECT
    *,
    NULLIF(
      CONCAT_WS(
        ', ',
        CASE
          WHEN from_before < to_before
          THEN CONCAT(COALESCE(from_before, ''), '-', COALESCE(to_before, ''))
          WHEN from_before = to_before
          THEN CAST(to_before AS STRING)
        END,
        CASE WHEN from_after < to_after THEN CONCAT(COALESCE(from_after, ''), '-', COALESCE(to_after, '')) WHEN from_after = to_after THEN CAST(to_after AS STRING) END
      ),
      ''
    ) AS missing
  FROM gaps
)
SELECT
  trace,
  MIN_BY(event_ref, message_number) AS event_ref,
  MIN_BY(timestamp, message_number) AS timestamp,
  MIN_BY(time_ns, message_number) AS time_ns,
  MIN_BY(clock_ns, message_number) AS clock_ns,
  MIN_BY(seconds, message_number) AS seconds,
  process_id,
  MAX(process_name) AS process_name,
  MIN_BY(thread_id, message_number) AS thread_id,
  MIN_BY(level, message_number) AS level,
  script_block_id,
  MIN_BY(path, message_number) AS path,
  LISTAGG(script_block_text, '') WITHIN GROUP (ORDER BY
    message_number NULLS LAST) AS script,
  COUNT(*) AS parts,
  CAST(MAX(message_total) AS BIGINT) AS parts_total,
  NULLIF(LISTAGG(missing, ', ') WITHIN GROUP (ORDER BY
    message_number NULLS LAST), '') AS missing_parts
FROM texts
GROUP BY
  trace,
  process_id,
  script_block_id;

-- view scripts
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  'AMSI' AS source,
  CAST('scan' AS STRING) AS kind,
  CAST(CASE
    WHEN OCTET_LENGTH(content) % 2 = 0 AND LEFT(HEX(CAST(content AS BINARY)), 256) RLIKE '^(....)*..00'
    THEN GET_JSON_OBJECT(
      CONCAT(
        '{"text":"',
        COALESCE(
          ARRAY_JOIN(
            FILTER(
              TRANSFORM(
                REGEXP_EXTRACT_ALL(HEX(CAST(content AS BINARY)), '[0-9A-F][0-9A-F][0-9A-F][0-9A-F]', 0),
                unit -> CONCAT(COALESCE(CHR(  92), ''), 'u', COALESCE(SUBSTRING(unit, 3, 2), ''), COALESCE(SUBSTRING(unit, 1, 2), ''))
              ),
              unit -> SUBSTRING(unit, 3, 4) <> '0000'
            ),
            ''
          ),
          ''
        ),
        '"}'
      ),
      '$.text'
    )
    WHEN HEX(CAST(content AS BINARY)) RLIKE '^(0[9AD]|[2-6][0-9A-F]|7[0-9A-E])+$'
    THEN DECODE(CAST(content AS BINARY), 'utf-8')
  END AS STRING) AS script,
  CAST(NULLIF(contentname, '') AS STRING) AS path,
  CAST(NULL AS STRING) AS user_name,
  CAST(appname AS STRING) AS host,
  CAST(NULL AS STRING) AS context,
  CAST(NULL AS STRING) AS block_id,
  CAST(CASE
    WHEN scan_result = 0
    THEN 'clean'
    WHEN scan_result = 1
    THEN 'not detected'
    WHEN scan_result BETWEEN 16384 AND 20479
    THEN 'blocked by policy'
    WHEN scan_result >= 32768
    THEN 'detected'
    ELSE CAST(scan_result AS STRING)
  END AS STRING) AS verdict
FROM (
  SELECT
    trace,
    appname,
    clock_ns,
    content,
    contentname,
    event_ref,
    process_id,
    process_name,
    scan_result,
    seconds,
    time_ns,
    timestamp
  FROM microsoft_antimalware_scan_interface_1101
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  'AmsiTrace' AS source,
  CAST('block' AS STRING) AS kind,
  CAST(script AS STRING) AS script,
  CAST(NULL AS STRING) AS path,
  CAST(NULL AS STRING) AS user_name,
  CAST(engine AS STRING) AS host,
  CAST(NULL AS STRING) AS context,
  CAST(NULL AS STRING) AS block_id,
  CAST(NULL AS STRING) AS verdict
FROM (
  SELECT
    trace,
    clock_ns,
    engine,
    event_ref,
    process_id,
    process_name,
    script,
    seconds,
    time_ns,
    timestamp
  FROM (
    SELECT
      trace,
      clock_ns,
      TRY_CAST(engine AS STRING) AS engine,
      event_ref,
      process_id,
      process_name,
      TRY_CAST(script AS STRING) AS script,
      seconds,
      time_ns,
      timestamp
    FROM amsitrace_amsiscript
  ) AS typed
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  'PowerShell 4104' AS source,
  CAST('block' AS STRING) AS kind,
  CAST(script AS STRING) AS script,
  CAST(NULLIF(path, '') AS STRING) AS path,
  CAST(NULL AS STRING) AS user_name,
  CAST(process_name AS STRING) AS host,
  CAST(NULL AS STRING) AS context,
  CAST(script_block_id AS STRING) AS block_id,
  CAST(NULL AS STRING) AS verdict
FROM (
  SELECT
    trace,
    clock_ns,
    event_ref,
    path,
    process_id,
    process_name,
    script,
    script_block_id,
    seconds,
    time_ns,
    timestamp
  FROM script_blocks
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  'PowerShell 4103, 7937' AS source,
  CAST('command' AS STRING) AS kind,
  CAST(COALESCE(NULLIF(payload_payload, ''), NULLIF(REGEXP_EXTRACT(context_info, 'Command Name = ([^\\r\\n]*)'), '')) AS STRING) AS script,
  CAST(NULLIF(TRIM(REGEXP_EXTRACT(context_info, 'Script Name = ([^\\r\\n]*)')), '') AS STRING) AS path,
  CAST(NULLIF(TRIM(REGEXP_EXTRACT(context_info, '(?m)^\\s*User = ([^\\r\\n]*)')), '') AS STRING) AS user_name,
  CAST(NULLIF(TRIM(REGEXP_EXTRACT(context_info, 'Host Application = ([^\\r\\n]*)')), '') AS STRING) AS host,
  CAST(context_info AS STRING) AS context,
  CAST(NULL AS STRING) AS block_id,
  CAST(NULL AS STRING) AS verdict
FROM (
  SELECT
    trace,
    clock_ns,
    context_info,
    event_ref,
    payload_payload,
    process_id,
    process_name,
    seconds,
    time_ns,
    timestamp
  FROM microsoft_windows_powershell_4103
  WHERE
    payload_payload NOT LIKE '%is Stopped.%'
  UNION ALL
  SELECT
    trace,
    clock_ns,
    context_info,
    event_ref,
    payload_payload,
    process_id,
    process_name,
    seconds,
    time_ns,
    timestamp
  FROM microsoft_windows_powershell_7937
  WHERE
    payload_payload NOT LIKE '%is Stopped.%'
) AS e;

-- view service_states
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  thread_id,
  'Microsoft-Windows-Services' AS source,
  CAST(service_name AS STRING) AS service_name,
  CAST(CASE current_state
    WHEN 1
    THEN 'stopped'
    WHEN 2
    THEN 'starting'
    WHEN 3
    THEN 'stopping'
    WHEN 4
    THEN 'running'
    WHEN 5
    THEN 'continuing'
    WHEN 6
    THEN 'pausing'
    WHEN 7
    THEN 'paused'
  END AS STRING) AS state,
  CAST(NULL AS STRING) AS last_state,
  CAST(NULL AS BIGINT) AS last_ns,
  CAST(image_name AS STRING) AS image_name,
  CAST(pid AS BIGINT) AS service_process_id,
  CAST(start_type AS BIGINT) AS start_type,
  CAST(NULL AS BIGINT) AS start_reason,
  CAST(NULL AS STRING) AS service_group
FROM (
  SELECT
    trace,
    clock_ns,
    current_state,
    event_ref,
    image_name,
    pid,
    seconds,
    service_name,
    start_type,
    thread_id,
    time_ns,
    timestamp
  FROM microsoft_windows_services_servicestatuschange_statuschange
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  thread_id,
  'Service Control Manager' AS source,
  CAST(service_name AS STRING) AS service_name,
  CAST(CASE new_state
    WHEN 1
    THEN 'stopped'
    WHEN 2
    THEN 'starting'
    WHEN 3
    THEN 'stopping'
    WHEN 4
    THEN 'running'
    WHEN 5
    THEN 'continuing'
    WHEN 6
    THEN 'pausing'
    WHEN 7
    THEN 'paused'
  END AS STRING) AS state,
  CAST(CASE old_state
    WHEN 1
    THEN 'stopped'
    WHEN 2
    THEN 'starting'
    WHEN 3
    THEN 'stopping'
    WHEN 4
    THEN 'running'
    WHEN 5
    THEN 'continuing'
    WHEN 6
    THEN 'pausing'
    WHEN 7
    THEN 'paused'
  END AS STRING) AS last_state,
  CAST(CAST(duration_in_ms AS BIGINT) * 1000000 AS BIGINT) AS last_ns,
  CAST(NULL AS STRING) AS image_name,
  CAST(NULL AS BIGINT) AS service_process_id,
  CAST(NULL AS BIGINT) AS start_type,
  CAST(NULL AS BIGINT) AS start_reason,
  CAST(NULL AS STRING) AS service_group
FROM (
  SELECT
    trace,
    clock_ns,
    duration_in_ms,
    event_ref,
    new_state,
    old_state,
    seconds,
    service_name,
    thread_id,
    time_ns,
    timestamp
  FROM (
    SELECT
      trace,
      clock_ns,
      CAST(duration_in_ms AS DECIMAL(20, 0)) AS duration_in_ms,
      event_ref,
      TRY_CAST(new_state AS BIGINT) AS new_state,
      TRY_CAST(old_state AS BIGINT) AS old_state,
      seconds,
      TRY_CAST(service_name AS STRING) AS service_name,
      thread_id,
      time_ns,
      timestamp
    FROM microsoft_windows_servicecontrolmanager_servicestatechange
  ) AS typed
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  thread_id,
  'Service Control Manager, started' AS source,
  CAST(service_name AS STRING) AS service_name,
  CAST('running' AS STRING) AS state,
  CAST(NULL AS STRING) AS last_state,
  CAST(NULL AS BIGINT) AS last_ns,
  CAST(NULL AS STRING) AS image_name,
  CAST(pid AS BIGINT) AS service_process_id,
  CAST(NULL AS BIGINT) AS start_type,
  CAST(start_reason AS BIGINT) AS start_reason,
  CAST(COALESCE(NULLIF(svchost_group, ''), NULLIF(load_order_group, '')) AS STRING) AS service_group
FROM (
  SELECT
    trace,
    clock_ns,
    event_ref,
    load_order_group,
    pid,
    seconds,
    service_name,
    start_reason,
    svchost_group,
    thread_id,
    time_ns,
    timestamp
  FROM (
    SELECT
      trace,
      clock_ns,
      event_ref,
      TRY_CAST(load_order_group AS STRING) AS load_order_group,
      TRY_CAST(pid AS BIGINT) AS pid,
      seconds,
      TRY_CAST(service_name AS STRING) AS service_name,
      TRY_CAST(start_reason AS BIGINT) AS start_reason,
      TRY_CAST(svchost_group AS STRING) AS svchost_group,
      thread_id,
      time_ns,
      timestamp
    FROM microsoft_windows_servicecontrolmanager_servicestarted
  ) AS typed
) AS e;

-- view services
WITH reported AS (
  SELECT
    *,
    COUNT(CASE WHEN COALESCE(previous, '') <> state THEN 1 END) OVER (PARTITION BY trace, LOWER(service_name) ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST) AS change
  FROM (
    SELECT
      *,
      LAG(state) OVER (PARTITION BY trace, LOWER(service_name) ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST) AS previous
    FROM service_states
    WHERE
      NOT state IS NULL
  ) AS following
), entered AS (
  SELECT
    trace,
    MIN_BY(event_ref, clock_ns) AS event_ref,
    MIN_BY(timestamp, clock_ns) AS timestamp,
    MIN_BY(time_ns, clock_ns) AS time_ns,
    MIN(clock_ns) AS clock_ns,
    MIN(seconds) AS seconds,
    MIN_BY(service_name, clock_ns) AS service_name,
    LOWER(service_name) AS service,
    change,
    MAX(state) AS state,
    MAX(last_state) AS last_state,
    MAX(CASE WHEN last_state IN ('starting', 'stopping', 'continuing', 'pausing') THEN last_ns END) AS pending_ns,
    MAX(image_name) AS image_name,
    MAX_BY(service_process_id, clock_ns) FILTER(WHERE
      NOT service_process_id IS NULL) AS service_process_id,
    MAX(start_type) AS start_type,
    MAX(start_reason) AS start_reason,
    MAX(service_group) AS service_group
  FROM reported
  GROUP BY
    trace,
    LOWER(service_name),
    change
), states AS (
  SELECT
    *,
    CASE state WHEN 'starting' THEN 'start' WHEN 'stopping' THEN 'stop' WHEN 'continuing' THEN 'continue' WHEN 'pausing' THEN 'pause' END AS pending,
    CASE WHEN state IN ('stopped', 'running', 'paused') THEN state END AS done,
    LAG(state) OVER changes AS previous,
    LEAD(state) OVER changes AS next_state
  FROM entered
  WINDOW changes AS (PARTITION BY trace, service ORDER BY change NULLS LAST)
), changes AS (
  SELECT
    *,
    NOT pending IS NULL AND NOT (
      LEAD(done) OVER changes
    ) IS NULL AND COALESCE(LEAD(last_state) OVER changes, state) = state AS is_ended,
    COALESCE(pending IS NULL AND previous IN ('starting', 'stopping', 'continuing', 'pausing') AND COALESCE(last_state, previous) = previous, FALSE) AS is_end,
    LEAD(clock_ns) OVER changes AS next_ns,
    LEAD(done) OVER changes AS next_done,
    LEAD(service_process_id) OVER changes AS next_process_id,
    LEAD(image_name) OVER changes AS next_image_name,
    LEAD(start_type) OVER changes AS next_start_type,
    LEAD(start_reason) OVER changes AS next_start_reason,
    LEAD(service_group) OVER changes AS next_service_group
  FROM states
  WINDOW changes AS (PARTITION BY trace, service ORDER BY change NULLS LAST)
), group_steps AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    group_name,
    1 AS step
  FROM microsoft_windows_services_startinggroup_start
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    thread_id,
    group_name,
    -1
  FROM microsoft_windows_services_startinggroup_stop
), group_pairs AS (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    FALSE AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM group_steps AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, process_id, thread_id, group_name ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, process_id, thread_id, group_name ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, process_id, thread_id, group_name ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, process_id, thread_id, group_name ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
)
SELECT
  trace,
  event_ref,
  CASE WHEN pending IS NULL AND NOT pending_ns IS NULL THEN TIMESTAMP_MICROS(CAST((
    time_ns - pending_ns
  ) DIV 1000 AS BIGINT)) ELSE timestamp END AS timestamp,
  time_ns - CASE WHEN pending IS NULL THEN COALESCE(pending_ns, 0) ELSE 0 END AS time_ns,
  clock_ns - CASE WHEN pending IS NULL THEN COALESCE(pending_ns, 0) ELSE 0 END AS clock_ns,
  seconds - CASE WHEN pending IS NULL THEN COALESCE(pending_ns, 0) ELSE 0 END / 1e9 AS seconds,
  CASE
    WHEN NOT pending IS NULL
    THEN pending
    WHEN done = 'stopped'
    THEN 'stop'
    WHEN done = 'paused'
    THEN 'pause'
    WHEN COALESCE(last_state, previous) IN ('paused', 'continuing')
    THEN 'continue'
    ELSE 'start'
  END AS kind,
  service_name,
  CASE WHEN is_ended THEN COALESCE(image_name, next_image_name) ELSE image_name END AS image_name,
  CASE WHEN is_ended THEN COALESCE(next_process_id, service_process_id) ELSE service_process_id END AS service_process_id,
  CASE WHEN is_ended THEN COALESCE(start_type, next_start_type) ELSE start_type END AS start_type,
  CASE WHEN is_ended THEN COALESCE(start_reason, next_start_reason) ELSE start_reason END AS start_reason,
  CASE WHEN is_ended THEN COALESCE(service_group, next_service_group) ELSE service_group END AS service_group,
  CASE WHEN NOT pending IS NULL THEN clock_ns ELSE clock_ns - pending_ns END AS start_ns,
  CASE WHEN pending IS NULL THEN clock_ns WHEN is_ended THEN next_ns END AS end_ns,
  CASE WHEN pending IS NULL THEN pending_ns WHEN is_ended THEN CASE WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns,
  CASE WHEN pending IS NULL THEN done WHEN is_ended THEN next_done END AS ended_as,
  CASE
    WHEN pending IS NULL
    THEN CASE WHEN pending_ns IS NULL THEN 'no start' ELSE 'complete' END
    WHEN is_ended
    THEN 'complete'
    WHEN next_state IS NULL
    THEN 'open at the end'
    ELSE 'no stop'
  END AS state
FROM changes
WHERE
  NOT is_end
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  'group',
  group_name,
  NULL,
  NULL,
  NULL,
  NULL,
  NULL,
  CASE WHEN step = 1 THEN clock_ns END,
  end_ns,
  CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END,
  NULL,
  state
FROM group_pairs;

-- view spans
WITH split AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    provider_id,
    provider_name,
    activity_id,
    event_name,
    REGEXP_EXTRACT(event_name, '(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$') AS last_word,
    REGEXP_EXTRACT(event_name, '^(Begin|Start|Enter|End|Stop|Leave)[A-Z]') AS first_word
  FROM event_header
  WHERE
    NOT COALESCE(opcode, 0) IN (1, 2)
    AND event_name RLIKE '(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$|^(Begin|Start|Enter|End|Stop|Leave)[A-Z]'
), named AS (
  SELECT
    *,
    CASE WHEN last_word <> '' THEN last_word ELSE first_word END AS word,
    CASE
      WHEN last_word <> ''
      THEN REGEXP_REPLACE(event_name, '[_ ./]?(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$', '')
      ELSE REGEXP_REPLACE(event_name, '^(Begin|Start|Enter|End|Stop|Leave)', '')
    END AS span
  FROM split
), counted AS (
  SELECT
    trace,
    provider_id,
    span,
    word,
    COUNT(*) AS n
  FROM named
  GROUP BY
    trace,
    provider_id,
    span,
    word
), words AS (
  SELECT
    'Begin' AS begins,
    'End' AS ends
  UNION ALL
  SELECT
    'Start',
    'Stop'
  UNION ALL
  SELECT
    'Start',
    'End'
  UNION ALL
  SELECT
    'Starting',
    'Completed'
  UNION ALL
  SELECT
    'Starting',
    'Complete'
  UNION ALL
  SELECT
    'Started',
    'Finished'
  UNION ALL
  SELECT
    'Started',
    'Completed'
  UNION ALL
  SELECT
    'Start',
    'Complete'
  UNION ALL
  SELECT
    'Start',
    'Completed'
  UNION ALL
  SELECT
    'Start',
    'Finished'
  UNION ALL
  SELECT
    'Enter',
    'Leave'
  UNION ALL
  SELECT
    'Enter',
    'Exit'
  UNION ALL
  SELECT
    'Open',
    'Close'
), used AS (
  SELECT
    trace,
    provider_id,
    span,
    begins,
    ends
  FROM (
    SELECT
      a.trace,
      a.provider_id,
      a.span,
      w.begins,
      w.ends,
      ROW_NUMBER() OVER (PARTITION BY a.trace, a.provider_id, a.span ORDER BY LEAST(a.n, b.n) DESC, w.begins NULLS LAST, w.ends NULLS LAST) AS place
    FROM counted AS a
    JOIN words AS w
      ON w.begins = a.word
    JOIN counted AS b
      ON b.trace = a.trace AND b.provider_id = a.provider_id AND b.span = a.span AND b.word = w.ends
  ) AS found
  WHERE
    place = 1
), marked AS (
  SELECT
    n.*,
    CASE WHEN n.word = u.begins THEN 1 ELSE -1 END AS step
  FROM named AS n
  JOIN used AS u
    ON u.trace = n.trace AND u.provider_id = n.provider_id AND u.span = n.span AND (
      n.word = u.begins OR n.word = u.ends
    )
), lines AS (
  SELECT
    *,
    NOT activity_id IS NULL AND MIN(step) OVER one <> MAX(step) OVER one AS by_activity
  FROM marked
  WINDOW one AS (PARTITION BY trace, process_id, provider_id, span, activity_id)
), steps AS (
  SELECT
    *,
    CASE WHEN by_activity THEN activity_id END AS line,
    CASE WHEN NOT by_activity THEN thread_id END AS own_thread
  FROM lines
), pairs AS (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous,
    CASE WHEN step = -1 THEN thread_id WHEN pair_next = -1 THEN pair_thread_id END AS stop_thread_id
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref,
      LEAD(thread_id) OVER one AS pair_thread_id
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM steps AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, process_id, provider_id, span, line, own_thread ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, process_id, provider_id, span, line, own_thread ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, process_id, provider_id, span, line, own_thread ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (
                    PARTITION BY trace, process_id, provider_id, span, line, own_thread
                    ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                  )
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
)
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  thread_id,
  provider_name,
  span,
  state,
  CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END AS duration_ns,
  end_ns,
  CASE WHEN by_activity THEN 'activity' ELSE 'thread' END AS paired_by,
  by_activity AND ambiguous AS ambiguous,
  activity_id,
  stop_ref
FROM pairs;

-- view tasks
WITH steps AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    task_id,
    'scheduled' AS step,
    creating_task_id,
    NULL AS is_exceptional,
    originating_task_id
  FROM system_threading_tasks_tpleventsource_taskscheduled_send
  UNION
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    task_id,
    'started',
    NULL,
    NULL,
    originating_task_id
  FROM system_threading_tasks_tpleventsource_taskstarted
  UNION
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    task_id,
    'started',
    NULL,
    NULL,
    originating_task_id
  FROM system_threading_tasks_tpleventsource_taskexecute_start
  UNION
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    task_id,
    'completed',
    NULL,
    is_exceptional,
    originating_task_id
  FROM system_threading_tasks_tpleventsource_taskcompleted
  UNION
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    task_id,
    'completed',
    NULL,
    is_exceptional,
    originating_task_id
  FROM system_threading_tasks_tpleventsource_taskexecute_stop
  UNION
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    task_id,
    'wait',
    NULL,
    NULL,
    originating_task_id
  FROM system_threading_tasks_tpleventsource_taskwait_send
  UNION
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    task_id,
    'waited',
    NULL,
    NULL,
    originating_task_id
  FROM system_threading_tasks_tpleventsource_taskwaitend
  UNION
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    processor,
    process_id,
    process_name,
    thread_id,
    task_id,
    'waited',
    NULL,
    NULL,
    originating_task_id
  FROM system_threading_tasks_tpleventsource_taskwait_stop
), turns AS (
  SELECT
    *,
    COUNT(CASE WHEN step = 'scheduled' THEN 1 END) OVER one AS turn,
    ROW_NUMBER() OVER one AS place
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, task_id ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST)
), wait_steps AS (
  SELECT
    trace,
    event_ref,
    clock_ns,
    processor,
    process_id,
    task_id,
    turn,
    originating_task_id,
    CASE step WHEN 'wait' THEN 1 ELSE -1 END AS step
  FROM turns
  WHERE
    step IN ('wait', 'waited')
), paired AS (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' WHEN pair_next = 1 THEN 'no stop' ELSE 'open at the end' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    FALSE AS ambiguous
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref,
      LAG(step) OVER one AS pair_last
    FROM (
      SELECT
        *,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_is_first AND pair_open THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          COALESCE(LAG(clock_ns) OVER turns <> clock_ns, TRUE) AS pair_is_first,
          COALESCE(LAST_VALUE(pair_after) IGNORE NULLS OVER past = 1, FALSE) AS pair_open
        FROM (
          SELECT
            *,
            CASE WHEN NOT pair_tied THEN step WHEN pair_tick_stops = 0 THEN 1 WHEN pair_tick_starts = 0 OR pair_tick_stops > 1 THEN -1 END AS pair_after
          FROM (
            SELECT
              *,
              COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
              MIN(event_ref) OVER key AS pair_key,
              COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
              COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops
            FROM wait_steps AS pair_steps
            WINDOW tick AS (PARTITION BY trace, process_id, task_id, turn, originating_task_id ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, process_id, task_id, turn, originating_task_id ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
          ) AS pair_ticks
        ) AS pair_known
        WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
          PARTITION BY pair_key, trace
          ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN step ELSE 0 END NULLS LAST, event_ref NULLS LAST
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR step = -1 AND COALESCE(pair_last, -1) = -1
), waits AS (
  SELECT
    t.*,
    CASE WHEN p.state = 'complete' THEN CASE WHEN p.end_ns >= p.clock_ns THEN p.end_ns - p.clock_ns END END AS wait_ns
  FROM turns AS t
  LEFT JOIN paired AS p
    ON p.trace = t.trace AND p.event_ref = t.event_ref
), whole AS (
  SELECT
    trace,
    MIN_BY(event_ref, place) FILTER(WHERE
      NOT step IN ('wait', 'waited')) AS event_ref,
    task_id,
    MAX(creating_task_id) AS creating_task_id,
    MIN(CASE WHEN step = 'scheduled' THEN clock_ns END) AS scheduled_ns,
    MIN(CASE WHEN step = 'started' THEN clock_ns END) AS started_ns,
    MIN(CASE WHEN step = 'completed' THEN clock_ns END) AS completed_ns,
    MIN_BY(thread_id, place) FILTER(WHERE
      step = 'started') AS run_thread_id,
    MIN_BY(is_exceptional, place) FILTER(WHERE
      step = 'completed') AS is_exceptional,
    COUNT(CASE WHEN step = 'wait' THEN 1 END) AS waits,
    CAST(SUM(wait_ns) AS BIGINT) AS wait_ns
  FROM waits
  GROUP BY
    trace,
    process_id,
    task_id,
    turn
)
SELECT
  t.trace,
  t.event_ref,
  s.timestamp,
  s.time_ns,
  s.clock_ns,
  s.seconds,
  s.process_id,
  s.process_name,
  s.thread_id,
  t.task_id,
  t.creating_task_id,
  t.scheduled_ns,
  t.started_ns,
  t.completed_ns,
  CASE WHEN t.started_ns >= t.scheduled_ns THEN t.started_ns - t.scheduled_ns END AS queued_ns,
  CASE WHEN t.completed_ns >= t.started_ns THEN t.completed_ns - t.started_ns END AS run_ns,
  t.run_thread_id,
  t.is_exceptional,
  t.waits,
  t.wait_ns,
  e.stack_id
FROM whole AS t
JOIN steps AS s
  ON s.trace = t.trace AND s.event_ref = t.event_ref
LEFT JOIN stack_events AS e
  ON e.trace = t.trace AND e.event_ref = t.event_ref;

-- view thread_pool
WITH steps AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id AS clr_instance_id,
    'runtime' AS logged_by,
    'work item' AS what,
    1 AS is_start,
    TRY_CAST(work_id AS BIGINT) AS work_id
  FROM microsoft_windows_dotnetruntime_threadpool_enqueue
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'runtime',
    'work item',
    0,
    TRY_CAST(work_id AS BIGINT)
  FROM microsoft_windows_dotnetruntime_threadpool_dequeue
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id AS clr_instance_id,
    'runtime' AS logged_by,
    'I/O completion' AS what,
    1 AS is_start,
    TRY_CAST(native_overlapped AS BIGINT) AS work_id
  FROM microsoft_windows_dotnetruntime_threadpool_ioenqueue
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'runtime',
    'I/O completion',
    0,
    TRY_CAST(native_overlapped AS BIGINT)
  FROM microsoft_windows_dotnetruntime_threadpool_iodequeue
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    NULL AS clr_instance_id,
    'framework' AS logged_by,
    'work item' AS what,
    1 AS is_start,
    TRY_CAST(work_id AS BIGINT) AS work_id
  FROM system_diagnostics_eventing_frameworkeventsource_threadpoolenqueuework
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    NULL,
    'framework',
    'work item',
    0,
    TRY_CAST(work_id AS BIGINT)
  FROM system_diagnostics_eventing_frameworkeventsource_threadpooldequeuework
), items AS (
  SELECT
    *,
    LEAD(is_start) OVER one AS next_is_start,
    LEAD(clock_ns) OVER one AS next_ns,
    LEAD(thread_id) OVER one AS next_thread_id
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, logged_by, what, work_id ORDER BY clock_ns NULLS LAST, is_start DESC, event_ref NULLS LAST)
), pool AS (
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'worker started' AS what,
    active_worker_thread_count AS worker_threads,
    retired_worker_thread_count AS retired_threads,
    NULL AS reason,
    NULL AS throughput,
    NULL AS work_id,
    NULL AS wait_ns,
    NULL AS run_thread_id
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_start
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'worker stopped',
    active_worker_thread_count,
    retired_worker_thread_count,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_stop
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'worker waits',
    active_worker_thread_count,
    retired_worker_thread_count,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_wait
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'worker retired',
    active_worker_thread_count,
    retired_worker_thread_count,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_start
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'worker came back',
    active_worker_thread_count,
    retired_worker_thread_count,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_stop
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'working threads',
    count,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkingthreadcount_start
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'adjustment',
    new_worker_thread_count,
    NULL,
    reason_text,
    average_throughput,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_adjustment
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    'throughput',
    NULL,
    NULL,
    NULL,
    throughput,
    NULL,
    NULL,
    NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_sample
  UNION ALL
  SELECT
    trace,
    event_ref,
    timestamp,
    time_ns,
    clock_ns,
    seconds,
    process_id,
    process_name,
    thread_id,
    clr_instance_id,
    what,
    NULL,
    NULL,
    NULL,
    NULL,
    work_id,
    CASE WHEN next_is_start = 0 THEN CASE WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END,
    CASE WHEN next_is_start = 0 THEN next_thread_id END
  FROM items
  WHERE
    is_start = 1
)
SELECT
  p.trace,
  p.event_ref,
  p.timestamp,
  p.time_ns,
  p.clock_ns,
  p.seconds,
  p.process_id,
  p.process_name,
  p.thread_id,
  p.clr_instance_id,
  p.what,
  p.worker_threads,
  p.retired_threads,
  p.reason,
  p.throughput,
  p.work_id,
  p.wait_ns,
  p.run_thread_id,
  e.stack_id
FROM pool AS p
LEFT JOIN stack_events AS e
  ON e.trace = p.trace AND e.event_ref = p.event_ref;

-- view wait_chains
WITH steps AS (
  SELECT
    trace,
    thread_id,
    end_ns AS at_ns,
    0 AS is_question,
    MAX(event_ref) AS event_ref,
    end_ns,
    CAST(NULL AS BIGINT) AS start_ns
  FROM waits
  GROUP BY
    trace,
    thread_id,
    end_ns
  UNION ALL
  SELECT
    trace,
    readied_by_thread_id,
    end_ns - ready_ns,
    1,
    event_ref,
    NULL,
    start_ns
  FROM waits
  WHERE
    NOT readied_from_dpc AND readied_by_thread_id <> 0
), answers AS (
  SELECT
    trace,
    event_ref,
    is_question,
    start_ns,
    MAX(end_ns) OVER before AS last_end_ns,
    MAX_BY(CASE WHEN is_question = 0 THEN event_ref END, end_ns) OVER before AS last_ref
  FROM steps
  WINDOW before AS (PARTITION BY trace, thread_id ORDER BY at_ns NULLS LAST, is_question NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
), links AS (
  SELECT
    trace,
    event_ref,
    last_ref AS next_ref
  FROM answers
  WHERE
    is_question = 1 AND last_end_ns > start_ns
), chains AS (
  SELECT
    w.trace,
    w.event_ref AS ref0,
    a.next_ref AS ref1,
    b.next_ref AS ref2,
    c.next_ref AS ref3,
    d.next_ref AS ref4,
    e.next_ref AS ref5,
    f.next_ref AS ref6,
    g.next_ref AS ref7,
    h.next_ref AS ref8
  FROM waits AS w
  LEFT JOIN links AS a
    ON a.trace = w.trace AND a.event_ref = w.event_ref
  LEFT JOIN links AS b
    ON b.trace = a.trace AND b.event_ref = a.next_ref
  LEFT JOIN links AS c
    ON c.trace = b.trace AND c.event_ref = b.next_ref
  LEFT JOIN links AS d
    ON d.trace = c.trace AND d.event_ref = c.next_ref
  LEFT JOIN links AS e
    ON e.trace = d.trace AND e.event_ref = d.next_ref
  LEFT JOIN links AS f
    ON f.trace = e.trace AND f.event_ref = e.next_ref
  LEFT JOIN links AS g
    ON g.trace = f.trace AND g.event_ref = f.next_ref
  LEFT JOIN links AS h
    ON h.trace = g.trace AND h.event_ref = g.next_ref
), numbered AS (
  SELECT
    *,
    EXPLODE(SEQUENCE(0, 8)) AS step
  FROM chains
), members AS (
  SELECT
    trace,
    ref0 AS root_ref,
    step,
    CASE step WHEN 0 THEN ref0 WHEN 1 THEN ref1 WHEN 2 THEN ref2 WHEN 3 THEN ref3 WHEN 4 THEN ref4 WHEN 5 THEN ref5 WHEN 6 THEN ref6 WHEN 7 THEN ref7 ELSE ref8 END AS event_ref
  FROM numbered
)
SELECT
  m.trace,
  m.root_ref,
  CAST(m.step AS INT) AS step,
  w.event_ref,
  w.timestamp,
  w.time_ns,
  w.clock_ns,
  w.seconds,
  w.process_id,
  w.process_name,
  w.thread_id,
  w.start_ns,
  w.end_ns,
  w.reason,
  w.wait_ns,
  w.readied_by_process_id,
  w.readied_by_process_name,
  w.readied_by_thread_id,
  CASE
    WHEN w.readied_from_dpc
    THEN 'dpc'
    WHEN w.readied_by_thread_id = 0
    THEN 'idle'
    WHEN w.readied_by_thread_id IS NULL
    THEN 'unknown'
    WHEN l.next_ref IS NULL
    THEN 'running'
    WHEN m.step = 8
    THEN 'steps'
  END AS ends_with,
  w.stack_id
FROM members AS m
JOIN waits AS w
  ON w.trace = m.trace AND w.event_ref = m.event_ref
LEFT JOIN links AS l
  ON l.trace = m.trace AND l.event_ref = m.event_ref;

-- view waits
SELECT
  c.trace,
  c.event_ref,
  c.timestamp,
  c.time_ns,
  c.clock_ns,
  c.seconds,
  c.processor,
  c.process_id,
  c.process_name,
  c.thread_id,
  c.clock_ns - c.away_ns AS start_ns,
  c.clock_ns AS end_ns,
  c.waited_for AS reason,
  c.away_ns AS wait_ns,
  c.away_ns - c.ready_ns AS blocked_ns,
  c.ready_ns,
  c.readied_by_process_id,
  c.readied_by_process_name,
  c.readied_by_thread_id,
  c.readied_from_dpc,
  c.ready_ref,
  c.stack_id,
  e.stack_id AS readied_by_stack_id
FROM context_switches AS c
LEFT JOIN stack_events AS e
  ON e.trace = c.trace AND e.event_ref = c.ready_ref
WHERE
  c.away_as = 'Waiting';

-- view web_requests
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  thread_id,
  'ASP.NET Core' AS source,
  CAST('served' AS STRING) AS kind,
  CAST(start_method || ' ' || start_path AS STRING) AS what,
  CAST(NULL AS STRING) AS target,
  CAST(NULL AS BIGINT) AS status,
  CAST(NULL AS BIGINT) AS rows,
  state,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  ambiguous,
  CAST(COALESCE(start_activity_id, stop_of_activity_id) AS STRING) AS activity_id,
  CAST(start_related_activity_id AS STRING) AS parent_activity_id
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous,
    CASE WHEN step = -1 THEN of_activity_id WHEN pair_next = -1 THEN pair_of_activity_id END AS stop_of_activity_id
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref,
      LEAD(of_activity_id) OVER one AS pair_of_activity_id
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      activity_id AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        activity_id
                      ) IS NULL THEN event_ref END AS key_null,
                      activity_id AS start_activity_id,
                      method AS start_method,
                      path AS start_path,
                      related_activity_id AS start_related_activity_id,
                      NULL AS of_activity_id
                    FROM (
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        method,
                        path,
                        process_id,
                        process_name,
                        processor,
                        related_activity_id,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          TRY_CAST(method AS STRING) AS method,
                          TRY_CAST(path AS STRING) AS path,
                          process_id,
                          process_name,
                          processor,
                          related_activity_id,
                          seconds,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM microsoft_aspnetcore_hosting_requeststart
                      ) AS typed
                      UNION
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        method,
                        path,
                        process_id,
                        process_name,
                        processor,
                        related_activity_id,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          TRY_CAST(method AS STRING) AS method,
                          TRY_CAST(path AS STRING) AS path,
                          process_id,
                          process_name,
                          processor,
                          related_activity_id,
                          seconds,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM microsoft_aspnetcore_hosting_request_start
                      ) AS typed
                      UNION
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        method,
                        path,
                        process_id,
                        process_name,
                        processor,
                        related_activity_id,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          TRY_CAST(method AS STRING) AS method,
                          TRY_CAST(path AS STRING) AS path,
                          process_id,
                          process_name,
                          processor,
                          related_activity_id,
                          seconds,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM microsoft_aspnetcore_hosting_3
                      ) AS typed
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      activity_id AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        activity_id
                      ) IS NULL THEN event_ref END AS key_null,
                      NULL AS start_activity_id,
                      NULL AS start_method,
                      NULL AS start_path,
                      NULL AS start_related_activity_id,
                      activity_id AS of_activity_id
                    FROM (
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM microsoft_aspnetcore_hosting_requeststop
                      UNION
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM microsoft_aspnetcore_hosting_request_stop
                      UNION
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM microsoft_aspnetcore_hosting_4
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  thread_id,
  'EntityFrameworkCore' AS source,
  CAST('database' AS STRING) AS kind,
  CAST(TRIM(REGEXP_REPLACE(GET(FILTER(start_arguments, x -> x.key = 'CommandText'), 0).value, '\\s+', ' ')) AS STRING) AS what,
  CAST(GET(FILTER(start_arguments, x -> x.key = 'DataSource'), 0).value AS STRING) AS target,
  CAST(NULL AS BIGINT) AS status,
  CAST(TRY_CAST(GET(FILTER(stop_of_arguments, x -> x.key = 'RecordsAffected'), 0).value AS BIGINT) AS BIGINT) AS rows,
  state,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  ambiguous,
  CAST(COALESCE(start_activity_id, stop_of_activity_id) AS STRING) AS activity_id,
  CAST(start_related_activity_id AS STRING) AS parent_activity_id
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous,
    CASE WHEN step = -1 THEN of_activity_id WHEN pair_next = -1 THEN pair_of_activity_id END AS stop_of_activity_id,
    CASE WHEN step = -1 THEN of_arguments WHEN pair_next = -1 THEN pair_of_arguments END AS stop_of_arguments
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref,
      LEAD(of_activity_id) OVER one AS pair_of_activity_id,
      LEAD(of_arguments) OVER one AS pair_of_arguments
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      activity_id AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        activity_id
                      ) IS NULL THEN event_ref END AS key_null,
                      activity_id AS start_activity_id,
                      arguments AS start_arguments,
                      related_activity_id AS start_related_activity_id,
                      NULL AS of_activity_id,
                      NULL AS of_arguments
                    FROM (
                      SELECT
                        trace,
                        activity_id,
                        arguments,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        related_activity_id,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          TRY_CAST(arguments AS ARRAY<STRUCT<key: STRING, value: STRING>>) AS arguments,
                          clock_ns,
                          event_ref,
                          TRY_CAST(payload_event_name AS STRING) AS payload_event_name,
                          process_id,
                          process_name,
                          processor,
                          related_activity_id,
                          seconds,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM microsoft_diagnostics_diagnosticsource_activity2start
                      ) AS typed
                      WHERE
                        payload_event_name = 'Microsoft.EntityFrameworkCore.Database.Command.CommandExecuting'
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      activity_id AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        activity_id
                      ) IS NULL THEN event_ref END AS key_null,
                      NULL AS start_activity_id,
                      NULL AS start_arguments,
                      NULL AS start_related_activity_id,
                      activity_id AS of_activity_id,
                      arguments AS of_arguments
                    FROM (
                      SELECT
                        trace,
                        activity_id,
                        arguments,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          TRY_CAST(arguments AS ARRAY<STRUCT<key: STRING, value: STRING>>) AS arguments,
                          clock_ns,
                          event_ref,
                          process_id,
                          process_name,
                          processor,
                          seconds,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM microsoft_diagnostics_diagnosticsource_activity2stop
                      ) AS typed
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT
  trace,
  event_ref,
  timestamp,
  time_ns,
  clock_ns,
  seconds,
  process_id,
  process_name,
  thread_id,
  'HttpClient' AS source,
  CAST('made' AS STRING) AS kind,
  CAST(start_scheme || '://' || start_host || ':' || start_port || start_path_and_query AS STRING) AS what,
  CAST(start_host || ':' || start_port AS STRING) AS target,
  CAST(NULLIF(stop_of_status_code, -1) AS BIGINT) AS status,
  CAST(NULL AS BIGINT) AS rows,
  state,
  end_ns,
  (
    CASE WHEN state = 'complete' THEN CASE WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END
  ) AS duration_ns,
  ambiguous,
  CAST(COALESCE(start_activity_id, stop_of_activity_id) AS STRING) AS activity_id,
  CAST(start_related_activity_id AS STRING) AS parent_activity_id
FROM (
  SELECT
    *,
    CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
    CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref,
    CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns,
    step = 1 AND (
      pair_total - pair_low > 1 OR COALESCE(pair_following = 1, FALSE)
    ) AS ambiguous,
    CASE WHEN step = -1 THEN of_activity_id WHEN pair_next = -1 THEN pair_of_activity_id END AS stop_of_activity_id,
    CASE WHEN step = -1 THEN of_status_code WHEN pair_next = -1 THEN pair_of_status_code END AS stop_of_status_code
  FROM (
    SELECT
      *,
      LEAD(step) OVER one AS pair_next,
      LEAD(clock_ns) OVER one AS pair_next_ns,
      LEAD(event_ref) OVER one AS pair_next_ref,
      LEAD(of_activity_id) OVER one AS pair_of_activity_id,
      LEAD(of_status_code) OVER one AS pair_of_status_code
    FROM (
      SELECT
        *,
        CASE
          WHEN step = -1 AND pair_total < pair_low
          THEN -1
          WHEN NOT pair_tied
          THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
          WHEN step = 1
          THEN pair_before - LEAST(pair_before, pair_tick_stops) + pair_place
          WHEN pair_place <= pair_before
          THEN pair_before - pair_place + 1
          ELSE pair_tick_starts - (
            pair_place - pair_before
          ) + 1
        END AS pair_level,
        CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
      FROM (
        SELECT
          *,
          pair_before_total - pair_low AS pair_before
        FROM (
          SELECT
            *,
            LEAST(0, COALESCE(MIN(pair_total) OVER past, 0)) AS pair_low,
            LEAD(step) OVER turns AS pair_following
          FROM (
            SELECT
              *,
              CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
              CASE
                WHEN NOT pair_tied
                THEN pair_row_starts - pair_row_stops
                WHEN step = 1
                THEN pair_before_total + pair_place
                ELSE pair_before_total + pair_tick_starts - pair_place
              END AS pair_total
            FROM (
              SELECT
                *,
                CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
              FROM (
                SELECT
                  *,
                  pair_past_starts - pair_tick_starts AS pair_before_starts,
                  pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
                FROM (
                  SELECT
                    *,
                    COALESCE(MIN(processor) OVER tick <> MAX(processor) OVER tick, FALSE) AS pair_tied,
                    MIN(event_ref) OVER key AS pair_key,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts,
                    COUNT(*) OVER tick - COUNT(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts,
                    COUNT(*) OVER past - COUNT(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops,
                    COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts,
                    COUNT(*) OVER places - COUNT(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
                  FROM (
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp,
                      1 AS step,
                      process_id AS key_0,
                      activity_id AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        activity_id
                      ) IS NULL THEN event_ref END AS key_null,
                      activity_id AS start_activity_id,
                      host AS start_host,
                      path_and_query AS start_path_and_query,
                      port AS start_port,
                      related_activity_id AS start_related_activity_id,
                      scheme AS start_scheme,
                      NULL AS of_activity_id,
                      NULL AS of_status_code
                    FROM (
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        host,
                        path_and_query,
                        port,
                        process_id,
                        process_name,
                        processor,
                        related_activity_id,
                        scheme,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          TRY_CAST(host AS STRING) AS host,
                          TRY_CAST(path_and_query AS STRING) AS path_and_query,
                          TRY_CAST(port AS INT) AS port,
                          process_id,
                          process_name,
                          processor,
                          related_activity_id,
                          TRY_CAST(scheme AS STRING) AS scheme,
                          seconds,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM system_net_http_requeststart
                      ) AS typed
                      UNION
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        host,
                        path_and_query,
                        port,
                        process_id,
                        process_name,
                        processor,
                        related_activity_id,
                        scheme,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          TRY_CAST(host AS STRING) AS host,
                          TRY_CAST(path_and_query AS STRING) AS path_and_query,
                          TRY_CAST(port AS INT) AS port,
                          process_id,
                          process_name,
                          processor,
                          related_activity_id,
                          TRY_CAST(scheme AS STRING) AS scheme,
                          seconds,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM system_net_http_request_start
                      ) AS typed
                      UNION
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        host,
                        path_and_query,
                        port,
                        process_id,
                        process_name,
                        processor,
                        related_activity_id,
                        scheme,
                        seconds,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          TRY_CAST(host AS STRING) AS host,
                          TRY_CAST(path_and_query AS STRING) AS path_and_query,
                          TRY_CAST(port AS INT) AS port,
                          process_id,
                          process_name,
                          processor,
                          related_activity_id,
                          TRY_CAST(scheme AS STRING) AS scheme,
                          seconds,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM system_net_http_1
                      ) AS typed
                    ) AS e
                    UNION ALL
                    SELECT
                      trace,
                      event_ref,
                      clock_ns,
                      processor,
                      process_id,
                      process_name,
                      seconds,
                      thread_id,
                      time_ns,
                      timestamp,
                      -1 AS step,
                      process_id AS key_0,
                      activity_id AS key_1,
                      CASE WHEN (
                        process_id
                      ) IS NULL OR (
                        activity_id
                      ) IS NULL THEN event_ref END AS key_null,
                      NULL AS start_activity_id,
                      NULL AS start_host,
                      NULL AS start_path_and_query,
                      NULL AS start_port,
                      NULL AS start_related_activity_id,
                      NULL AS start_scheme,
                      activity_id AS of_activity_id,
                      status_code AS of_status_code
                    FROM (
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        status_code,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          process_id,
                          process_name,
                          processor,
                          seconds,
                          TRY_CAST(status_code AS INT) AS status_code,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM system_net_http_requeststop
                      ) AS typed
                      UNION
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        status_code,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          process_id,
                          process_name,
                          processor,
                          seconds,
                          TRY_CAST(status_code AS INT) AS status_code,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM system_net_http_request_stop
                      ) AS typed
                      UNION
                      SELECT
                        trace,
                        activity_id,
                        clock_ns,
                        event_ref,
                        process_id,
                        process_name,
                        processor,
                        seconds,
                        status_code,
                        thread_id,
                        time_ns,
                        timestamp
                      FROM (
                        SELECT
                          trace,
                          activity_id,
                          clock_ns,
                          event_ref,
                          process_id,
                          process_name,
                          processor,
                          seconds,
                          TRY_CAST(status_code AS INT) AS status_code,
                          thread_id,
                          time_ns,
                          timestamp
                        FROM system_net_http_2
                      ) AS typed
                    ) AS e
                  ) AS pair_steps
                  WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns NULLS LAST, event_ref NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
                ) AS pair_ticks
              ) AS pair_befores
            ) AS pair_places
          ) AS pair_totals
          WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST), past AS (
            PARTITION BY pair_key, trace
            ORDER BY clock_ns NULLS LAST, CASE WHEN pair_tied THEN -step ELSE 0 END NULLS LAST, event_ref NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          )
        ) AS pair_lows
      ) AS pair_opens
    ) AS pair_levels
    WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns NULLS LAST, pair_class NULLS LAST, event_ref NULLS LAST)
  ) AS pair_ends
  WHERE
    step = 1 OR pair_level = -1
) AS e;

-- view what_stands_out
WITH spans AS (
  SELECT
    trace,
    NULLIF(CAST(MAX(end_ns) - MIN(start_ns) AS DOUBLE), 0) AS span_ns,
    MAX(events) AS events
  FROM traces
  GROUP BY
    trace
), hits AS (
  SELECT
    trace,
    process_id,
    process_name,
    CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind,
    COALESCE(module, '') AS module,
    COALESCE(function, '') AS function,
    COUNT(*) AS samples,
    CAST(SUM(interval_ns) AS BIGINT) AS ns
  FROM cpu_samples
  GROUP BY
    trace,
    process_id,
    process_name,
    CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END,
    COALESCE(module, ''),
    COALESCE(function, '')
), spent AS (
  SELECT
    *,
    COALESCE(ns, samples) AS v,
    CASE WHEN ns IS NULL THEN 'samples' ELSE 'ns' END AS unit
  FROM hits
), used AS (
  SELECT
    trace,
    MAX(unit) AS unit,
    CAST(SUM(v) AS BIGINT) AS whole,
    CAST(SUM(CASE WHEN kind <> 'idle' THEN v ELSE 0 END) AS BIGINT) AS busy,
    CAST(SUM(CASE WHEN kind IN ('dpc', 'isr') THEN v ELSE 0 END) AS BIGINT) AS interrupts
  FROM spent
  GROUP BY
    trace
), busiest AS (
  SELECT
    trace,
    process_id,
    process_name,
    CAST(SUM(v) AS BIGINT) AS v,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY SUM(v) DESC, COALESCE(process_name, '') NULLS LAST, process_id NULLS LAST) AS place
  FROM spent
  WHERE
    kind = 'thread'
  GROUP BY
    trace,
    process_id,
    process_name
), hottest AS (
  SELECT
    trace,
    process_id,
    process_name,
    module,
    function,
    CAST(SUM(v) AS BIGINT) AS v,
    ROW_NUMBER() OVER (PARTITION BY trace, process_id, process_name ORDER BY SUM(v) DESC, module NULLS LAST, function NULLS LAST) AS place
  FROM spent
  WHERE
    kind = 'thread'
  GROUP BY
    trace,
    process_id,
    process_name,
    module,
    function
), pauses AS (
  SELECT
    trace,
    process_id,
    process_name,
    COUNT(*) AS n,
    CAST(SUM(pause_ns) AS BIGINT) AS v,
    MAX(pause_ns) AS longest,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY SUM(pause_ns) DESC, COALESCE(process_name, '') NULLS LAST, process_id NULLS LAST) AS place
  FROM gc_pauses
  WHERE
    is_gc AND NOT pause_ns IS NULL
  GROUP BY
    trace,
    process_id,
    process_name
), compiled AS (
  SELECT
    trace,
    process_id,
    process_name,
    time_ns,
    method,
    jit_ns AS v,
    COUNT(*) OVER (PARTITION BY trace, process_id, process_name) AS n,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY jit_ns DESC, COALESCE(method, '') NULLS LAST, event_ref NULLS LAST) AS place
  FROM jit
  WHERE
    NOT jit_ns IS NULL
), thrown AS (
  SELECT
    trace,
    process_id,
    process_name,
    exception_type,
    COUNT(*) AS v,
    MIN(time_ns) AS start_ns,
    CAST(SUM(COUNT(*)) OVER (PARTITION BY trace, process_id, process_name) AS BIGINT) AS n,
    ROW_NUMBER() OVER (PARTITION BY trace, process_id, process_name ORDER BY COUNT(*) DESC, COALESCE(exception_type, '') NULLS LAST) AS place
  FROM exceptions
  GROUP BY
    trace,
    process_id,
    process_name,
    exception_type
), locks AS (
  SELECT
    trace,
    process_id,
    process_name,
    COUNT(*) AS n,
    CAST(SUM(wait_ns) AS BIGINT) AS v
  FROM contention
  WHERE
    NOT wait_ns IS NULL
  GROUP BY
    trace,
    process_id,
    process_name
), allocated AS (
  SELECT
    trace,
    process_id,
    process_name,
    type_name,
    CAST(SUM(bytes) AS BIGINT) AS v,
    CAST(SUM(SUM(bytes)) OVER (PARTITION BY trace, process_id, process_name) AS BIGINT) AS whole,
    ROW_NUMBER() OVER (PARTITION BY trace, process_id, process_name ORDER BY SUM(bytes) DESC, COALESCE(type_name, '') NULLS LAST) AS place
  FROM allocations
  WHERE
    source = 'tick' AND NOT bytes IS NULL
  GROUP BY
    trace,
    process_id,
    process_name,
    type_name
), longest AS (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY wait_ns DESC, COALESCE(process_name, '') NULLS LAST, thread_id NULLS LAST, event_ref NULLS LAST) AS place
  FROM waits
), slowest AS (
  SELECT
    *,
    COUNT(*) OVER (PARTITION BY trace) AS n,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY duration_ns DESC, COALESCE(url, '') NULLS LAST, event_ref NULLS LAST) AS place
  FROM http_requests
  WHERE
    NOT duration_ns IS NULL
), statuses AS (
  SELECT
    trace,
    status,
    COUNT(*) AS v,
    CAST(SUM(COUNT(*)) OVER (PARTITION BY trace) AS BIGINT) AS n,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY CASE WHEN status >= 400 THEN 0 ELSE 1 END NULLS LAST, COUNT(*) DESC, status NULLS LAST) AS place
  FROM http_requests
  WHERE
    NOT status IS NULL
  GROUP BY
    trace,
    status
), slow_activities AS (
  SELECT
    *,
    COUNT(*) OVER (PARTITION BY trace) AS n,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY duration_ns DESC, COALESCE(activity, '') NULLS LAST, event_ref NULLS LAST) AS place
  FROM activities
  WHERE
    state = 'complete'
), read_files AS (
  SELECT
    trace,
    file_name,
    COUNT(*) AS n,
    CAST(SUM(duration_ns) AS BIGINT) AS v,
    CAST(SUM(SUM(duration_ns)) OVER (PARTITION BY trace) AS BIGINT) AS whole,
    CAST(SUM(COUNT(*)) OVER (PARTITION BY trace) AS BIGINT) AS all_n,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY SUM(duration_ns) DESC, COALESCE(file_name, '') NULLS LAST) AS place
  FROM page_faults
  WHERE
    kind = 'hard' AND NOT duration_ns IS NULL
  GROUP BY
    trace,
    file_name
), disk_files AS (
  SELECT
    trace,
    file_name,
    COUNT(*) AS n,
    CAST(SUM(disk_ns) AS BIGINT) AS v,
    CAST(SUM(SUM(disk_ns)) OVER (PARTITION BY trace) AS BIGINT) AS whole,
    CAST(SUM(COUNT(*)) OVER (PARTITION BY trace) AS BIGINT) AS all_n,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY SUM(disk_ns) DESC, COALESCE(file_name, '') NULLS LAST) AS place
  FROM disk_io
  WHERE
    NOT disk_ns IS NULL
  GROUP BY
    trace,
    file_name
), logged AS (
  SELECT
    trace,
    COALESCE(provider_id, '') AS provider_id,
    COALESCE(provider_name, provider_id, '?') AS provider,
    CAST(SUM(events) AS BIGINT) AS v,
    MIN(first_event) AS first_event,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY SUM(events) DESC, COALESCE(provider_name, provider_id, '?') NULLS LAST, COALESCE(provider_id, '') NULLS LAST) AS place
  FROM event_types
  WHERE
    level BETWEEN 1 AND 2 AND COALESCE(provider_id, '') <> 'e13c0d23-ccbc-4e12-931b-d9cc2eee27e4'
  GROUP BY
    trace,
    COALESCE(provider_id, ''),
    COALESCE(provider_name, provider_id, '?')
), raw AS (
  SELECT
    trace,
    COALESCE(provider_id, '') AS provider_id,
    COALESCE(provider_name, provider_id, '?') AS provider,
    CAST(SUM(payloads_raw + payloads_in_part) AS BIGINT) AS v,
    CAST(SUM(SUM(payloads_raw + payloads_in_part)) OVER (PARTITION BY trace) AS BIGINT) AS missing,
    CAST(SUM(SUM(payloads_raw + payloads_in_part + payloads_whole)) OVER (PARTITION BY trace) AS BIGINT) AS n,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY SUM(payloads_raw + payloads_in_part) DESC, COALESCE(provider_name, provider_id, '?') NULLS LAST, COALESCE(provider_id, '') NULLS LAST) AS place
  FROM event_types
  GROUP BY
    trace,
    COALESCE(provider_id, ''),
    COALESCE(provider_name, provider_id, '?')
), gaps AS (
  SELECT
    trace,
    COUNT(*) AS n,
    CAST(SUM(lost) AS BIGINT) AS v,
    MAX(duration_ns) AS longest,
    MIN(start_ns) AS start_ns
  FROM lost_time
  WHERE
    kind = 'samples'
  GROUP BY
    trace
), failures AS (
  SELECT
    trace,
    code,
    MIN(message) AS message,
    CAST(SUM(count) AS BIGINT) AS v
  FROM problems
  WHERE
    severity = 'error'
  GROUP BY
    trace,
    code
), found AS (
  SELECT
    trace,
    'processor' AS kind,
    'info' AS severity,
    CAST(80 AS DOUBLE) AS weight,
    busy AS value,
    unit AS unit,
    CAST(CAST(busy AS DOUBLE) / whole AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    'The processors were busy ' || CASE
      WHEN CAST(busy AS DOUBLE) / whole < 0.0005
      THEN 'less than 0.1 %'
      WHEN CAST(busy AS DOUBLE) / whole < 0.0995
      THEN CAST(CAST(100 * (
        CAST(busy AS DOUBLE) / whole
      ) AS DECIMAL(18, 1)) AS STRING) || ' %'
      ELSE CAST(CAST(100 * (
        CAST(busy AS DOUBLE) / whole
      ) AS DECIMAL(18, 0)) AS STRING) || ' %'
    END || ' of the time (' || CASE unit
      WHEN 'ns'
      THEN CASE
        WHEN busy < 9995000
        THEN CAST(CAST(busy / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN busy < 999500000
        THEN CAST(CAST(busy / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN busy < 599950000000
        THEN CAST(CAST(busy / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE FORMAT_NUMBER(busy, 0)
    END || ' of ' || CASE unit
      WHEN 'ns'
      THEN CASE
        WHEN whole < 9995000
        THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN whole < 999500000
        THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN whole < 599950000000
        THEN CAST(CAST(whole / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE CASE WHEN whole = 1 THEN '1 sample' ELSE FORMAT_NUMBER(whole, 0) || ' samples' END
    END || ')' AS finding,
    CASE unit
      WHEN 'ns'
      THEN 'SELECT CAST(sum(CASE WHEN kind <> ~idle~ THEN cpu_ns ELSE 0 END) AS BIGINT) AS busy_ns, CAST(sum(cpu_ns) AS BIGINT) AS all_ns FROM cpu_usage WHERE trace = {trace}'
      ELSE 'SELECT CAST(sum(CASE WHEN kind <> ~idle~ THEN samples ELSE 0 END) AS BIGINT) AS busy, CAST(sum(samples) AS BIGINT) AS samples FROM cpu_usage WHERE trace = {trace}'
    END AS sql
  FROM used
  WHERE
    busy < whole AND busy > 0
  UNION ALL
  SELECT
    trace,
    'processor' AS kind,
    'info' AS severity,
    CAST(79 - 2 * place AS DOUBLE) AS weight,
    v AS value,
    unit AS unit,
    CAST(CAST(v AS DOUBLE) / busy AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    COALESCE(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' used ' || CASE
      WHEN CAST(v AS DOUBLE) / busy < 0.0005
      THEN 'less than 0.1 %'
      WHEN CAST(v AS DOUBLE) / busy < 0.0995
      THEN CAST(CAST(100 * (
        CAST(v AS DOUBLE) / busy
      ) AS DECIMAL(18, 1)) AS STRING) || ' %'
      ELSE CAST(CAST(100 * (
        CAST(v AS DOUBLE) / busy
      ) AS DECIMAL(18, 0)) AS STRING) || ' %'
    END || ' of the processor time (' || CASE unit
      WHEN 'ns'
      THEN CASE
        WHEN v < 9995000
        THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN v < 999500000
        THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN v < 599950000000
        THEN CAST(CAST(v / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(v / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE FORMAT_NUMBER(v, 0)
    END || ' of ' || CASE unit
      WHEN 'ns'
      THEN CASE
        WHEN busy < 9995000
        THEN CAST(CAST(busy / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN busy < 999500000
        THEN CAST(CAST(busy / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN busy < 599950000000
        THEN CAST(CAST(busy / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE CASE WHEN busy = 1 THEN '1 sample' ELSE FORMAT_NUMBER(busy, 0) || ' samples' END
    END || ')' AS finding,
    CASE unit
      WHEN 'ns'
      THEN 'SELECT CAST(sum(cpu_ns) AS BIGINT) AS used_ns, process_id, process_name FROM cpu_usage WHERE trace = {trace} AND kind = ~thread~ GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, used_ns DESC, process_name'
      ELSE 'SELECT CAST(sum(samples) AS BIGINT) AS used, process_id, process_name FROM cpu_usage WHERE trace = {trace} AND kind = ~thread~ GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, used DESC, process_name'
    END AS sql
  FROM (
    SELECT
      b.*,
      u.unit,
      u.busy
    FROM busiest AS b
    JOIN used AS u
      ON u.trace = b.trace
    WHERE
      b.place <= 3 AND b.v >= 0.1 * u.busy
  ) AS p
  WHERE
    TRUE
  UNION ALL
  SELECT
    trace,
    'function' AS kind,
    'info' AS severity,
    CAST(78 - 2 * process_place AS DOUBLE) AS weight,
    v AS value,
    unit AS unit,
    CAST(CAST(v AS DOUBLE) / whole AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    'In ' || COALESCE(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ', ' || CASE
      WHEN CAST(v AS DOUBLE) / whole < 0.0005
      THEN 'less than 0.1 %'
      WHEN CAST(v AS DOUBLE) / whole < 0.0995
      THEN CAST(CAST(100 * (
        CAST(v AS DOUBLE) / whole
      ) AS DECIMAL(18, 1)) AS STRING) || ' %'
      ELSE CAST(CAST(100 * (
        CAST(v AS DOUBLE) / whole
      ) AS DECIMAL(18, 0)) AS STRING) || ' %'
    END || ' of the processor time was in ' || CASE
      WHEN module = '' AND function = ''
      THEN 'code of no known image'
      WHEN function = ''
      THEN module || ', whose functions have no names here'
      WHEN module = ''
      THEN function
      ELSE module || '!' || function
    END || ' (' || CASE unit
      WHEN 'ns'
      THEN CASE
        WHEN v < 9995000
        THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN v < 999500000
        THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN v < 599950000000
        THEN CAST(CAST(v / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(v / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE FORMAT_NUMBER(v, 0)
    END || ' of ' || CASE unit
      WHEN 'ns'
      THEN CASE
        WHEN whole < 9995000
        THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN whole < 999500000
        THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN whole < 599950000000
        THEN CAST(CAST(whole / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE CASE WHEN whole = 1 THEN '1 sample' ELSE FORMAT_NUMBER(whole, 0) || ' samples' END
    END || ')' AS finding,
    CASE unit
      WHEN 'ns'
      THEN 'SELECT exclusive_ns, module, function, inclusive_ns FROM hot_functions WHERE trace = {trace} AND {process} AND kind = ~thread~ ORDER BY exclusive_ns DESC, module, function'
      ELSE 'SELECT exclusive_samples, module, function, inclusive_samples FROM hot_functions WHERE trace = {trace} AND {process} AND kind = ~thread~ ORDER BY exclusive_samples DESC, module, function'
    END AS sql
  FROM (
    SELECT
      h.*,
      u.unit,
      b.v AS whole,
      b.place AS process_place
    FROM hottest AS h
    JOIN used AS u
      ON u.trace = h.trace
    JOIN busiest AS b
      ON b.trace = h.trace AND COALESCE(b.process_id, -1) = COALESCE(h.process_id, -1) AND COALESCE(b.process_name, '') = COALESCE(h.process_name, '')
    WHERE
      h.place = 1 AND b.place <= 3 AND b.v >= 0.1 * u.busy AND h.v >= 0.1 * b.v
  ) AS f
  WHERE
    TRUE
  UNION ALL
  SELECT
    trace,
    'interrupts' AS kind,
    'warning' AS severity,
    CAST(72 AS DOUBLE) AS weight,
    interrupts AS value,
    unit AS unit,
    CAST(CAST(interrupts AS DOUBLE) / busy AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    'Interrupts and deferred procedure calls used ' || CASE
      WHEN CAST(interrupts AS DOUBLE) / busy < 0.0005
      THEN 'less than 0.1 %'
      WHEN CAST(interrupts AS DOUBLE) / busy < 0.0995
      THEN CAST(CAST(100 * (
        CAST(interrupts AS DOUBLE) / busy
      ) AS DECIMAL(18, 1)) AS STRING) || ' %'
      ELSE CAST(CAST(100 * (
        CAST(interrupts AS DOUBLE) / busy
      ) AS DECIMAL(18, 0)) AS STRING) || ' %'
    END || ' of the processor time (' || CASE unit
      WHEN 'ns'
      THEN CASE
        WHEN interrupts < 9995000
        THEN CAST(CAST(interrupts / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN interrupts < 999500000
        THEN CAST(CAST(interrupts / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN interrupts < 599950000000
        THEN CAST(CAST(interrupts / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(interrupts / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE FORMAT_NUMBER(interrupts, 0)
    END || ' of ' || CASE unit
      WHEN 'ns'
      THEN CASE
        WHEN busy < 9995000
        THEN CAST(CAST(busy / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN busy < 999500000
        THEN CAST(CAST(busy / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN busy < 599950000000
        THEN CAST(CAST(busy / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE CASE WHEN busy = 1 THEN '1 sample' ELSE FORMAT_NUMBER(busy, 0) || ' samples' END
    END || ')' AS finding,
    CASE unit
      WHEN 'ns'
      THEN 'SELECT CAST(sum(cpu_ns) AS BIGINT) AS used_ns FROM cpu_usage WHERE trace = {trace} AND kind IN (~dpc~, ~isr~)'
      ELSE 'SELECT CAST(sum(samples) AS BIGINT) AS used FROM cpu_usage WHERE trace = {trace} AND kind IN (~dpc~, ~isr~)'
    END AS sql
  FROM used
  WHERE
    interrupts >= 0.1 * busy AND interrupts > 0
  UNION ALL
  SELECT
    trace,
    'wait' AS kind,
    'info' AS severity,
    CAST(70 - 0.1 * place AS DOUBLE) AS weight,
    wait_ns AS value,
    'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(start_ns AS BIGINT) AS start_ns,
    'Thread ' || CAST(thread_id AS STRING) || ' of ' || COALESCE(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' waited ' || CASE
      WHEN wait_ns < 9995000
      THEN CAST(CAST(wait_ns / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
      WHEN wait_ns < 999500000
      THEN CAST(CAST(wait_ns / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
      WHEN wait_ns < 599950000000
      THEN CAST(CAST(wait_ns / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
      ELSE CAST(CAST(wait_ns / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
    END || COALESCE(' (' || reason || ')', '') || CASE
      WHEN readied_from_dpc
      THEN ', until a device or a timer ended the wait'
      WHEN NOT readied_by_thread_id IS NULL
      THEN ', until thread ' || CAST(readied_by_thread_id AS STRING) || COALESCE(' of ' || readied_by_process_name, '') || ' made it ready'
      ELSE ''
    END AS finding,
    'SELECT wait_ns, process_name, thread_id, reason, readied_by_process_name, readied_by_thread_id, readied_from_dpc, seconds, stack_id FROM waits WHERE trace = {trace} AND wait_ns <= {value} ORDER BY wait_ns DESC, event_ref' AS sql
  FROM longest
  WHERE
    place <= 3 AND NOT thread_id IS NULL AND wait_ns >= 1000000
  UNION ALL
  SELECT
    trace,
    'request' AS kind,
    CASE WHEN duration_ns >= 1000000000 THEN 'warning' ELSE 'info' END AS severity,
    CAST(68 AS DOUBLE) AS weight,
    duration_ns AS value,
    'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(time_ns AS BIGINT) AS start_ns,
    CASE WHEN n = 1 THEN 'The only HTTP request' ELSE 'The slowest of ' || FORMAT_NUMBER(n, 0) || ' HTTP requests' END || ' took ' || CASE
      WHEN duration_ns < 9995000
      THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
      WHEN duration_ns < 999500000
      THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
      WHEN duration_ns < 599950000000
      THEN CAST(CAST(duration_ns / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
      ELSE CAST(CAST(duration_ns / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
    END || COALESCE(': ' || COALESCE(method || ' ', '') || SUBSTRING(url, 1, 200), '') || COALESCE(' (status ' || CAST(status AS STRING) || ')', '') AS finding,
    'SELECT duration_ns, method, url, status, process_name, seconds FROM http_requests WHERE trace = {trace} AND duration_ns IS NOT NULL ORDER BY duration_ns DESC, url' AS sql
  FROM slowest
  WHERE
    place = 1
  UNION ALL
  SELECT
    trace,
    'status' AS kind,
    'warning' AS severity,
    CAST(67 AS DOUBLE) AS weight,
    v AS value,
    'requests' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    FORMAT_NUMBER(v, 0) || ' of ' || CASE WHEN n = 1 THEN '1 HTTP request' ELSE FORMAT_NUMBER(n, 0) || ' HTTP requests' END || ' ended with status ' || CAST(status AS STRING) AS finding,
    'SELECT count(*) AS requests, status FROM http_requests WHERE trace = {trace} AND status >= 400 GROUP BY status ORDER BY requests DESC, status' AS sql
  FROM statuses
  WHERE
    place = 1 AND status >= 400
  UNION ALL
  SELECT
    trace,
    'errors' AS kind,
    'warning' AS severity,
    CAST(66 - 0.1 * place AS DOUBLE) AS weight,
    v AS value,
    'events' AS unit,
    CAST(NULL AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    provider || ' logged ' || CASE WHEN v = 1 THEN '1 error' ELSE FORMAT_NUMBER(v, 0) || ' errors' END AS finding,
    'SELECT CAST(sum(events) AS BIGINT) AS errors, provider_name, min(first_event) AS first_event FROM event_types WHERE trace = {trace} AND level BETWEEN 1 AND 2 GROUP BY provider_id, provider_name ORDER BY CASE WHEN coalesce(provider_id, ~~) = ~' || provider_id || '~ THEN 0 ELSE 1 END, errors DESC, provider_name' AS sql
  FROM logged
  WHERE
    place <= 5
  UNION ALL
  SELECT
    trace,
    'exceptions' AS kind,
    'info' AS severity,
    CAST(64 - 0.1 * process_place AS DOUBLE) AS weight,
    v AS value,
    'exceptions' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(start_ns AS BIGINT) AS start_ns,
    COALESCE(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' threw ' || COALESCE(exception_type, 'exceptions without a type') || CASE WHEN v = 1 THEN ' once' ELSE ' ' || FORMAT_NUMBER(v, 0) || ' times' END || CASE WHEN n > v THEN ' (of ' || FORMAT_NUMBER(n, 0) || ' exceptions)' ELSE '' END AS finding,
    'SELECT count(*) AS exceptions, exception_type, min(exception_message) AS a_message, min(seconds) AS first_seconds FROM exceptions WHERE trace = {trace} AND {process} GROUP BY exception_type ORDER BY exceptions DESC, exception_type' AS sql
  FROM (
    SELECT
      *,
      ROW_NUMBER() OVER (PARTITION BY trace ORDER BY n DESC, COALESCE(process_name, '') NULLS LAST, process_id NULLS LAST) AS process_place
    FROM thrown
    WHERE
      place = 1
  ) AS x
  WHERE
    process_place <= 3
  UNION ALL
  SELECT
    trace,
    'collection' AS kind,
    CASE WHEN share >= 0.1 OR longest >= 200000000 THEN 'warning' ELSE 'info' END AS severity,
    CAST(62 + 30 * LEAST(COALESCE(share, 0), 1) - 0.1 * place AS DOUBLE) AS weight,
    v AS value,
    'ns' AS unit,
    CAST(share AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    'Garbage collection stopped ' || COALESCE(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' for ' || CASE
      WHEN v < 9995000
      THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
      WHEN v < 999500000
      THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
      WHEN v < 599950000000
      THEN CAST(CAST(v / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
      ELSE CAST(CAST(v / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
    END || COALESCE(
      ' (' || CASE
        WHEN share < 0.0005
        THEN 'less than 0.1 %'
        WHEN share < 0.0995
        THEN CAST(CAST(100 * (
          share
        ) AS DECIMAL(18, 1)) AS STRING) || ' %'
        ELSE CAST(CAST(100 * (
          share
        ) AS DECIMAL(18, 0)) AS STRING) || ' %'
      END || ' of the time)',
      ''
    ) || ', in ' || CASE WHEN n = 1 THEN '1 pause' ELSE FORMAT_NUMBER(n, 0) || ' pauses' END || CASE
      WHEN n > 1
      THEN ', of which the longest took ' || CASE
        WHEN longest < 9995000
        THEN CAST(CAST(longest / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN longest < 999500000
        THEN CAST(CAST(longest / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN longest < 599950000000
        THEN CAST(CAST(longest / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(longest / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END
      ELSE ''
    END AS finding,
    'SELECT CAST(sum(pause_ns) AS BIGINT) AS paused_ns, count(*) AS pauses, max(pause_ns) AS longest_ns, process_id, process_name FROM gc_pauses WHERE trace = {trace} AND is_gc AND pause_ns IS NOT NULL GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, paused_ns DESC, process_name' AS sql
  FROM (
    SELECT
      p.*,
      p.v / s.span_ns AS share
    FROM pauses AS p
    LEFT JOIN spans AS s
      ON s.trace = p.trace
  ) AS g
  WHERE
    place <= 3
  UNION ALL
  SELECT
    trace,
    'compilation' AS kind,
    'info' AS severity,
    CAST(60 AS DOUBLE) AS weight,
    v AS value,
    'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(time_ns AS BIGINT) AS start_ns,
    COALESCE(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' compiled ' || CASE WHEN n = 1 THEN '1 method' ELSE FORMAT_NUMBER(n, 0) || ' methods' END || ' while it ran, of which ' || COALESCE(method, 'the slowest') || ' took longest: ' || CASE
      WHEN v < 9995000
      THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
      WHEN v < 999500000
      THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
      WHEN v < 599950000000
      THEN CAST(CAST(v / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
      ELSE CAST(CAST(v / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
    END AS finding,
    'SELECT jit_ns, method, tier, il_bytes, native_bytes, process_name, seconds FROM jit WHERE trace = {trace} AND jit_ns IS NOT NULL ORDER BY jit_ns DESC, method' AS sql
  FROM compiled
  WHERE
    place = 1 AND n > 1
  UNION ALL
  SELECT
    trace,
    'faults' AS kind,
    'info' AS severity,
    CAST(58 AS DOUBLE) AS weight,
    CASE WHEN v >= 0.1 * whole THEN v ELSE whole END AS value,
    'ns' AS unit,
    CAST(CASE WHEN v >= 0.1 * whole THEN CAST(v AS DOUBLE) / whole END AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    CASE
      WHEN v >= 0.1 * whole
      THEN 'Hard page faults that read ' || COALESCE(file_name, 'unnamed files') || ' took ' || CASE
        WHEN v < 9995000
        THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN v < 999500000
        THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN v < 599950000000
        THEN CAST(CAST(v / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(v / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END || CASE
        WHEN v < whole
        THEN ' (' || CASE
          WHEN CAST(v AS DOUBLE) / whole < 0.0005
          THEN 'less than 0.1 %'
          WHEN CAST(v AS DOUBLE) / whole < 0.0995
          THEN CAST(CAST(100 * (
            CAST(v AS DOUBLE) / whole
          ) AS DECIMAL(18, 1)) AS STRING) || ' %'
          ELSE CAST(CAST(100 * (
            CAST(v AS DOUBLE) / whole
          ) AS DECIMAL(18, 0)) AS STRING) || ' %'
        END || ' of the ' || CASE
          WHEN whole < 9995000
          THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
          WHEN whole < 999500000
          THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
          WHEN whole < 599950000000
          THEN CAST(CAST(whole / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
          ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
        END || ' of all)'
        ELSE ''
      END || ', in ' || FORMAT_NUMBER(n, 0) || CASE WHEN n = 1 THEN ' transfer' ELSE ' transfers' END
      ELSE 'Hard page faults took ' || CASE
        WHEN whole < 9995000
        THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN whole < 999500000
        THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN whole < 599950000000
        THEN CAST(CAST(whole / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END || ', in ' || CASE WHEN all_n = 1 THEN '1 transfer' ELSE FORMAT_NUMBER(all_n, 0) || ' transfers' END || ' of many files'
    END AS finding,
    CASE
      WHEN v >= 0.1 * whole
      THEN 'SELECT CAST(sum(duration_ns) AS BIGINT) AS total_ns, count(*) AS transfers, file_name FROM page_faults WHERE trace = {trace} AND kind = ~hard~ AND duration_ns IS NOT NULL GROUP BY file_name ORDER BY total_ns DESC, file_name'
      ELSE 'SELECT CAST(sum(duration_ns) AS BIGINT) AS total_ns, count(*) AS transfers FROM page_faults WHERE trace = {trace} AND kind = ~hard~ AND duration_ns IS NOT NULL'
    END AS sql
  FROM read_files
  WHERE
    place = 1 AND v > 0
  UNION ALL
  SELECT
    trace,
    'disk' AS kind,
    'info' AS severity,
    CAST(56 AS DOUBLE) AS weight,
    CASE WHEN v >= 0.1 * whole THEN v ELSE whole END AS value,
    'ns' AS unit,
    CAST(CASE WHEN v >= 0.1 * whole THEN CAST(v AS DOUBLE) / whole END AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    CASE
      WHEN v >= 0.1 * whole
      THEN 'The disk for ' || COALESCE(file_name, 'unnamed files') || ' took ' || CASE
        WHEN v < 9995000
        THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN v < 999500000
        THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN v < 599950000000
        THEN CAST(CAST(v / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(v / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END || CASE
        WHEN v < whole
        THEN ' (' || CASE
          WHEN CAST(v AS DOUBLE) / whole < 0.0005
          THEN 'less than 0.1 %'
          WHEN CAST(v AS DOUBLE) / whole < 0.0995
          THEN CAST(CAST(100 * (
            CAST(v AS DOUBLE) / whole
          ) AS DECIMAL(18, 1)) AS STRING) || ' %'
          ELSE CAST(CAST(100 * (
            CAST(v AS DOUBLE) / whole
          ) AS DECIMAL(18, 0)) AS STRING) || ' %'
        END || ' of the ' || CASE
          WHEN whole < 9995000
          THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
          WHEN whole < 999500000
          THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
          WHEN whole < 599950000000
          THEN CAST(CAST(whole / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
          ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
        END || ' of all)'
        ELSE ''
      END || ', in ' || FORMAT_NUMBER(n, 0) || CASE WHEN n = 1 THEN ' transfer' ELSE ' transfers' END
      ELSE 'The disks took ' || CASE
        WHEN whole < 9995000
        THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
        WHEN whole < 999500000
        THEN CAST(CAST(whole / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
        WHEN whole < 599950000000
        THEN CAST(CAST(whole / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
        ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
      END || ', in ' || CASE WHEN all_n = 1 THEN '1 transfer' ELSE FORMAT_NUMBER(all_n, 0) || ' transfers' END || ' of many files'
    END AS finding,
    CASE
      WHEN v >= 0.1 * whole
      THEN 'SELECT CAST(sum(disk_ns) AS BIGINT) AS total_ns, count(*) AS transfers, file_name FROM disk_io WHERE trace = {trace} AND disk_ns IS NOT NULL GROUP BY file_name ORDER BY total_ns DESC, file_name'
      ELSE 'SELECT CAST(sum(disk_ns) AS BIGINT) AS total_ns, count(*) AS transfers FROM disk_io WHERE trace = {trace} AND disk_ns IS NOT NULL'
    END AS sql
  FROM disk_files
  WHERE
    place = 1 AND v > 0
  UNION ALL
  SELECT
    trace,
    'locks' AS kind,
    'info' AS severity,
    CAST(54 - 0.1 * place AS DOUBLE) AS weight,
    v AS value,
    'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    'Threads of ' || COALESCE(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' waited ' || CASE
      WHEN v < 9995000
      THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
      WHEN v < 999500000
      THEN CAST(CAST(v / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
      WHEN v < 599950000000
      THEN CAST(CAST(v / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
      ELSE CAST(CAST(v / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
    END || ' for locks of .NET, in ' || CASE WHEN n = 1 THEN '1 wait' ELSE FORMAT_NUMBER(n, 0) || ' waits' END AS finding,
    'SELECT CAST(sum(wait_ns) AS BIGINT) AS waited_ns, count(*) AS waits, max(wait_ns) AS longest_ns, process_id, process_name FROM contention WHERE trace = {trace} AND wait_ns IS NOT NULL GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, waited_ns DESC, process_name' AS sql
  FROM (
    SELECT
      *,
      ROW_NUMBER() OVER (PARTITION BY trace ORDER BY v DESC, COALESCE(process_name, '') NULLS LAST, process_id NULLS LAST) AS place
    FROM locks
  ) AS l
  WHERE
    place <= 3 AND v >= 1000000
  UNION ALL
  SELECT
    trace,
    'allocation' AS kind,
    'info' AS severity,
    CAST(52 - 0.1 * process_place AS DOUBLE) AS weight,
    v AS value,
    'bytes' AS unit,
    CAST(CAST(v AS DOUBLE) / whole AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    COALESCE(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' allocated about ' || CASE
      WHEN v < 1024
      THEN CAST(v AS STRING) || ' bytes'
      WHEN v < 1048576
      THEN CAST(CAST(v / 1024e0 AS DECIMAL(18, 1)) AS STRING) || ' KiB'
      WHEN v < 1073741824
      THEN CAST(CAST(v / 1048576e0 AS DECIMAL(18, 1)) AS STRING) || ' MiB'
      ELSE CAST(CAST(v / 1073741824e0 AS DECIMAL(18, 1)) AS STRING) || ' GiB'
    END || ' of ' || COALESCE(type_name, 'objects of unknown types') || ' (' || CASE
      WHEN CAST(v AS DOUBLE) / whole < 0.0005
      THEN 'less than 0.1 %'
      WHEN CAST(v AS DOUBLE) / whole < 0.0995
      THEN CAST(CAST(100 * (
        CAST(v AS DOUBLE) / whole
      ) AS DECIMAL(18, 1)) AS STRING) || ' %'
      ELSE CAST(CAST(100 * (
        CAST(v AS DOUBLE) / whole
      ) AS DECIMAL(18, 0)) AS STRING) || ' %'
    END || ' of ' || CASE
      WHEN whole < 1024
      THEN CAST(whole AS STRING) || ' bytes'
      WHEN whole < 1048576
      THEN CAST(CAST(whole / 1024e0 AS DECIMAL(18, 1)) AS STRING) || ' KiB'
      WHEN whole < 1073741824
      THEN CAST(CAST(whole / 1048576e0 AS DECIMAL(18, 1)) AS STRING) || ' MiB'
      ELSE CAST(CAST(whole / 1073741824e0 AS DECIMAL(18, 1)) AS STRING) || ' GiB'
    END || ')' AS finding,
    'SELECT CAST(sum(bytes) AS BIGINT) AS allocated_bytes, type_name, count(*) AS ticks FROM allocations WHERE trace = {trace} AND {process} AND source = ~tick~ AND bytes IS NOT NULL GROUP BY type_name ORDER BY allocated_bytes DESC, type_name' AS sql
  FROM (
    SELECT
      *,
      ROW_NUMBER() OVER (PARTITION BY trace ORDER BY whole DESC, COALESCE(process_name, '') NULLS LAST, process_id NULLS LAST) AS process_place
    FROM allocated
    WHERE
      place = 1
  ) AS a
  WHERE
    process_place <= 3 AND v >= 0.1 * whole AND v > 0 AND (
      process_place = 1 OR v >= 1048576
    )
  UNION ALL
  SELECT
    trace,
    'activity' AS kind,
    'info' AS severity,
    CAST(50 AS DOUBLE) AS weight,
    duration_ns AS value,
    'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share,
    process_id AS process_id,
    process_name AS process_name,
    CAST(time_ns AS BIGINT) AS start_ns,
    'The slowest of ' || FORMAT_NUMBER(n, 0) || ' activities took ' || CASE
      WHEN duration_ns < 9995000
      THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
      WHEN duration_ns < 999500000
      THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
      WHEN duration_ns < 599950000000
      THEN CAST(CAST(duration_ns / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
      ELSE CAST(CAST(duration_ns / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
    END || COALESCE(': ' || activity, '') || COALESCE(' of ' || provider_name, '') AS finding,
    'SELECT duration_ns, activity, provider_name, process_name, thread_id, seconds, activity_id FROM activities WHERE trace = {trace} AND state = ~complete~ ORDER BY duration_ns DESC, activity' AS sql
  FROM slow_activities
  WHERE
    place = 1 AND n > 1 AND duration_ns > 0
  UNION ALL
  SELECT
    trace,
    'loss' AS kind,
    CASE kind WHEN 'overwritten buffers' THEN 'info' ELSE 'warning' END AS severity,
    CAST(CASE WHEN kind = 'events' AND share >= 0.01 OR kind = 'buffers' THEN 95 ELSE 40 END AS DOUBLE) AS weight,
    lost AS value,
    CASE WHEN kind IN ('events', 'session events') THEN 'events' ELSE 'buffers' END AS unit,
    CAST(CASE kind WHEN 'events' THEN share END AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    CASE kind
      WHEN 'events'
      THEN CASE WHEN lost = 1 THEN '1 event was' ELSE FORMAT_NUMBER(lost, 0) || ' events were' END || ' lost while the trace was recorded' || COALESCE(
        ' (' || CASE
          WHEN share < 0.0005
          THEN 'less than 0.1 %'
          WHEN share < 0.0995
          THEN CAST(CAST(100 * (
            share
          ) AS DECIMAL(18, 1)) AS STRING) || ' %'
          ELSE CAST(CAST(100 * (
            share
          ) AS DECIMAL(18, 0)) AS STRING) || ' %'
        END || ' of all)',
        ''
      )
      WHEN 'buffers'
      THEN CASE WHEN lost = 1 THEN '1 buffer was' ELSE FORMAT_NUMBER(lost, 0) || ' buffers were' END || ' lost while the trace was recorded'
      WHEN 'session events'
      THEN 'The session had lost ' || CASE WHEN lost = 1 THEN '1 event' ELSE FORMAT_NUMBER(lost, 0) || ' events' END || ' by the end of this file'
      WHEN 'session buffers'
      THEN 'The session had lost ' || CASE WHEN lost = 1 THEN '1 buffer' ELSE FORMAT_NUMBER(lost, 0) || ' buffers' END || ' by the end of this file'
      ELSE CASE WHEN lost = 1 THEN '1 older buffer was' ELSE FORMAT_NUMBER(lost, 0) || ' older buffers were' END || ' overwritten: the trace has only the end of the recording'
    END AS finding,
    'SELECT lost, kind FROM lost_time WHERE trace = {trace} AND kind = ~' || kind || '~' AS sql
  FROM (
    SELECT
      l.*,
      l.lost / NULLIF(CAST(l.lost + s.events AS DOUBLE), 0) AS share
    FROM lost_time AS l
    JOIN spans AS s
      ON s.trace = l.trace
    WHERE
      l.kind <> 'samples' AND l.lost > 0
  ) AS l
  WHERE
    TRUE
  UNION ALL
  SELECT
    trace,
    'loss' AS kind,
    'info' AS severity,
    CAST(39 AS DOUBLE) AS weight,
    v AS value,
    'samples' AS unit,
    CAST(NULL AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(start_ns AS BIGINT) AS start_ns,
    CASE WHEN v = 1 THEN '1 sample is' ELSE FORMAT_NUMBER(v, 0) || ' samples are' END || ' missing, in ' || CASE WHEN n = 1 THEN '1 gap' ELSE FORMAT_NUMBER(n, 0) || ' gaps' END || ' of a processor, of which the longest took ' || CASE
      WHEN longest < 9995000
      THEN CAST(CAST(longest / 1e6 AS DECIMAL(18, 2)) AS STRING) || ' ms'
      WHEN longest < 999500000
      THEN CAST(CAST(longest / 1e6 AS DECIMAL(18, 0)) AS STRING) || ' ms'
      WHEN longest < 599950000000
      THEN CAST(CAST(longest / 1e9 AS DECIMAL(18, 1)) AS STRING) || ' s'
      ELSE CAST(CAST(longest / 6e10 AS DECIMAL(18, 1)) AS STRING) || ' min'
    END AS finding,
    'SELECT CAST(sum(lost) AS BIGINT) AS lost, count(*) AS gaps, max(duration_ns) AS longest_ns, min(start_ns) AS first_ns FROM lost_time WHERE trace = {trace} AND kind = ~samples~' AS sql
  FROM gaps
  WHERE
    v > 0
  UNION ALL
  SELECT
    trace,
    'decoding' AS kind,
    CASE WHEN missing >= 0.01 * n THEN 'warning' ELSE 'info' END AS severity,
    CAST(38 AS DOUBLE) AS weight,
    v AS value,
    'events' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    CASE WHEN v = 1 THEN '1 event of ' || provider || ' is' ELSE FORMAT_NUMBER(v, 0) || ' events of ' || provider || ' are' END || ' not decoded, or only in part (' || CASE
      WHEN CAST(v AS DOUBLE) / n < 0.0005
      THEN 'less than 0.1 %'
      WHEN CAST(v AS DOUBLE) / n < 0.0995
      THEN CAST(CAST(100 * (
        CAST(v AS DOUBLE) / n
      ) AS DECIMAL(18, 1)) AS STRING) || ' %'
      ELSE CAST(CAST(100 * (
        CAST(v AS DOUBLE) / n
      ) AS DECIMAL(18, 0)) AS STRING) || ' %'
    END || ' of all payloads' || CASE WHEN missing > v THEN ', and ' || FORMAT_NUMBER(missing - v, 0) || ' of other providers' ELSE '' END || ')' AS finding,
    'SELECT CAST(sum(payloads_raw + payloads_in_part) AS BIGINT) AS not_whole, provider_name, provider_id FROM event_types WHERE trace = {trace} GROUP BY provider_id, provider_name ORDER BY not_whole DESC, provider_name' AS sql
  FROM raw
  WHERE
    place = 1 AND v > 0
  UNION ALL
  SELECT
    trace,
    'reading' AS kind,
    'error' AS severity,
    CAST(100 - 0.1 * place AS DOUBLE) AS weight,
    v AS value,
    'problems' AS unit,
    CAST(NULL AS DOUBLE) AS share,
    CAST(NULL AS BIGINT) AS process_id,
    CAST(NULL AS STRING) AS process_name,
    CAST(NULL AS BIGINT) AS start_ns,
    'The trace could not be read in full, ' || CASE WHEN v = 1 THEN 'once' ELSE FORMAT_NUMBER(v, 0) || ' times' END || ': ' || SUBSTRING(message, 1, 300) AS finding,
    'SELECT CAST(sum(count) AS BIGINT) AS problems, code, min(message) AS message FROM problems WHERE trace = {trace} AND severity = ~error~ AND code = ~' || code || '~ GROUP BY code' AS sql
  FROM (
    SELECT
      *,
      ROW_NUMBER() OVER (PARTITION BY trace ORDER BY v DESC, code NULLS LAST) AS place
    FROM failures
  ) AS f
  WHERE
    place <= 3
), stated AS (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY trace ORDER BY CASE severity WHEN 'error' THEN 0 ELSE 1 END NULLS LAST, weight DESC, value DESC, finding NULLS LAST) AS rank
  FROM found
)
SELECT
  trace,
  CAST(rank AS BIGINT) AS rank,
  kind,
  severity,
  finding,
  CAST(value AS BIGINT) AS value,
  unit,
  share,
  process_id,
  process_name,
  start_ns,
  REPLACE(
    REPLACE(REPLACE(REPLACE(sql, '~', CHR(  39)), '{value}', CAST(value AS STRING)), '{trace}', CHR(  39) || REPLACE(trace, CHR(  39), CHR(  39) || CHR(  39)) || CHR(  39)),
    '{process}',
    'process_id IS NOT DISTINCT FROM ' || COALESCE(CAST(process_id AS STRING), 'NULL') || ' AND process_name IS NOT DISTINCT FROM ' || COALESCE(CHR(  39) || REPLACE(process_name, CHR(  39), CHR(  39) || CHR(  39)) || CHR(  39), 'NULL')
  ) AS sql
FROM stated;
