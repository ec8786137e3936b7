-- A run with everything that hangs on it.
delete from run
where id = ?1
