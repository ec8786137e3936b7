-- The kernels of calibration ?1, the longest first.
select *
from calibration_kernel
where calibration = ?1
order by median_ns desc, rowid
