-- Which modules were loaded from outside of Windows and Program Files?
-- asked by an incident responder, of net.4.5.2.x86.etl
SELECT timestamp, process_name, image_path
FROM image_loads
WHERE NOT regexp_matches(image_path, '(?i)\\(Windows|Program Files( \(x86\))?)\\')
ORDER BY time_ns;
