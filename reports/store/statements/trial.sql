-- A trial about to start: not valid until the runner and ingest say so.
insert into trial (
    round, arm, position, mode, planted, process_valid, process_reason, valid, reason, timed_out,
    spawn_raw_ns, exit_raw_ns, start_real_ns
)
values (?1, ?2, ?3, ?4, ?5, 0, ?6, 0, ?6, 0, ?7, 0, ?8)
