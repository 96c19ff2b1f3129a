-- What failed while Windows looked for updates?
-- asked by an incident responder, of SIH.20230422.034724.362.1.etl
SELECT timestamp, event_name, value
FROM search('fail')
ORDER BY timestamp;
