-- A run that starts now.
insert into run (
    scenario, machine, started_utc, command_line, suite_commit, backend, status, note, pid,
    pid_start_ticks, kind
)
values (?1, ?2, ?3, ?4, ?5, ?6, 'running', ?7, ?8, ?9, ?10)
