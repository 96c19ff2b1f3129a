SELECT trace, coalesce(provider_name, provider_id) AS provider, payloads_raw AS raw, payloads_in_part AS in_part
FROM providers
WHERE payloads_whole < events AND payloads_raw + payloads_in_part > 0
ORDER BY raw DESC, trace, provider;
