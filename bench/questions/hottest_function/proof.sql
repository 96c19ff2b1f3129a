SELECT instruction_pointer_module AS module, instruction_pointer_function AS function, count(*) AS exclusive_samples
FROM perfinfo_sampleprof
WHERE process_name = 'Test.x86.exe' AND flags & 3 = 0
GROUP BY ALL
ORDER BY exclusive_samples DESC, module
LIMIT 5;
