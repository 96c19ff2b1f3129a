-- rows of microsoft_windows_dotnetruntime_threadpoolworkerthread_start, microsoft_windows_dotnetruntime_threadpoolworkerthread_stop, microsoft_windows_dotnetruntime_threadpoolworkerthread_wait, microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_start, microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_stop, microsoft_windows_dotnetruntime_threadpoolworkingthreadcount_start, microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_adjustment, microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_sample, microsoft_windows_dotnetruntime_threadpool_enqueue, microsoft_windows_dotnetruntime_threadpool_ioenqueue, system_diagnostics_eventing_frameworkeventsource_threadpoolenqueuework
--   event_ref
--   timestamp
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that logged it; of a work item, the one that queued it. NULL if the trace does not record it.
--   clr_instance_id INT32 nullable: The runtime within the process. NULL if the event does not record it.
--   what STRING not null: worker started, worker stopped, worker waits, worker retired, worker came back, working threads, adjustment, throughput, work item or I/O completion.
--   worker_threads INT64 nullable: Number of worker threads; of an adjustment, the new goal. NULL for other rows.
--   retired_threads INT64 nullable: Number of threads that are kept in reserve. NULL unless a worker changed.
--   reason STRING nullable: Why the number was adjusted, by name: ClimbingMove, Starvation, ... NULL for other rows.
--   throughput DOUBLE nullable: Work items a second; of an adjustment, their average. NULL for other rows.
--   work_id INT64 nullable: Address of the work item. NULL for other rows.
--   wait_ns INT64 nullable: How long the work item was in the queue, in ns. NULL for other rows, and if its end is not in the trace.
--   run_thread_id INT64 nullable: Thread that took it from the queue. NULL like wait_ns.
--   stack_id INT64 nullable: Stack of the event: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id AS clr_instance_id, 'runtime' AS logged_by, 'work item' AS what, 1 AS is_start, TRY_CAST(work_id AS BIGINT) AS work_id
  FROM microsoft_windows_dotnetruntime_threadpool_enqueue
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'runtime', 'work item', 0, TRY_CAST(work_id AS BIGINT)
  FROM microsoft_windows_dotnetruntime_threadpool_dequeue
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id AS clr_instance_id, 'runtime' AS logged_by, 'I/O completion' AS what, 1 AS is_start, TRY_CAST(native_overlapped AS BIGINT) AS work_id
  FROM microsoft_windows_dotnetruntime_threadpool_ioenqueue
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'runtime', 'I/O completion', 0, TRY_CAST(native_overlapped AS BIGINT)
  FROM microsoft_windows_dotnetruntime_threadpool_iodequeue
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, NULL AS clr_instance_id, 'framework' AS logged_by, 'work item' AS what, 1 AS is_start, TRY_CAST(work_id AS BIGINT) AS work_id
  FROM system_diagnostics_eventing_frameworkeventsource_threadpoolenqueuework
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, NULL, 'framework', 'work item', 0, TRY_CAST(work_id AS BIGINT)
  FROM system_diagnostics_eventing_frameworkeventsource_threadpooldequeuework
),
items AS (
  SELECT *, lead(is_start) OVER one AS next_is_start, lead(clock_ns) OVER one AS next_ns, lead(thread_id) OVER one AS next_thread_id
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, logged_by, what, work_id ORDER BY clock_ns, is_start DESC, event_ref)
),
pool AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker started' AS what, active_worker_thread_count AS worker_threads, retired_worker_thread_count AS retired_threads, NULL AS reason, NULL AS throughput,
    NULL AS work_id, NULL AS wait_ns, NULL AS run_thread_id
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker stopped', active_worker_thread_count, retired_worker_thread_count, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_stop
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker waits', active_worker_thread_count, retired_worker_thread_count, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_wait
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker retired', active_worker_thread_count, retired_worker_thread_count, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker came back', active_worker_thread_count, retired_worker_thread_count, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_stop
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'working threads', count, NULL, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkingthreadcount_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'adjustment', new_worker_thread_count, NULL, reason_text, average_throughput,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_adjustment
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'throughput', NULL, NULL, NULL, throughput,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_sample
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, what, NULL, NULL, NULL, NULL,
    work_id, CASE WHEN next_is_start = 0 THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END, CASE WHEN next_is_start = 0 THEN next_thread_id END
  FROM items
  WHERE is_start = 1
)
SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, p.process_id, p.process_name, p.thread_id, p.clr_instance_id, p.what,
  p.worker_threads, p.retired_threads, p.reason, p.throughput, p.work_id, p.wait_ns, p.run_thread_id, e.stack_id
FROM pool AS p
LEFT JOIN stack_events AS e ON e.trace = p.trace AND e.event_ref = p.event_ref
