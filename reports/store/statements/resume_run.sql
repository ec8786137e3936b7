-- A run that was cut off goes on: another process writes it.
update run
set status          = 'running',
    pid             = ?2,
    pid_start_ticks = ?3
where id = ?1
