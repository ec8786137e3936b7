-- One row: a count over all trials of run ?1 that count.
select
    count.phase,                 -- null: of the whole process
    count.name,
    count.unit,
    min(count.value)  as least,
    max(count.value)  as most
from _whole_block as whole
join round on round.run = whole.run and round.number / 2 = whole.block
join trial on trial.round = round.id and trial.mode = whole.mode
join count on count.trial = trial.id
where whole.run = ?1
group by count.phase, count.name, count.unit
order by count.phase, count.name
