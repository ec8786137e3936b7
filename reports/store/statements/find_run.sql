-- One run by its id.
select id
from run
where id = ?1
