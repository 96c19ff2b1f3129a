-- Which marks did the recorder set?
-- asked by a performance engineer, of ebpforwindows.etl
SELECT seconds, kind, message
FROM marks
ORDER BY time_ns;
