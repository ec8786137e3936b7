-- An arm of a run.
insert into arm (run, name, command, environment, build, model)
values (?1, ?2, ?3, ?4, ?5, ?6)
