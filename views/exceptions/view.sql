-- rows of microsoft_windows_dotnetruntime_exception_start
--   event_ref
--   timestamp TIMESTAMP not null: When it was thrown, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id
--   clr_instance_id INT32 nullable: The runtime within the process. NULL before .NET 4.
--   exception_type STRING nullable: Name of its type. NULL before .NET 4.
--   exception_message STRING nullable: Its message. NULL like exception_type.
--   hresult STRING nullable: Its HRESULT in hexadecimal digits: 0x80070002. NULL like exception_type.
--   flags STRING nullable: HasInnerException, Nested, ReThrown, CorruptedState and CLSCompliant, joined by |. NULL like exception_type.
--   stack_id INT64 nullable: Stack of the thread: joins stacks and folded_stacks, with trace. NULL if there is none.
--   functions LIST<STRING> nullable: Per frame the name of the function; empty if unknown. NULL like stack_id.
SELECT x.trace, x.event_ref, x.timestamp, x.time_ns, x.clock_ns, x.seconds, x.process_id, x.process_name, x.thread_id, x.clr_instance_id,
  x.exception_type, x.exception_message, '0x' || lpad(lower(hex(x.exception_hresult)), 8, '0') AS hresult, x.exception_flags_text AS flags,
  e.stack_id, k.functions
FROM microsoft_windows_dotnetruntime_exception_start AS x
LEFT JOIN stack_events AS e ON e.trace = x.trace AND e.event_ref = x.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id
