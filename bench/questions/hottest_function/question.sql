-- In which functions did Test.x86.exe spend its time, callees not included?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT module, function, exclusive_samples
FROM hot_functions
WHERE process_name = 'Test.x86.exe' AND kind = 'thread'
ORDER BY exclusive_samples DESC, module
LIMIT 5;
