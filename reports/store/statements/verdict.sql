-- What was concluded from a run.
insert into verdict (run, kind, verdict, exit_code, reasons, suite_version)
values (?1, ?2, ?3, ?4, ?5, ?6)
