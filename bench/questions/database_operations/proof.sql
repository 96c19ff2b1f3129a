SELECT payload_event_name AS operation, count(*) AS events
FROM (SELECT payload_event_name FROM microsoft_diagnostics_diagnosticsource_activity1start
      UNION ALL SELECT payload_event_name FROM microsoft_diagnostics_diagnosticsource_activity2start)
GROUP BY operation
ORDER BY events DESC, operation;
