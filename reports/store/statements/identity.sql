-- Two numbers that must be equal, or of which the arm declares that they differ.
insert into identity (trial, phase, name, expected, seen, must_hold)
values (?1, ?2, ?3, ?4, ?5, ?6)
