-- One row: one quantity of one phase in one mode of run ?1. Timed phases show the median over reps;
-- profiled ones the value of the median rep, so that busy and gap add up to the wall time. Least
-- and most are over all reps.
with quantity as (
    select phase, mode, trial, wall_rank, reps, position, 'wall_ns' as name, shown_wall_ns as value
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'busy_ns', busy_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'sum_ns', sum_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'gap_ns', gap_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'launch_ns', launch_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'sync_ns', sync_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'alloc_ns', alloc_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'host_ns', host_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'dispatch_ns', dispatch_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'unsplit_ns', unsplit_ns
    from _counted_phase where run = ?1
    union all
    select phase, mode, trial, wall_rank, reps, position, 'tokens_per_s', tokens * 1e9 / wall_ns
    from _counted_phase where run = ?1 and mode = 'timed'
),
known as (
    select
        *,
        row_number() over (partition by phase, mode, name order by value)  as value_rank,
        count(*) over (partition by phase, mode, name)                     as n
    from quantity
    where value is not null
)
select
    phase,
    mode,
    name,                                                   -- "wall_ns"
    iif(
        mode = 'timed',
        avg(value) filter (where value_rank in ((n + 1) / 2, (n + 2) / 2)),
        max(value) filter (where wall_rank = (reps + 1) / 2)
    )                                       as median,
    min(value)                              as least,
    max(value)                              as most,
    max(n)                                  as n,           -- reps that know it
    count(distinct trial)                   as trials,
    min(position)                           as position
from known
group by phase, mode, name
having median is not null
order by min(position), mode desc, name
