-- One row: a trial, oldest first.
select id
from trial
order by id
