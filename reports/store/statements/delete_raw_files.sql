-- Raw files of a run that are no longer there.
delete from raw_file
where trial in (
    select trial.id
    from trial
    join arm on arm.id = trial.arm
    where arm.run = ?1
)
