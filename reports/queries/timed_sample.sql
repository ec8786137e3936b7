-- One row: a metric's value in one rep of a valid timed trial of run ?1.
select
    arm.name         as arm,
    trial.id         as trial,
    sample.phase,                  -- null: of the whole process
    metric.name      as metric,
    metric.unit,
    metric.direction,
    sample.value
from round
join trial on trial.round = round.id
join arm on arm.id = trial.arm
join sample on sample.trial = trial.id
join metric on metric.id = sample.metric
where round.run = ?1 and trial.mode = 'timed' and trial.valid = 1
order by arm.id, sample.phase, metric.id, trial.id, sample.rep
