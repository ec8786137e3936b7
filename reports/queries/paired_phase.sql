-- One row: a phase of a profiled trial of run ?1 that counts, mean over its reps.
select
    round.number             as round,
    arm.name                 as arm,
    stat.phase,
    avg(stat.range_ns)       as range_ns,
    avg(stat.sum_ns)         as sum_ns,
    avg(stat.busy_ns)        as busy_ns,
    avg(stat.gap_ns)         as gap_ns,
    avg(stat.launch_ns)      as launch_ns,    -- null: no such class on this backend
    avg(stat.sync_ns)        as sync_ns,
    avg(stat.alloc_ns)       as alloc_ns,
    avg(stat.host_ns)        as host_ns,
    avg(stat.dispatch_ns)    as dispatch_ns,
    avg(stat.unsplit_ns)     as unsplit_ns
from _whole_block as whole
join round on round.run = whole.run and round.number / 2 = whole.block
join trial on trial.round = round.id and trial.mode = whole.mode and trial.voided = ''
join arm on arm.id = trial.arm
join phase_stat as stat on stat.trial = trial.id
where whole.run = ?1 and whole.mode = 'profiled'
group by trial.id, stat.phase
order by stat.phase, round.number, arm.id
