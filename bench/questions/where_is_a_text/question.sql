-- Where does the text PerfViewSessionHeap occur, in any event?
-- asked by an incident responder, of net.4.5.2.x86.etl
SELECT seconds, process_name, event_name, field, value
FROM search('PerfViewSessionHeap');
