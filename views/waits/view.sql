-- rows of context_switches
--   event_ref INT64 not null: The switch that ended the wait; joins stack_events.
--   timestamp TIMESTAMP not null: When the wait ended and the thread ran again, UTC.
--   time_ns
--   clock_ns
--   seconds
--   processor INT32 not null: Processor on which it ran again.
--   process_id INT64 nullable: Process of the thread that waited. NULL if the trace does not record it.
--   process_name
--   thread_id INT64 nullable: Thread that waited.
--   start_ns INT64 nullable: When the wait began, in ns since 1970-01-01 UTC, by clock_ns. NULL like wait_ns.
--   end_ns INT64 not null: When it ended, in the same way: clock_ns.
--   reason STRING nullable: Why the thread waited.
--   wait_ns INT64 nullable: How long the thread was off the processors, in ns: blocked_ns and ready_ns together. NULL if the clock was set meanwhile, and nothing says by how much.
--   blocked_ns INT64 nullable: How long until it was made ready, in ns. NULL if the trace does not record what made it ready.
--   ready_ns INT64 nullable: How long it then waited for a processor, in ns. NULL like blocked_ns.
--   readied_by_process_id INT64 nullable: Process of the thread that made it ready. NULL like blocked_ns, and if the trace does not record it.
--   readied_by_process_name STRING nullable: Image name of that process.
--   readied_by_thread_id INT64 nullable: Thread that made it ready, or was interrupted when that happened.
--   readied_from_dpc BOOLEAN nullable: True if that thread was only interrupted: a device or timer ended the wait. NULL like blocked_ns.
--   ready_ref INT64 nullable: The event that made it ready. NULL like blocked_ns.
--   stack_id INT64 nullable: Stack of the wait: joins stacks and folded_stacks, with trace. NULL if there is none.
--   readied_by_stack_id INT64 nullable: Stack of the thread that made it ready, in the same way.
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.clock_ns, c.seconds, c.processor, c.process_id, c.process_name, c.thread_id,
  c.clock_ns - c.away_ns AS start_ns, c.clock_ns AS end_ns, c.waited_for AS reason, c.away_ns AS wait_ns, c.away_ns - c.ready_ns AS blocked_ns, c.ready_ns,
  c.readied_by_process_id, c.readied_by_process_name, c.readied_by_thread_id, c.readied_from_dpc, c.ready_ref, c.stack_id, e.stack_id AS readied_by_stack_id
FROM context_switches AS c
LEFT JOIN stack_events AS e ON e.trace = c.trace AND e.event_ref = c.ready_ref
WHERE c.away_as = 'Waiting'
