-- The runner's word on a trial that ended. Until ingest adds its own, it stands alone.
update trial
set planted        = ?2,
    process_valid  = ?3,
    process_reason = ?4,
    valid          = ?3,
    reason         = ?4,
    exit_code      = ?5,
    signal         = ?6,
    timed_out      = ?7,
    spawn_raw_ns   = ?8,
    exit_raw_ns    = ?9,
    start_real_ns  = ?10,
    voided         = ?11
where id = ?1
