-- Which processes used port 443, with whom, and how many bytes went over it?
-- asked by an incident responder, of KernelNetwork.etl
SELECT process_id, protocol, remote_address, count(*) AS connections, sum(bytes_sent) AS bytes_sent, sum(bytes_received) AS bytes_received
FROM connections
WHERE remote_port = 443
GROUP BY ALL
ORDER BY bytes_received DESC;
