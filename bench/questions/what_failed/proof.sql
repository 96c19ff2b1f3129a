SELECT timestamp, event_name, info AS value
FROM sihtracelogging_sih
WHERE contains(info, 'FAILED')
ORDER BY timestamp;
