SELECT pid AS process_id, 'tcp' AS protocol, daddr AS remote_address, count(DISTINCT sport) AS connections,
  sum(CASE WHEN sent THEN size ELSE 0 END) AS bytes_sent, sum(CASE WHEN sent THEN 0 ELSE size END) AS bytes_received
FROM (SELECT pid, daddr, dport, sport, size, true AS sent FROM microsoft_windows_kernel_network_10
      UNION ALL SELECT pid, daddr, dport, sport, size, false FROM microsoft_windows_kernel_network_11)
WHERE dport = 443
GROUP BY ALL
ORDER BY bytes_received DESC;
