SELECT provider_name, count(*) AS events, count(DISTINCT trace) AS traces
FROM events
GROUP BY provider_name
ORDER BY events DESC
LIMIT 5;
