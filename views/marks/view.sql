-- rows of perfinfo_mark, microsoft_ie_mshtml_dom_customsiteevent, microsoft_windows_direct3d11_marker
--   event_ref
--   timestamp
--   time_ns
--   clock_ns
--   seconds
--   processor
--   process_id
--   process_name
--   thread_id
--   kind STRING not null: Where the mark comes from: kernel, web page or Direct3D.
--   message STRING nullable: Text of the mark.
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'kernel' AS kind, message FROM perfinfo_mark
UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'web page', payload_event_name
  FROM microsoft_ie_mshtml_dom_customsiteevent
UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'Direct3D', label
  FROM microsoft_windows_direct3d11_marker
