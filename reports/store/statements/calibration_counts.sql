-- The counts of calibration ?1.
select *
from calibration_count
where calibration = ?1
order by name
