-- parameters text
-- rows of event_fields
--   event_ref
--   timestamp
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id
--   provider_name
--   event_name
--   field STRING not null: The field that has the text: its key in fields, with the path inside a structure or list; or message.
--   value STRING not null: Its value, as text.
WITH found AS (
  SELECT * FROM event_fields AS m WHERE CASE WHEN regexp_matches(text, '[[:cntrl:]]') THEN m.fields IS NOT NULL WHEN regexp_matches(text, '["\\: ]') THEN contains(translate(lower(m.fields), '"\: ', ''), translate(lower(text), '"\: ', '')) ELSE contains(lower(m.fields), lower(text)) END OR CASE WHEN regexp_matches(text, '[[:cntrl:]]') THEN 'message ' || m.message IS NOT NULL WHEN regexp_matches(text, '["\\: ]') THEN contains(translate(lower('message ' || m.message), '"\: ', ''), translate(lower(text), '"\: ', '')) ELSE contains(lower('message ' || m.message), lower(text)) END
),
named AS (
  -- Elements of lists have no name.
  SELECT e.*, substr(f.fullkey, 3) AS field, f.value ->> '$' AS value, CASE WHEN NOT ends_with(f.fullkey, ']') THEN f.key END AS name
  FROM found AS e, json_tree(e.fields) AS f
  WHERE f.atom IS NOT NULL
  UNION ALL SELECT e.*, 'message', e.message, 'message' FROM found AS e WHERE e.message IS NOT NULL
)
SELECT n.trace, n.event_ref, n.timestamp, n.time_ns, n.clock_ns, n.seconds, n.process_id, n.process_name, n.thread_id, n.provider_name, n.event_name, n.field, n.value
FROM named AS n
WHERE contains(lower(concat_ws(' ', n.name, n.value)), lower(text))
