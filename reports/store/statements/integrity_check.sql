-- One row: something SQLite finds wrong with the structure of the file.
select integrity_check as problem
from pragma_integrity_check(20)
where integrity_check <> 'ok'
