-- Which computers exchanged packets, and were packets dropped?
-- asked by an incident responder, of PktMon.etl
SELECT source_address, destination_address, protocol, icmp_type, count(*) AS packets, count(drop_reason) AS dropped
FROM packets
WHERE appearance = 1
GROUP BY ALL
ORDER BY ALL;
