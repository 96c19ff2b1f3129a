WITH samples AS (
  SELECT payload_thread_id = 0 AND flags & 3 = 0 AS idle, flags & 3 = 0 AND payload_thread_id <> 0 AND process_name = 'Test.x86.exe' AS mine,
    instruction_pointer_module = 'clr.dll' AS clr
  FROM perfinfo_sampleprof
),
seconds AS (
  SELECT count(*) / 1e3 AS all_s, count(*) FILTER (NOT idle) / 1e3 AS busy_s, count(*) FILTER (mine) / 1e3 AS mine_s, count(*) FILTER (mine AND clr) / 1e3 AS clr_s
  FROM samples
)
SELECT unnest([
  format('The processors were busy {:.1f} % of the time ({:.1f} s of {:.1f} s)', 100 * busy_s / all_s, busy_s, all_s),
  format('Test.x86.exe used {:.0f} % of the processor time ({:.1f} s of {:.1f} s)', 100 * mine_s / busy_s, mine_s, busy_s),
  format('In Test.x86.exe, {:.0f} % of the processor time was in clr.dll, whose functions have no names here ({:.1f} s of {:.1f} s)',
    100 * clr_s / mine_s, clr_s, mine_s)]) AS finding
FROM seconds;
