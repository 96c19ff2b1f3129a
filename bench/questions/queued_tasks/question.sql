-- Which task of .NET waited longest for a thread, and how long did it run?
-- asked by a performance engineer, of diaghub.user_paged.1.etl
SELECT task_id, queued_ns, run_ns
FROM tasks
ORDER BY queued_ns DESC
LIMIT 1;
