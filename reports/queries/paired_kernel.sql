-- One row: a kernel at a path, with one launch shape, in a profiled trial of run ?1 that counts, per rep.
-- Rows of kernel_stat are written in the order in which a process first ran what they are of.
with reps as (
    select
        trial,
        phase,
        count(*) as reps
    from phase_stat
    group by trial, phase
)
select
    round.number                              as round,
    arm.name                                  as arm,
    range_path.phase,
    range_path.path,
    range_path.family,
    kernel.name                               as kernel,
    stat.role,
    ifnull(stat.launch_shape, '')             as shape,
    min(stat.id)                              as first_seen,    -- orders the kernels of one trial
    sum(stat.calls) * 1.0 / reps.reps         as calls,
    sum(stat.total_ns) * 1.0 / reps.reps      as total_ns
from _whole_block as whole
join round on round.run = whole.run and round.number / 2 = whole.block
join trial on trial.round = round.id and trial.mode = whole.mode and trial.voided = ''
join arm on arm.id = trial.arm
join kernel_stat as stat on stat.trial = trial.id
join range_path on range_path.id = stat.path
join kernel on kernel.id = stat.kernel
join reps on reps.trial = trial.id and reps.phase = range_path.phase
where whole.run = ?1 and whole.mode = 'profiled'
group by trial.id, stat.path, stat.kernel, stat.role, stat.launch_shape
order by range_path.phase, range_path.path, kernel.name, round.number, arm.id
