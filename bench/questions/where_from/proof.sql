SELECT h.trace, c.computer_name, h.provider_version AS build, h.timestamp AS start_time
FROM eventtrace_header AS h
JOIN systemconfig_cpu AS c ON starts_with(h.trace, split_part(c.trace, '.', 1)) -- the three files of a session share it
ORDER BY start_time, h.trace;
