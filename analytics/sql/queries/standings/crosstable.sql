select * from crosstable
