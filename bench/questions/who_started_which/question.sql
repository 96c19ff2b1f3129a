-- What did explorer.exe start, and what did those programs start?
-- asked by an incident responder, of net.4.5.2.x86.etl
SELECT child.tree, child.process_id, child.command_line
FROM process_tree AS parent
JOIN process_tree AS child ON child.trace = parent.trace AND starts_with(child.place, parent.place)
WHERE parent.process_name = 'explorer.exe'
ORDER BY child.place;
