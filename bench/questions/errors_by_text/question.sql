-- Which errors were logged, how often, and what do they say?
-- asked by an incident responder, of ebpforwindows.etl
SELECT provider_name, event_name, coalesce(message, fields) AS text, count(*) AS errors
FROM events
WHERE level BETWEEN 1 AND 2
GROUP BY ALL
ORDER BY errors DESC, text
LIMIT 3;
