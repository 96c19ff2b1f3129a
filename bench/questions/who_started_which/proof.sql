WITH RECURSIVE below AS (
  SELECT process_ref, 0 AS depth, process_name, process_id, command_line, '' AS path FROM processes WHERE process_name = 'explorer.exe'
  UNION ALL
  SELECT p.process_ref, b.depth + 1, p.process_name, p.process_id, p.command_line, b.path || '/' || lpad(CAST(p.process_id AS VARCHAR), 8, '0')
  FROM processes AS p
  JOIN below AS b ON p.parent_process_ref = b.process_ref
)
SELECT repeat('  ', depth) || process_name AS tree, process_id, command_line
FROM below
ORDER BY path;
