-- Which rows a report is made of. Private helpers of reports/queries, told by the underscore.

-- One row: a trial whose numbers count. In each mode of a run these are the valid trials; where
-- none is, all of them, so that a report of an invalid run has something to show.
create view _counted_trial as
with moded as (
    select
        round.run,
        trial.id                                                  as trial,
        trial.mode,
        trial.valid,
        max(trial.valid) over (partition by round.run, trial.mode) as any_valid
    from trial
    join round on round.id = trial.round
)
select
    run,        -- run.id
    trial,      -- trial.id
    mode,
    valid
from moded
where valid = any_valid;

-- One row: a measured rep of a phase in a counted trial, ranked by its wall time.
create view _counted_phase as
with measured as (
    select
        counted.run,
        counted.mode,
        phase_stat.*,
        coalesce(phase_stat.range_ns, phase_stat.wall_ns)  as shown_wall_ns,
        phase_stat.rowid                                   as position
    from _counted_trial as counted
    join phase_stat on phase_stat.trial = counted.trial
)
select
    *,               -- columns of phase_stat, run, mode
                     -- shown_wall_ns: the range where there is one, else the process's timer
                     -- position: ascending in the order the process went through its phases
    row_number() over (
        partition by run, mode, phase
        order by shown_wall_ns, trial, rep
    )                as wall_rank,   -- from 1; unique
    count(*) over (
        partition by run, mode, phase
    )                as reps         -- over all counted trials
from measured;

-- One row: a kernel_stat row of a counted profiled trial with its names. The median rep is the
-- one whose wall time is the (lower) median: its kernels and its gap add up to its wall time.
create view _counted_kernel as
select
    phase.run,
    phase.phase,
    phase.trial,
    phase.rep,
    phase.wall_rank = (phase.reps + 1) / 2  as in_median_rep,  -- 0 or 1
    phase.reps,                                                -- measured reps of the phase
    phase.shown_wall_ns                     as wall_ns,
    range_path.path,
    range_path.family,
    kernel.name                             as kernel,
    stat.role,
    stat.launch_shape,
    stat.registers,
    stat.calls,
    stat.total_ns,
    stat.min_ns,
    stat.max_ns,
    stat.histogram,
    stat.bytes,
    stat.flops
from _counted_phase as phase
join kernel_stat as stat on stat.trial = phase.trial and stat.rep = phase.rep
join range_path on range_path.id = stat.path and range_path.phase = phase.phase
join kernel on kernel.id = stat.kernel
where phase.mode = 'profiled';
