-- One value of one metric of a command.
insert into command_sample (trial, name, unit, direction, rep, value)
values (?1, ?2, ?3, ?4, ?5, ?6)
