select * from statistics order by place
