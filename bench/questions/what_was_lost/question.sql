-- In which traces were events lost, and how many?
-- asked by a data engineer, of *.etl
SELECT trace, sum(lost) AS lost
FROM lost_time
WHERE kind <> 'samples'
GROUP BY trace
ORDER BY lost DESC;
