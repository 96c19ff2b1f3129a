SELECT provider_name, event_name, text, count(*) AS errors
FROM (
  SELECT provider_name, event_name, '{"error":' || error || ',"error_message":"' || error_message || '"}' AS text
  FROM ebpfforwindowsprovider_ebpfgenericerror WHERE level IN (1, 2)
  UNION ALL
  SELECT provider_name, event_name, CASE
    WHEN guid1 IS NOT NULL THEN '{"guid1":"' || guid1 || '","guid2":"' || guid2 || '","message":"' || message || '"}'
    WHEN value IS NOT NULL THEN '{"message":"' || message || '","value":' || value || '}'
    ELSE '{"message":"' || message || '"}' END
  FROM ebpfforwindowsprovider_ebpfgenericmessage WHERE level IN (1, 2)
)
GROUP BY ALL
ORDER BY errors DESC, text
LIMIT 3;
