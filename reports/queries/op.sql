-- One row: one kernel at one family of range paths (all layers together) of a phase of arm ?1. Times are per
-- rep: those of the median rep, with least and most over all reps.
select *
from _breakdown
where arm = ?1 and level = 'op'
order by phase, total_ns desc, place, kernel, role, launch_shape, registers
