-- rows of microsoft_windows_httpservice_recvreq, microsoft_windows_httpservice_deliver, microsoft_windows_httpservice_recvresp, microsoft_windows_httpservice_fastresp, microsoft_windows_httpservice_sendcomplete, microsoft_windows_httpservice_fastsend, microsoft_windows_wininet_wininet_http_request_start, microsoft_windows_webio_requestcreate_17
--   event_ref INT64 not null: Its first event.
--   timestamp TIMESTAMP not null: When that was logged, UTC.
--   time_ns INT64 not null: The same instant in ns since 1970-01-01 UTC.
--   clock_ns INT64 nullable: The same by a clock that is never set, as in events.
--   seconds DOUBLE nullable: clock_ns in seconds since the start of the session.
--   source STRING not null: HttpService for requests that this computer served; WinINet or WebIO (WinHTTP, too) for those that it made.
--   process_id INT64 nullable: Process that served or made the request. NULL if the trace does not record it.
--   process_name STRING nullable: Image name of that process. NULL if the trace does not record it.
--   request_id UINT64 nullable: Id of a served request, or handle of one that was made.
--   activity_id STRING nullable: Activity of the request. NULL if its events have none.
--   method STRING nullable: Method: GET, POST, ... NULL if the trace does not record it.
--   url STRING nullable: URL; without the scheme for WinINet. NULL if the trace does not record it.
--   status INT64 nullable: Status of the response: 200, 404, ... NULL if the trace does not record one.
--   remote_address STRING nullable: Address and port of the client. NULL for requests that were made.
--   queue STRING nullable: Request queue, such as an application pool. NULL for requests that were made.
--   bytes_sent INT64 nullable: Bytes of the response. NULL unless it was sent from the kernel's cache: other events have no size.
--   bytes_received INT64 nullable: Length of the content of the response, by its header. NULL except for WinINet.
--   ended_as STRING nullable: sent, cached, rejected, cancelled or send error for served requests; received or failed for others. NULL if its end is not in the trace.
--   reason STRING nullable: Why it was rejected, cancelled or failed. NULL otherwise.
--   delivered_ns INT64 nullable: When it was delivered to its queue, in ns since 1970-01-01 UTC. NULL if the trace does not record it.
--   response_ns INT64 nullable: When its response began, in ns since 1970-01-01 UTC. NULL if the trace does not record it.
--   end_ns INT64 nullable: When it ended, in ns since 1970-01-01 UTC. NULL like ended_as.
--   duration_ns INT64 nullable: From its beginning to its end, in ns. NULL if the trace lacks one of them.
WITH received AS (
  SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'begin' AS step, request_id, CAST(NULL AS STRING) AS method, CAST(NULL AS STRING) AS url, CAST(NULL AS BIGINT) AS status,
    remote_addr AS remote_address, CAST(NULL AS STRING) AS queue, CAST(NULL AS BIGINT) AS bytes, CAST(NULL AS STRING) AS reason, related_activity_id AS request_activity_id
  FROM microsoft_windows_httpservice_recvreq
),
ids AS (
  -- These events have the activity of the request, and some no id.
  SELECT trace, request_activity_id, max(request_id) AS request_id FROM received WHERE request_activity_id IS NOT NULL GROUP BY trace, request_activity_id
),
by_activity AS (
  SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'parse' AS step, CASE http_verb WHEN 3 THEN 'OPTIONS' WHEN 4 THEN 'GET' WHEN 5 THEN 'HEAD' WHEN 6 THEN 'POST' WHEN 7 THEN 'PUT' WHEN 8 THEN 'DELETE' WHEN 9 THEN 'TRACE'
      WHEN 10 THEN 'CONNECT' WHEN 11 THEN 'TRACK' WHEN 12 THEN 'MOVE' WHEN 13 THEN 'COPY' WHEN 14 THEN 'PROPFIND' WHEN 15 THEN 'PROPPATCH' WHEN 16 THEN 'MKCOL' WHEN 17 THEN 'LOCK' WHEN 18 THEN 'UNLOCK' WHEN 19 THEN 'SEARCH' END AS method,
    url, CAST(NULL AS BIGINT) AS status, CAST(NULL AS BIGINT) AS bytes FROM microsoft_windows_httpservice_parse
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'cached', NULL, NULL, NULL, CAST(bytes_sent AS BIGINT) FROM microsoft_windows_httpservice_httprequesttracetask_srvdfrmcache
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'cached', NULL, NULL, 304, CAST(bytes_sent AS BIGINT) FROM microsoft_windows_httpservice_httprequesttracetask_cachednotmodified
),
steps AS (
  SELECT * FROM received
  UNION ALL SELECT b.source, b.trace, b.event_ref, b.timestamp, b.time_ns, b.clock_ns, b.seconds, b.process_id, b.process_name, b.activity_id, b.owner, b.step, i.request_id,
    b.method, b.url, b.status, NULL, NULL, b.bytes, NULL, b.activity_id FROM by_activity AS b JOIN ids AS i ON i.trace = b.trace AND i.request_activity_id = b.activity_id
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'deliver', request_id, NULL, url, NULL, NULL, request_queue_name, NULL, NULL, activity_id FROM microsoft_windows_httpservice_deliver
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'respond', request_id, verb, NULL, CAST(status_code AS BIGINT), NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_httpservice_recvresp
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'respond', request_id, verb, NULL, CAST(status_code AS BIGINT), NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_httpservice_fastresp
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'respond', request_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_recvresplast
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'respond', request_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_fastresplast
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'sent', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_sendcomplete
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'sent', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_fastsend
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'sent', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_zerosend
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'sent', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_cachedandsend
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'send error', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_lastsnderror
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'send error', request_id, NULL, NULL, NULL, NULL, NULL, NULL, reason, NULL FROM microsoft_windows_httpservice_snderror
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'rejected', request_id, NULL, NULL, NULL, NULL, request_queue_name, NULL, reason, NULL FROM microsoft_windows_httpservice_requestrejected
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'cancelled', request_id, NULL, NULL, NULL, NULL, request_queue_name, NULL, reason, NULL FROM microsoft_windows_httpservice_requestcancelled
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'rejected', request_id, NULL, NULL, NULL, NULL, NULL, NULL, reason, NULL FROM microsoft_windows_httpservice_parserequestfailed
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'begin', hinternet, NULL, NULL, NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_wininet_wininet_http_request_start
  -- The first line has the method and the path, and another line the host.
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'ask', request_handle, nullif(regexp_extract(headers, '^([A-Z]+) ', 1), ''),
    nullif(concat(regexp_extract(headers, '(?i)[\r\n]host: *([^\r\n]*)', 1), regexp_extract(headers, '^[A-Z]+ ([^ \r\n]*)', 1)), ''), NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_wininet_wininet_request_header
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'respond', request_handle, NULL, NULL, CAST(response_code AS BIGINT), NULL, NULL, TRY_CAST(content_length AS BIGINT), NULL, activity_id FROM microsoft_windows_wininet_wininet_http_response_stop
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'received', request_handle, NULL, NULL, NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_wininet_wininet_http_response_body_received
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'failed', handle, NULL, NULL, NULL, NULL, NULL, NULL, concat('error ', error), activity_id FROM microsoft_windows_wininet_wininet_http_request_fail
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'failed', handle, NULL, NULL, NULL, NULL, NULL, NULL, concat('error ', error), activity_id FROM microsoft_windows_wininet_wininet_http_response_fail
  UNION ALL SELECT 'WebIO', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'begin', request, method, uri, NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_webio_requestcreate_17
  UNION ALL SELECT 'WebIO', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'respond', request, NULL, NULL, TRY_CAST(nullif(regexp_extract(headers, '^HTTP/[0-9.]+ ([0-9]+)', 1), '') AS BIGINT), NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_webio_requestheader_101
  UNION ALL SELECT 'WebIO', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'received', request, NULL, NULL, NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_webio_responserecieveentity_stop
),
numbered AS (
  SELECT *, count(CASE WHEN step = 'begin' THEN 1 END) OVER uses AS turn, row_number() OVER uses AS place
  FROM steps
  WINDOW uses AS (PARTITION BY source, trace, owner, request_id ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
),
requests AS (
  SELECT source, trace, min_by(event_ref, place) AS event_ref, min_by(timestamp, place) AS timestamp, min_by(time_ns, place) AS time_ns, min(clock_ns) AS clock_ns, min(seconds) AS seconds,
    coalesce(min_by(process_id, place) FILTER (WHERE source <> 'HttpService' OR step = 'respond'), min_by(process_id, place) FILTER (WHERE step = 'sent')) AS process_id,
    coalesce(min_by(process_name, place) FILTER (WHERE source <> 'HttpService' OR step = 'respond'), min_by(process_name, place) FILTER (WHERE step = 'sent')) AS process_name,
    request_id, max(request_activity_id) AS activity_id, max_by(method, place) FILTER (WHERE method IS NOT NULL) AS method, min_by(url, place) FILTER (WHERE url IS NOT NULL) AS url,
    max_by(status, place) FILTER (WHERE status IS NOT NULL) AS status, max(remote_address) AS remote_address, max(queue) AS queue,
    max(CASE WHEN step = 'cached' THEN bytes END) AS bytes_sent, max(CASE WHEN step = 'respond' THEN bytes END) AS bytes_received, max(reason) AS reason,
    max_by(step, place) FILTER (WHERE step NOT IN ('begin', 'parse', 'deliver', 'ask', 'respond')) AS ended_as,
    min(CASE WHEN step = 'begin' THEN clock_ns END) AS begin_ns, min(CASE WHEN step = 'deliver' THEN clock_ns END) AS delivered_ns,
    min(CASE WHEN step = 'respond' THEN clock_ns END) AS response_ns, max(CASE WHEN step NOT IN ('begin', 'parse', 'deliver', 'ask', 'respond') THEN clock_ns END) AS end_ns
  FROM numbered
  GROUP BY source, trace, owner, request_id, turn
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, source, process_id, process_name, request_id, activity_id, method, url, status, remote_address, queue,
  bytes_sent, bytes_received, ended_as, reason, delivered_ns, response_ns, end_ns, CASE /* ns of trace */ WHEN end_ns >= begin_ns THEN end_ns - begin_ns END AS duration_ns
FROM requests
