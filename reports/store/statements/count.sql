-- A count of work.
insert into count (trial, phase, name, value, unit, exact)
values (?1, ?2, ?3, ?4, ?5, ?6)
