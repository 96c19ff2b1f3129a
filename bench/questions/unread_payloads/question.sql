-- Which events of which trace could not be read, or not whole?
-- asked by a data engineer, of *.etl
SELECT trace, coalesce(provider_name, provider_id) AS provider, sum(payloads_raw) AS raw, sum(payloads_in_part) AS in_part
FROM event_types
WHERE payloads_raw + payloads_in_part > 0
GROUP BY ALL
ORDER BY raw DESC, trace, provider;
