-- How many samples of Test.x86.exe have System.DateTime.get_Now on their stack?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT function, exclusive_samples, inclusive_samples
FROM hot_functions
WHERE process_name = 'Test.x86.exe' AND kind = 'thread' AND function ILIKE '%DateTime.get_Now%';
