-- One row: a row that refers to one that is not there.
select
    format('row %d of table %s refers to a row of %s that is not there', rowid, "table", parent)
        as problem
from pragma_foreign_key_check
