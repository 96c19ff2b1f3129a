SELECT seconds, process_name, event_name, 'exception_message' AS field, exception_message AS value
FROM microsoft_windows_dotnetruntime_exception_start
WHERE contains(exception_message, 'PerfViewSessionHeap');
