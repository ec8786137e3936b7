-- One row: one metric of the whole process over the counted timed trials of arm ?1. A trial's value is
-- the median of its reps.
with known as (
    select
        sample.rank,
        sample.name,
        sample.unit,
        sample.direction,
        sample.trial,
        sample.value,
        row_number() over (
            partition by sample.name, sample.unit, sample.direction, sample.trial
            order by sample.value
        )            as rep_rank,
        count(*) over (
            partition by sample.name, sample.unit, sample.direction, sample.trial
        )            as rep_n
    from _counted_trial as counted
    join _metric_sample as sample on sample.trial = counted.trial
    where counted.arm = ?1 and counted.mode = 'timed' and sample.phase is null
),
per_trial as (
    select
        rank,
        name,
        unit,
        direction,
        avg(value) filter (where rep_rank in ((rep_n + 1) / 2, (rep_n + 2) / 2))  as value
    from known
    group by rank, name, unit, direction, trial
),
ranked as (
    select
        *,
        row_number() over (partition by name, unit, direction order by value)  as value_rank,
        count(*) over (partition by name, unit, direction)                     as n
    from per_trial
)
select
    name,
    unit,
    direction,
    avg(value) filter (where value_rank in ((n + 1) / 2, (n + 2) / 2))  as median,
    min(value)                                                          as least,
    max(value)                                                          as most,
    max(n)                                                              as n
from ranked
group by rank, name, unit, direction
order by rank, name, unit, direction
