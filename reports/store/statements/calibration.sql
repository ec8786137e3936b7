-- A calibration; its metrics, kernels and counts follow.
insert into calibration (
    run, machine_class, scenario, scenario_sha256, backend, arm, calibrated_utc, commit_hash,
    dirty_diff_sha256, binary_sha256, rounds, profiled_rounds, replaced_rounds, looks, gated, goal,
    series, seed, tokens_repeat
)
values (
    ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19
)
returning id
