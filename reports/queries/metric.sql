-- One row: one metric of the whole process over the counted timed trials of arm ?1.
with ranked as (
    select
        metric.name,
        sample.value,
        row_number() over (partition by metric.name order by sample.value)  as value_rank,
        count(*) over (partition by metric.name)                            as n
    from _counted_trial as counted
    join sample on sample.trial = counted.trial
    join metric on metric.id = sample.metric
    where counted.arm = ?1 and counted.mode = 'timed' and sample.phase is null
)
select
    name,
    avg(value) filter (where value_rank in ((n + 1) / 2, (n + 2) / 2))  as median,
    min(value)                                                          as least,
    max(value)                                                          as most,
    max(n)                                                              as n
from ranked
group by name
