SELECT process_name, daddr AS remote_address, dport AS remote_port, sum(sent) AS bytes_sent, sum(received) AS bytes_received
FROM (SELECT process_name, daddr, dport, saddr, sport, size AS sent, 0 AS received FROM tcpip_sendipv4
      UNION ALL SELECT process_name, daddr, dport, saddr, sport, 0, size FROM tcpip_recvipv4
      UNION ALL SELECT process_name, daddr, dport, saddr, sport, size, 0 FROM tcpip_sendipv6
      UNION ALL SELECT process_name, daddr, dport, saddr, sport, 0, size FROM tcpip_recvipv6)
GROUP BY process_name, daddr, dport, saddr, sport
ORDER BY bytes_received DESC, remote_address
LIMIT 3;
