-- One phase of one measured rep.
insert into phase_stat (
    trial, phase, rep, wall_ns, tokens, range_ns, busy_ns, sum_ns, gap_ns, launch_ns, sync_ns,
    alloc_ns, host_ns, dispatch_ns, unsplit_ns, outside_ns, records_expected, records_seen
)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
