-- The plan of a run, before its first round.
insert into plan (
    run, timed_rounds, profiled_rounds, warm_up, reps, seed, time_limit_s, json
)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
