-- One value of one metric.
insert into sample (trial, metric, phase, rep, value)
values (?1, (select id from metric where name = ?2), ?3, ?4, ?5)
