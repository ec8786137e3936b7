-- Which rows a report is made of: views of one connection, made when a store is opened. Private
-- helpers of the queries beside this file, told by the underscore.

-- One row: an arm that is being read. The views below look at no other: SQLite does not carry a
-- condition on the arm down through their window functions, and a store has many runs.
create temp table _shown_arm (
    arm integer primary key     -- arm.id
);

-- One row: a trial whose numbers count. In each mode of an arm these are the valid trials; where
-- none is, all of them, so that a report of an invalid run has something to show.
create temp view _counted_trial as
with moded as (
    select
        trial.arm,
        trial.id                                                  as trial,
        trial.mode,
        trial.valid,
        max(trial.valid) over (partition by trial.arm, trial.mode) as any_valid
    from _shown_arm
    join trial on trial.arm = _shown_arm.arm
    where trial.voided = ''
)
select
    arm,        -- arm.id
    trial,      -- trial.id
    mode,
    valid
from moded
where valid = any_valid;

-- One row: a measured rep of a phase in a counted trial, ranked by its wall time.
create temp view _counted_phase as
with measured as (
    select
        counted.arm,
        counted.mode,
        phase_stat.*,
        coalesce(phase_stat.range_ns, phase_stat.wall_ns)  as shown_wall_ns,
        row_number() over (partition by phase_stat.trial order by phase_stat.rowid)  as position
    from _counted_trial as counted
    join phase_stat on phase_stat.trial = counted.trial
)
select
    *,               -- columns of phase_stat, arm, mode
                     -- shown_wall_ns: the range where there is one, else the process's timer
                     -- position: from 1, in the order the process went through its phases
    row_number() over (
        partition by arm, mode, phase
        order by shown_wall_ns, trial, rep
    )                as wall_rank,   -- from 1; unique
    count(*) over (
        partition by arm, mode, phase
    )                as reps         -- over all counted trials
from measured;

-- One row: a kernel_stat row of a counted profiled trial with its names. The median rep is the
-- one whose wall time is the (lower) median: its kernels and its gap add up to its wall time.
create temp view _counted_kernel as
select
    phase.arm,
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

-- One row: the same once for each table it goes into: by role, by kernel over all layers, by kernel
-- at every range path.
create temp view _placed_kernel as
select 'role' as level, role as place, null as kernel_name, null as shape, null as regs, *
from _counted_kernel
union all
select 'op', family, kernel, launch_shape, registers, * from _counted_kernel
union all
select 'kernel', path, kernel, launch_shape, registers, * from _counted_kernel;

-- One row: a line of one of those tables in one rep.
create temp view _placed_rep as
select
    level,
    arm,
    phase,
    place,
    kernel_name    as kernel,
    role,
    shape          as launch_shape,
    regs           as registers,
    trial,
    rep,
    in_median_rep,
    reps,
    wall_ns,
    sum(calls)     as calls,
    sum(total_ns)  as total_ns,
    min(min_ns)    as min_ns,
    max(max_ns)    as max_ns,
    sum(bytes)     as bytes,
    sum(flops)     as flops
from _placed_kernel
group by level, arm, phase, place, kernel_name, role, shape, regs, trial, rep;

-- One row: a line of one of those tables. Times are per rep: those of the median rep, with least
-- and most over all reps. A line that is not in every rep ran no time at all in the others.
create temp view _breakdown as
with summed as (
    select
        level,
        arm,
        phase,
        place,                                                           -- path, family or role
        kernel,                                                          -- null in a line by role
        role,
        launch_shape,
        registers,
        coalesce(max(calls) filter (where in_median_rep), 0)             as calls,
        iif(count(*) < max(reps), 0, min(calls))                         as calls_min,
        max(calls)                                                       as calls_max,
        coalesce(max(total_ns) filter (where in_median_rep), 0)          as total_ns,
        iif(count(*) < max(reps), 0, min(total_ns))                      as total_min,
        max(total_ns)                                                    as total_max,
        coalesce(
            max(total_ns * 1.0 / wall_ns) filter (where in_median_rep), 0
        )                                                                as share,
        iif(count(*) < max(reps), 0, min(total_ns * 1.0 / wall_ns))      as share_min,
        max(total_ns * 1.0 / wall_ns)                                    as share_max,
        max(total_ns * 1.0 / calls) filter (where in_median_rep)         as mean_ns,
        min(total_ns * 1.0 / calls)                                      as mean_min,
        max(total_ns * 1.0 / calls)                                      as mean_max,
        min(min_ns)                                                      as min_ns,
        max(max_ns)                                                      as max_ns,
        max(bytes) filter (where in_median_rep)                          as bytes,
        max(flops) filter (where in_median_rep)                          as flops,
        max(reps)                                                        as n
    from _placed_rep
    group by level, arm, phase, place, kernel, role, launch_shape, registers
)
select
    summed.*,
    bytes * 1.0 / nullif(total_ns, 0)                                    as gb_per_s,
    flops / 1000.0 / nullif(total_ns, 0)                                 as tflop_per_s,
    bytes * 1e9 / nullif(total_ns, 0) / roof.copy_bytes_per_s            as copy_share,
    flops * 1e9 / nullif(total_ns, 0) / roof.flops_per_s                 as flops_share
from summed
join arm on arm.id = summed.arm
left join roof on roof.run = arm.run;

-- One row: a block (two rounds) of a comparison that counts in one mode: every arm that takes part
-- has its trial in both rounds, and no trial of the block failed in any mode.
create temp view _whole_block as
with moded as (
    select
        round.run,
        round.number / 2   as block,
        trial.mode,
        count(*)           as trials,
        min(min(trial.valid)) over (partition by round.run, round.number / 2)  as valid
    from round
    join trial on trial.round = round.id
    where trial.voided = ''
    group by round.run, round.number / 2, trial.mode
)
select
    run,        -- run.id
    block,      -- from 0: rounds 2 block and 2 block + 1
    mode
from moded
where
    valid = 1
    and trials = 2 * (select count(*) from arm where arm.run = moded.run and why_invalid = '');

-- One row: one value of one metric, the suite's own or one that a command named.
create temp view _metric_sample as
select
    sample.trial,
    sample.phase,           -- null: of the whole process
    sample.rep,             -- null: there is one value
    sample.id   as position,  -- order within a trial
    metric.id   as rank,    -- the suite's own come first
    metric.name,
    metric.unit,
    metric.direction,
    sample.value
from sample
join metric on metric.id = sample.metric
union all
select
    trial,
    null,
    rep,
    9000000000000000000 + rep,
    9000000000000000000,
    name,
    unit,
    direction,
    value
from command_sample;
