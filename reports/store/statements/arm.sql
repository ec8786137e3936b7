-- An arm of a run.
insert into arm (run, name, command, environment, build, model, arguments, about, spec, why_invalid)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
