SELECT d.status, count(*) AS requests, count(DISTINCT p.url) AS urls, max(d.time_ns - r.time_ns) AS longest_ns
FROM (SELECT activity_id, time_ns, http_status AS status FROM microsoft_windows_httpservice_fastsend
      UNION ALL SELECT activity_id, time_ns, http_status FROM microsoft_windows_httpservice_sendcomplete) AS d
JOIN microsoft_windows_httpservice_parse AS p USING (activity_id)
JOIN microsoft_windows_httpservice_recvreq AS r ON r.related_activity_id = p.activity_id
GROUP BY d.status
ORDER BY requests DESC;
