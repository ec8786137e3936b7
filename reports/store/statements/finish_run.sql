-- The end of a run. An empty note keeps the one given at the start.
update run
set status = ?2,
    note   = iif(?3 = '', note, ?3)
where id = ?1
