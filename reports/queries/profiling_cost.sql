-- One row: what profiling did to one phase of arm ?1: the process's own timer in both modes.
with rep as (
    select
        phase,
        mode,
        trial,
        wall_ns,
        position,
        row_number() over (partition by phase, mode, trial order by wall_ns)  as rep_rank,
        count(*) over (partition by phase, mode, trial)                       as rep_n
    from _counted_phase
    where arm = ?1 and wall_ns is not null
),
per_trial as (
    select
        phase,
        mode,
        avg(wall_ns) filter (where rep_rank in ((rep_n + 1) / 2, (rep_n + 2) / 2))  as value,
        min(wall_ns)                                                                as least,
        max(wall_ns)                                                                as most,
        max(rep_n)                                                                  as reps,
        min(position)                                                               as position
    from rep
    group by phase, mode, trial
),
ranked as (
    select
        *,
        row_number() over (partition by phase, mode order by value)  as value_rank,
        count(*) over (partition by phase, mode)                     as n
    from per_trial
),
summed as (
    select
        phase,
        mode,
        avg(value) filter (where value_rank in ((n + 1) / 2, (n + 2) / 2))  as median,
        min(least)                                                          as least,
        max(most)                                                           as most,
        sum(reps)                                                           as n,  -- reps
        min(position)                                                       as position
    from ranked
    group by phase, mode
)
select
    timed.phase,
    timed.median                    as timed_median,
    timed.least                     as timed_least,
    timed.most                      as timed_most,
    timed.n                         as timed_n,
    profiled.median                 as profiled_median,
    profiled.least                  as profiled_least,
    profiled.most                   as profiled_most,
    profiled.n                      as profiled_n,
    profiled.median / timed.median  as ratio
from summed as timed
join summed as profiled on profiled.phase = timed.phase and profiled.mode = 'profiled'
where timed.mode = 'timed'
order by timed.position
