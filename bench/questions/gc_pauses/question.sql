-- How long did garbage collection stop the program, in all and at most?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT process_name, count(*) AS pauses, sum(pause_ns) AS total_ns, max(pause_ns) AS longest_ns
FROM gc_pauses
WHERE is_gc
GROUP BY process_name;
