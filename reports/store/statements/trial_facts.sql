-- One row: what is known of a trial before its raw files are read.
select
    round.run,
    trial.mode,
    trial.process_valid,
    trial.process_reason,
    trial.spawn_raw_ns,
    trial.exit_raw_ns,
    arm.command,
    build.commit_hash,
    model.sha256            as model_sha256,
    scenario.prompt_sha256,
    iif(
        json_valid(scenario.resolved_json),
        json_extract(scenario.resolved_json, '$.workload'),
        null
    )                       as workload
from trial
join round on round.id = trial.round
join run on run.id = round.run
join scenario on scenario.id = run.scenario
join arm on arm.id = trial.arm
join build on build.id = arm.build
left join model on model.id = arm.model
where trial.id = ?1
