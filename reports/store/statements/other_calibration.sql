-- The newest calibration of a scenario of the name ?1, whatever its text or machine class.
select *
from calibration
where scenario = ?1
order by id desc
limit 1
