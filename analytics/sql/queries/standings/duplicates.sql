select * from duplicates
