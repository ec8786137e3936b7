-- One row: the verdict on one metric of a pair of arms of run ?1, or one check of a gate.
select
    a,
    b,
    name,
    verdict,
    ratio,
    lo,
    hi,
    level,
    margin,
    rounds,
    reason
from metric_verdict
where run = ?1
order by id
