-- One row: durations of one kernel_stat row of arm ?1, to be merged by role, family or path.
select
    phase,
    path,
    family,
    kernel,
    role,
    launch_shape,
    histogram       -- reports/stats/histogram.h
from _counted_kernel
where arm = ?1
