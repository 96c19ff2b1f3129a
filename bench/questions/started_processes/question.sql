-- Which processes started, who started them, and how did they end?
-- asked by an incident responder, of Process.etl
SELECT process_name, process_id, parent_process_id, start_time, end_time, exit_code
FROM process_tree
WHERE start_time IS NOT NULL
ORDER BY start_time;
