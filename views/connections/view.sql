-- rows of tcpip_send, tcpip_sendipv4, tcpip_sendipv6, tcpip_recv, tcpip_recvipv4, tcpip_recvipv6, tcpip_connect, tcpip_connectipv4, tcpip_connectipv6, tcpip_accept, tcpip_acceptipv4, tcpip_acceptipv6, tcpip_reconnect, tcpip_reconnectipv4, tcpip_reconnectipv6, tcpip_retransmit, tcpip_retransmitipv4, tcpip_retransmitipv6, tcpip_disconnect, tcpip_disconnectipv4, tcpip_disconnectipv6, udpip_send, udpip_sendipv4, udpip_sendipv6, udpip_recv, udpip_recvipv4, udpip_recvipv6, microsoft_windows_kernel_network_10, microsoft_windows_kernel_network_26, microsoft_windows_kernel_network_11, microsoft_windows_kernel_network_27, microsoft_windows_kernel_network_12, microsoft_windows_kernel_network_28, microsoft_windows_kernel_network_15, microsoft_windows_kernel_network_31, microsoft_windows_kernel_network_16, microsoft_windows_kernel_network_32, microsoft_windows_kernel_network_14, microsoft_windows_kernel_network_30, microsoft_windows_kernel_network_13, microsoft_windows_kernel_network_29, microsoft_windows_kernel_network_42, microsoft_windows_kernel_network_58, microsoft_windows_kernel_network_43, microsoft_windows_kernel_network_59
--   event_ref INT64 not null: Its first event.
--   timestamp TIMESTAMP not null: When that was logged, UTC.
--   time_ns INT64 not null: The same instant in ns since 1970-01-01 UTC.
--   clock_ns INT64 nullable: The same by a clock that is never set, as in events.
--   seconds DOUBLE nullable: clock_ns in seconds since the start of the session.
--   end_ns INT64 nullable: Time of its last event, by clock_ns.
--   protocol STRING not null: tcp or udp.
--   process_id INT64 nullable: Process that owns the connection, by the payload of its events.
--   process_name STRING nullable: Image name of that process. NULL if the trace does not record it.
--   local_address STRING nullable: IPv4 or IPv6 address of this computer.
--   local_port INT32 nullable: Port at that address.
--   remote_address STRING nullable: IPv4 or IPv6 address of the peer; for a datagram also a group of receivers.
--   remote_port INT32 nullable: Port at that address.
--   bytes_sent INT64 not null: Bytes of data that were sent, without those sent again.
--   bytes_received INT64 not null: Bytes of data that were received.
--   sends INT64 not null: Number of events of sent data; for udp the number of datagrams.
--   receives INT64 not null: Number of events of received data; for udp the number of datagrams.
--   retransmits INT64 not null: Number of events of data that was sent again.
--   reconnects INT64 not null: Number of attempts to connect that failed and were repeated.
--   opened_as STRING nullable: connect if this computer opened the connection, accept if the peer did. NULL if its beginning is not in the trace, and for udp.
--   is_closed BOOLEAN nullable: True if its end is in the trace. NULL for udp.
WITH kernel AS (
  SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_send
  UNION ALL SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_sendipv4
  UNION ALL SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_sendipv6
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_recv
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_recvipv4
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_recvipv6
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_connect
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_connectipv4
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_connectipv6
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_accept
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_acceptipv4
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_acceptipv6
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_reconnect
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_reconnectipv4
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_reconnectipv6
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_retransmit
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_retransmitipv4
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_retransmitipv6
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_disconnect
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_disconnectipv4
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_disconnectipv6
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_send
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_sendipv4
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_sendipv6
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_recv
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_recvipv4
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_recvipv6
),
manifest AS (
  SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_10
  UNION ALL SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_26
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_11
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_27
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_12
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_28
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_15
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_31
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_16
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_32
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_14
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_30
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_13
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_29
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_42
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_58
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_43
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_59
),
seen AS (
  SELECT * FROM kernel
  UNION ALL SELECT m.* FROM manifest AS m LEFT JOIN (SELECT DISTINCT trace FROM kernel) AS k ON k.trace = m.trace WHERE k.trace IS NULL
),
ends AS (
  -- A received datagram is addressed to this computer. The addresses of a TCP event are those of the connection.
  SELECT *, CASE WHEN protocol = 'udp' AND step = 'receive' THEN daddr ELSE saddr END AS local_address,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN dport ELSE sport END AS local_port,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN saddr ELSE daddr END AS remote_address,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN sport ELSE dport END AS remote_port
  FROM seen
),
following AS (
  SELECT *, coalesce(lag(step) OVER uses, '') AS last_step
  FROM ends
  WINDOW uses AS (PARTITION BY trace, protocol, process_id, local_address, local_port, remote_address, remote_port ORDER BY clock_ns, event_ref)
),
numbered AS (
  SELECT *, count(CASE WHEN step IN ('connect', 'accept', 'reconnect') AND last_step <> 'reconnect' OR last_step = 'disconnect' AND step <> 'disconnect' THEN 1 END) OVER uses AS turn, row_number() OVER uses AS place
  FROM following
  WINDOW uses AS (PARTITION BY trace, protocol, process_id, local_address, local_port, remote_address, remote_port ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
),
connected AS (
  SELECT trace, protocol, process_id, local_address, local_port, remote_address, remote_port,
    min_by(event_ref, place) AS event_ref, min_by(timestamp, place) AS timestamp, min_by(time_ns, place) AS time_ns, min(clock_ns) AS clock_ns, min(seconds) AS seconds, max(clock_ns) AS end_ns,
    coalesce(sum(CASE WHEN step = 'send' THEN bytes END), 0) AS bytes_sent, coalesce(sum(CASE WHEN step = 'receive' THEN bytes END), 0) AS bytes_received,
    count(CASE WHEN step = 'send' THEN 1 END) AS sends, count(CASE WHEN step = 'receive' THEN 1 END) AS receives,
    count(CASE WHEN step = 'retransmit' THEN 1 END) AS retransmits, count(CASE WHEN step = 'reconnect' THEN 1 END) AS reconnects,
    max(CASE WHEN step IN ('connect', 'accept') THEN step END) AS opened_as,
    CASE WHEN protocol = 'tcp' THEN count(CASE WHEN step = 'disconnect' THEN 1 END) > 0 END AS is_closed
  FROM numbered
  GROUP BY trace, protocol, process_id, local_address, local_port, remote_address, remote_port, turn
)
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.clock_ns, c.seconds, c.end_ns, c.protocol, c.process_id, p.process_name,
  c.local_address, c.local_port, c.remote_address, c.remote_port,
  CAST(c.bytes_sent AS BIGINT) AS bytes_sent, CAST(c.bytes_received AS BIGINT) AS bytes_received,
  c.sends, c.receives, c.retransmits, c.reconnects, c.opened_as, c.is_closed
FROM connected AS c
LEFT JOIN processes AS p ON p.trace = c.trace AND p.process_id = c.process_id
  AND c.time_ns >= coalesce(p.valid_from_ns, c.time_ns) AND c.time_ns <= coalesce(p.valid_to_ns, c.time_ns)
