-- Trials of rounds ?2 to ?3 of run ?1 count for nothing. What was void before keeps its reason.
update trial
set voided = ?4
where
    voided = ''
    and round in (select id from round where run = ?1 and number between ?2 and ?3)
