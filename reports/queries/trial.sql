-- One row: a trial of arm ?1, in the order they ran.
select
    trial.id,
    round.number    as round,
    trial.position,
    trial.mode,
    trial.planted,
    trial.valid,
    trial.reason,
    trial.exit_code,
    trial.signal,
    trial.timed_out,
    trial.spawn_raw_ns,
    trial.exit_raw_ns,
    trial.start_real_ns,
    trial.timer,
    trial.voided,       -- why it counts for nothing; '': it counts
    -- What ingest adds: of a trial that it found valid, the protocol at least.
    trial.exit_raw_ns > 0 and (trial.valid = 0 or trial.protocol is not null)  as is_over
from trial
join round on round.id = trial.round
where trial.arm = ?1
order by trial.id
