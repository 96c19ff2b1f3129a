-- What should I look at first?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT finding
FROM what_stands_out
ORDER BY rank
LIMIT 3;
