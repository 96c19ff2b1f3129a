-- Which exceptions were thrown, and by which code?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT process_name, exception_type, exception_message, list_filter(functions, lambda f: f <> '')[1] AS thrown_by
FROM exceptions;
