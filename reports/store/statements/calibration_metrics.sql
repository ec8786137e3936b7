-- The metrics of calibration ?1, those the scenario gates first.
select *
from calibration_metric
where calibration = ?1
order by margin is null, rowid
