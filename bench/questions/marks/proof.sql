SELECT seconds, 'kernel' AS kind, message
FROM perfinfo_mark
ORDER BY time_ns;
