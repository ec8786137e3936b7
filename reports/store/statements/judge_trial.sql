-- Ingest's word on a trial. A fault once planted stays planted.
update trial
set valid    = ?2,
    reason   = ?3,
    planted  = max(planted, ?4),
    protocol = ?5,
    timer    = ?6
where id = ?1
