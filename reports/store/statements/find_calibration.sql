-- The newest calibration of machine class ?1, scenario identity ?2 and backend ?3.
select *
from calibration
where machine_class = ?1 and scenario_sha256 = ?2 and backend = ?3
order by id desc
limit 1
