select * from standings
