-- How did the web server answer, and how fast?
-- asked by a performance engineer, of HTTP_Server.etl
SELECT status, count(*) AS requests, count(DISTINCT url) AS urls, max(duration_ns) AS longest_ns
FROM http_requests
GROUP BY status
ORDER BY requests DESC;
