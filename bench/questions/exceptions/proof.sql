SELECT e.process_name, e.exception_type, e.exception_message, list_filter(s.functions, lambda f: f <> '')[1] AS thrown_by
FROM microsoft_windows_dotnetruntime_exception_start AS e
JOIN stack_events USING (trace, event_ref)
JOIN stacks AS s USING (trace, stack_id);
