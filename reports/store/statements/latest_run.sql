-- The newest run; ids only grow.
select max(id) as id
from run
