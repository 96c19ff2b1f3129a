-- With which computers did programs exchange data over TCP?
-- asked by an incident responder, of net.4.5.2.x86.etl
SELECT process_name, remote_address, remote_port, bytes_sent, bytes_received
FROM connections
WHERE protocol = 'tcp'
ORDER BY bytes_received DESC, remote_address
LIMIT 3;
