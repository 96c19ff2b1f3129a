SELECT round(r.seconds, 9) AS seconds, coalesce(f.verb, s.verb) AS method, p.url, coalesce(f.status_code, s.status_code) AS status,
  coalesce(e.time_ns, c.time_ns) - r.time_ns AS duration_ns
FROM microsoft_windows_httpservice_recvreq AS r
JOIN microsoft_windows_httpservice_parse AS p ON p.activity_id = r.related_activity_id
LEFT JOIN microsoft_windows_httpservice_fastresp AS f ON f.activity_id = p.activity_id
LEFT JOIN microsoft_windows_httpservice_recvresp AS s ON s.activity_id = p.activity_id
LEFT JOIN microsoft_windows_httpservice_fastsend AS e ON e.activity_id = p.activity_id
LEFT JOIN microsoft_windows_httpservice_sendcomplete AS c ON c.activity_id = p.activity_id
ORDER BY duration_ns DESC
LIMIT 3;
