select * from size_tells
