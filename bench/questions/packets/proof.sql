SELECT '10.9.1.' || CAST('0x' || substr(bytes, 59, 2) AS INT) AS source_address,
  '10.9.1.' || CAST('0x' || substr(bytes, 67, 2) AS INT) AS destination_address,
  'ICMP' AS protocol, CAST('0x' || substr(bytes, 69, 2) AS INT) AS icmp_type, count(*) AS packets, count(nullif(drop_reason, 0)) AS dropped
FROM (SELECT hex(payload_payload) AS bytes, drop_reason FROM microsoft_windows_pktmon_160 WHERE appearance_count = 1)
WHERE substr(bytes, 47, 2) = '01' AND substr(bytes, 53, 6) = '0A0901' AND substr(bytes, 61, 6) = '0A0901'
GROUP BY ALL
ORDER BY ALL;
