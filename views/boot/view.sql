-- rows of event_header, microsoft_windows_diagnostics_performance_bootperformancemonitoring_bootinformation
--   event_ref INT64 not null: The event that begins the phase; if it is not in the trace, the one that ends it.
--   timestamp TIMESTAMP not null: Time of this event, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   component STRING not null: Who is at work: winlogon, services, shell, power, or measured for what Windows itself measured of the last start.
--   phase STRING not null: Name of the phase: the task of its events.
--   detail STRING nullable: Which one: load order group of services, subscriber of winlogon, or step of the shell. NULL for phases that occur alone.
--   start_ns INT64 nullable: When it began, in ns since 1970-01-01 UTC. NULL if that is not in the trace, and for measured.
--   end_ns INT64 nullable: When it ended, in the same way; of a moment, start_ns. NULL if that is not in the trace, and for measured.
--   duration_ns INT64 nullable: How long it took, in ns; 0 for a moment. NULL if the trace has one of the two only.
WITH details AS (
  SELECT trace, event_ref, group_name AS detail FROM microsoft_windows_services_startinggroup_start
  UNION ALL SELECT trace, event_ref, group_name FROM microsoft_windows_services_startinggroup_stop
  UNION ALL SELECT trace, event_ref, subscriber_name FROM microsoft_windows_winlogon_notifysubscriber_start
  UNION ALL SELECT trace, event_ref, subscriber_name FROM microsoft_windows_winlogon_notifysubscriber_stop
  UNION ALL SELECT trace, event_ref, psz FROM microsoft_windows_shell_core_explorer_startup_step_start
  UNION ALL SELECT trace, event_ref, psz FROM microsoft_windows_shell_core_explorer_startup_step_stop
  UNION ALL SELECT trace, event_ref, psz FROM microsoft_windows_shell_core_explorer_startup_phasereached
),
steps AS (
  SELECT h.trace, h.event_ref, h.timestamp, h.time_ns, h.clock_ns, h.seconds, h.process_id, h.process_name, split_part(h.event_name, '/', 1) AS phase, d.detail,
    CASE h.provider_name WHEN 'Microsoft-Windows-Winlogon' THEN 'winlogon' WHEN 'Microsoft-Windows-Services' THEN 'services'
      WHEN 'Microsoft-Windows-Shell-Core' THEN 'shell' ELSE 'power' END AS component,
    CASE WHEN h.event_name LIKE '%/Start%' OR h.event_name LIKE '%/PhaseStart%' THEN 'start'
      WHEN h.event_name LIKE '%/Stop%' OR h.event_name LIKE '%/PhaseStop%' THEN 'stop' ELSE 'moment' END AS step
  FROM event_header AS h
  LEFT JOIN details AS d ON d.trace = h.trace AND d.event_ref = h.event_ref
  WHERE h.provider_name IN ('Microsoft-Windows-Winlogon', 'Microsoft-Windows-Services', 'Microsoft-Windows-Kernel-Power', 'Microsoft-Windows-Shell-Core')
    AND (h.event_name IN ('UserShellLaunch', 'UserBoot', 'Explorer_Startup_PhaseReached', 'Explorer_KickedOffDelayedBootWork')
      OR (h.event_name LIKE '%/Start%' OR h.event_name LIKE '%/Stop%' OR h.event_name LIKE '%/PhaseStart%' OR h.event_name LIKE '%/PhaseStop%')
        AND (h.provider_name <> 'Microsoft-Windows-Shell-Core' OR split_part(h.event_name, '/', 1) IN ('Explorer_InitializingExplorer', 'Explorer_CreateTray',
          'Explorer_CreateTrayWindow', 'Explorer_InitStartButton', 'Explorer_CreateDesktop', 'Explorer_LoadingIconCache', 'Explorer_Startup_Step'))
        AND (h.provider_name <> 'Microsoft-Windows-Kernel-Power' OR split_part(h.event_name, '/', 1) IN ('PowerTransition', 'QueryApps', 'QueryServices', 'SuspendApps',
          'SuspendServices', 'SuspendDevices', 'WakeDevices', 'ResumeApps', 'ResumeServices', 'GracefulShutdown', 'FlushVolumes', 'WaitForProcesses',
          'IoShutdownSystem', 'IoShutdownFileSystems', 'CmShutdownSystem', 'ZeroPageFile', 'ZeroHiberFile', 'Winlogon', 'PrepareSleep')))
),
turns AS (
  SELECT *, lead(clock_ns) OVER turns AS next_ns, lead(step) OVER turns AS next_step, lag(step) OVER turns AS last_step
  FROM steps
  WINDOW turns AS (PARTITION BY trace, component, phase, detail, process_id, step = 'moment' ORDER BY clock_ns, event_ref)
),
measured AS (
  SELECT *, unnest(range(12)) AS n FROM microsoft_windows_diagnostics_performance_bootperformancemonitoring_bootinformation
),
durations AS (
  SELECT *, CASE n WHEN 0 THEN 'boot' WHEN 1 THEN 'main path' WHEN 2 THEN 'kernel' WHEN 3 THEN 'drivers' WHEN 4 THEN 'devices' WHEN 5 THEN 'prefetch'
    WHEN 6 THEN 'sessions' WHEN 7 THEN 'critical services' WHEN 8 THEN 'machine profile' WHEN 9 THEN 'user profile' WHEN 10 THEN 'explorer' ELSE 'after boot' END AS phase,
    CASE n WHEN 0 THEN boot_time WHEN 1 THEN main_path_boot_time WHEN 2 THEN boot_kernel_init_time WHEN 3 THEN boot_driver_init_time WHEN 4 THEN boot_devices_init_time
      WHEN 5 THEN boot_prefetch_init_time WHEN 6 THEN boot_smss_init_time WHEN 7 THEN boot_critical_services_init_time
      WHEN 8 THEN boot_machine_profile_processing_time WHEN 9 THEN boot_user_profile_processing_time WHEN 10 THEN boot_explorer_init_time ELSE boot_post_boot_time END AS ms
  FROM measured
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, component, phase, detail,
  CASE WHEN step <> 'stop' THEN clock_ns END AS start_ns, CASE WHEN step <> 'start' THEN clock_ns WHEN next_step = 'stop' THEN next_ns END AS end_ns,
  CASE WHEN step = 'moment' THEN 0 WHEN step = 'start' AND next_step = 'stop' THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns
FROM turns
WHERE step <> 'stop' OR coalesce(last_step, 'stop') = 'stop'
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, 'measured', phase, NULL, NULL, NULL, ms * 1000000
FROM durations
WHERE ms IS NOT NULL
