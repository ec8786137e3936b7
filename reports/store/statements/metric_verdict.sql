-- The same of one metric of a pair of arms, or of one check of a gate.
insert into metric_verdict
    (run, a, b, name, verdict, ratio, lo, hi, level, margin, rounds, reason)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
