-- One row: the worst integrity figures of one profiled phase of arm ?1 over its counted reps.
-- A figure is null when nothing is there to compute it from.
select
    phase.phase,
    max(
        capture_stat.unattributed_ns * 1.0 / nullif(capture_stat.kernel_ns, 0)
    )                                                               as unattributed_share,
    max(phase.outside_ns * 1.0 / nullif(phase.sum_ns, 0))           as outside_share,
    sum(phase.records_expected)                                     as records_expected,
    sum(phase.records_seen)                                         as records_seen,
    max(abs(
        phase.gap_ns
        - coalesce(phase.launch_ns, 0) - coalesce(phase.sync_ns, 0) - coalesce(phase.alloc_ns, 0)
        - coalesce(phase.host_ns, 0) - coalesce(phase.dispatch_ns, 0)
        - coalesce(phase.unsplit_ns, 0)
    ) * 1.0 / nullif(phase.range_ns, 0))                            as gap_residual_share,
    max(abs(phase.wall_ns - phase.range_ns) * 1.0 / phase.wall_ns)  as timer_disagreement_share
from _counted_phase as phase
left join capture_stat on capture_stat.trial = phase.trial
where phase.arm = ?1 and phase.mode = 'profiled'
group by phase.phase
