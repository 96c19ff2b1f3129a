-- Which problems did reading the traces meet?
-- asked by a data engineer, of *.etl
SELECT trace, severity, code, count
FROM problems
ORDER BY count DESC, trace;
