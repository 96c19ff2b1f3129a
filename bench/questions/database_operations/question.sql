-- Which operations of its database did the program start?
-- asked by a performance engineer, of diaghub.user_paged.1.etl
SELECT fields ->> '$.event_name' AS operation, count(*) AS events
FROM events
WHERE provider_name = 'Microsoft-Diagnostics-DiagnosticSource' AND event_name LIKE 'Activity%Start'
GROUP BY operation
ORDER BY events DESC, operation;
