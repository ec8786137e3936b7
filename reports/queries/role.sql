-- One row: one role of a phase of arm ?1. Times are per
-- rep: those of the median rep, with least and most over all reps.
select *
from _breakdown
where arm = ?1 and level = 'role'
order by phase, total_ns desc, place
