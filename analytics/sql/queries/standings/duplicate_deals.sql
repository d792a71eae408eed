select * from duplicate_deals
