-- Which methods took longest to compile?
-- asked by a performance engineer, of diaghub.user_paged.1.etl
SELECT method, jit_ns, il_bytes, native_bytes
FROM jit
ORDER BY jit_ns DESC
LIMIT 3;
