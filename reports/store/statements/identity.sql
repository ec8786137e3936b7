-- Two numbers that must be equal.
insert into identity (trial, phase, name, expected, seen)
values (?1, ?2, ?3, ?4, ?5)
