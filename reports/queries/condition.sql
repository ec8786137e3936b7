-- One row: one observed condition of arm ?1: the median over all samples of all trials that
-- are not void.
with ranked as (
    select
        condition.name,
        condition.unit,
        condition.value,
        row_number() over (partition by condition.name order by condition.value)  as value_rank,
        count(*) over (partition by condition.name)                               as n
    from trial
    join condition on condition.trial = trial.id
    where trial.arm = ?1 and trial.voided = ''
)
select
    name,
    unit,
    avg(value) filter (where value_rank in ((n + 1) / 2, (n + 2) / 2))  as value
from ranked
group by name, unit
order by name
