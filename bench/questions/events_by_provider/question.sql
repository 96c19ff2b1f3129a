-- Which providers logged most events, over all traces?
-- asked by a data engineer, of *.etl
SELECT provider_name, sum(events) AS events, count(DISTINCT trace) AS traces
FROM providers
GROUP BY provider_name
ORDER BY events DESC
LIMIT 5;
