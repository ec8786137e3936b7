-- Something a capture lacks.
insert into loss (trial, kind, count)
values (?1, ?2, ?3)
