-- One row: a raw file that the store lists.
select
    arm.run,
    raw_file.trial,
    raw_file.kind,
    raw_file.path,
    raw_file.stored_bytes,
    raw_file.content_bytes,
    raw_file.sha256
from raw_file
join trial on trial.id = raw_file.trial
join arm on arm.id = trial.arm
order by raw_file.trial, raw_file.kind
