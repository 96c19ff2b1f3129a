-- rows of events
--   header_table STRING not null: Table of the event, by the type of its header.
--   common columns
--   summary columns
--   fields STRING nullable: The decoded payload as a JSON object: the columns that it fills in the table of the event, by the names of the fields, without NULLs. NULL where nothing describes the event.
--   message STRING nullable: The event's message, with the values in place. NULL where what describes the event has none, or the fields say the same (option messages).
SELECT * FROM events
