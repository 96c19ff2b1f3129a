-- On which computer and build of Windows was each trace recorded, and when?
-- asked by a data engineer, of *.etl
SELECT trace, computer_name, provider_version AS build, start_time
FROM traces
WHERE computer_name IS NOT NULL
ORDER BY start_time, trace;
