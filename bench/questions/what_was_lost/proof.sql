SELECT trace, events_lost AS lost
FROM eventtrace_header
WHERE events_lost > 0
ORDER BY lost DESC;
