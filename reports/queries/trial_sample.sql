-- One row: a value of a metric in trial ?1, of the whole process or of one rep of a phase.
select
    round.run,
    trial.id       as trial,
    trial.mode,
    trial.valid,
    sample.phase,
    sample.rep,
    sample.name    as metric,
    sample.unit,
    sample.value,
    arm.name       as arm
from _metric_sample as sample
join trial on trial.id = sample.trial
join round on round.id = trial.round
join arm on arm.id = trial.arm
where sample.trial = ?1
order by sample.position, sample.name
