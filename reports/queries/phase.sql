-- One row: one quantity of one phase in one mode of arm ?1. Timed phases show the median over trials
-- of each trial's median rep; profiled ones the value of the median rep, so that busy and gap add up
-- to the wall time. Least and most are over all reps.
with quantity as (
    select phase, mode, trial, wall_rank, reps, position, 'wall_ns' as name, shown_wall_ns as value
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'busy_ns', busy_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'sum_ns', sum_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'gap_ns', gap_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'launch_ns', launch_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'sync_ns', sync_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'alloc_ns', alloc_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'host_ns', host_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'dispatch_ns', dispatch_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'unsplit_ns', unsplit_ns
    from _counted_phase where arm = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'tokens_per_s', tokens * 1e9 / wall_ns
    from _counted_phase where arm = ?1 and mode = 'timed'
),
known as (
    select
        *,
        row_number() over (partition by phase, mode, name, trial order by value)  as rep_rank,
        count(*) over (partition by phase, mode, name, trial)                     as rep_n
    from quantity
    where value is not null
),
-- A trial's value is the median of its reps: reps of one process are no independent evidence.
per_trial as (
    select
        phase,
        name,
        avg(value) filter (where rep_rank in ((rep_n + 1) / 2, (rep_n + 2) / 2))  as value
    from known
    where mode = 'timed'
    group by phase, name, trial
),
ranked as (
    select
        *,
        row_number() over (partition by phase, name order by value)  as value_rank,
        count(*) over (partition by phase, name)                     as n
    from per_trial
),
timed as (
    select
        phase,
        name,
        avg(value) filter (where value_rank in ((n + 1) / 2, (n + 2) / 2))  as middle
    from ranked
    group by phase, name
)
select
    known.phase,
    known.mode,
    known.name,                                             -- "wall_ns"
    iif(
        known.mode = 'timed',
        max(timed.middle),
        max(known.value) filter (where known.wall_rank = (known.reps + 1) / 2)
    )                                       as median,
    min(known.value)                        as least,
    max(known.value)                        as most,
    count(*)                                as n,           -- reps that know it
    count(distinct known.trial)             as trials,
    min(known.position)                     as position
from known
left join timed on timed.phase = known.phase and timed.name = known.name
group by known.phase, known.mode, known.name
having median is not null
order by min(known.position), known.mode desc, known.name
