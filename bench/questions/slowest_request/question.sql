-- Which HTTP request took longest to answer?
-- asked by a performance engineer, of HTTP_Server.etl
SELECT seconds, method, url, status, duration_ns
FROM http_requests
ORDER BY duration_ns DESC
LIMIT 3;
