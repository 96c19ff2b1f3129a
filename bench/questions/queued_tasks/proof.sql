SELECT q.task_id, b.time_ns - q.time_ns AS queued_ns, e.time_ns - b.time_ns AS run_ns
FROM system_threading_tasks_tpleventsource_taskscheduled_send AS q
JOIN system_threading_tasks_tpleventsource_taskstarted AS b USING (task_id)
JOIN system_threading_tasks_tpleventsource_taskcompleted AS e USING (task_id)
ORDER BY queued_ns DESC
LIMIT 1;
