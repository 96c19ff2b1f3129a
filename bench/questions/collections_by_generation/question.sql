-- How many garbage collections were there, of which generation and why?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT process_name, generation, reason, count(*) AS collections
FROM gc
GROUP BY ALL
ORDER BY ALL;
