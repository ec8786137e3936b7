-- One row: a metric's value in one rep of a timed trial of run ?1 that counts.
select
    round.number     as round,
    arm.name         as arm,
    trial.position,
    sample.phase,                  -- null: of the whole process
    sample.name      as metric,
    sample.unit,
    sample.direction,
    sample.value
from _whole_block as whole
join round on round.run = whole.run and round.number / 2 = whole.block
join trial on trial.round = round.id and trial.mode = whole.mode and trial.voided = ''
join arm on arm.id = trial.arm
join _metric_sample as sample on sample.trial = trial.id
where whole.run = ?1 and whole.mode = 'timed'
order by
    sample.phase, sample.rank, sample.name, sample.unit, sample.direction, round.number, arm.id,
    sample.rep
