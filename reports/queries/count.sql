-- One row: one count of arm ?1. Exact: every counted trial says so and all have the same value.
with ranked as (
    select
        count.phase,
        count.name,
        count.unit,
        count.exact,
        count.value,
        row_number() over (partition by count.phase, count.name order by count.value)  as value_rank,
        count(*) over (partition by count.phase, count.name)                           as n
    from _counted_trial as counted
    join count on count.trial = counted.trial
    where counted.arm = ?1
)
select
    phase,
    name,
    unit,
    avg(value) filter (where value_rank in ((n + 1) / 2, (n + 2) / 2))  as value,
    min(exact) and min(value) = max(value)                              as exact
from ranked
group by phase, name, unit
order by phase, name
