-- Which operation of the program took longest, and which one was a part of it?
-- asked by a performance engineer, of diaghub.user_paged.1.etl
SELECT activity, parent, duration_ns
FROM activities
WHERE provider_name = 'Microsoft-Diagnostics-DiagnosticSource' AND state = 'complete'
ORDER BY duration_ns DESC
LIMIT 4;
