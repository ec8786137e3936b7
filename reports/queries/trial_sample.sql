-- One row: a value of a metric in trial ?1, of the whole process or of one rep of a phase.
select
    round.run,
    trial.id       as trial,
    trial.mode,
    trial.valid,
    sample.phase,
    sample.rep,
    metric.name    as metric,
    metric.unit,
    sample.value,
    arm.name       as arm
from sample
join metric on metric.id = sample.metric
join trial on trial.id = sample.trial
join round on round.id = trial.round
join arm on arm.id = trial.arm
where sample.trial = ?1
order by sample.id
