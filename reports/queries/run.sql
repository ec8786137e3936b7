-- One row: the run ?1 with its scenario, machine, plan and roof.
select
    run.id,
    run.started_utc,
    run.command_line,
    run.suite_commit,
    run.backend,
    run.status,
    run.note,
    run.kind,
    run.pid,
    run.pid_start_ticks,
    scenario.name           as scenario_name,
    scenario.resolved_json,
    scenario.sha256         as scenario_sha256,
    scenario.prompt_sha256,
    machine.machine_class,
    machine.hostname,
    machine.cpu_model,
    machine.cores,
    machine.memory_bytes,
    machine.kernel,
    machine.gpu_name,
    machine.gpu_uuid,
    machine.driver,
    machine.missing         as machine_missing,
    plan.timed_rounds,
    plan.profiled_rounds,
    plan.warm_up,
    plan.reps,
    plan.seed,
    plan.time_limit_s,
    plan.json               as plan_json,
    roof.copy_bytes_per_s,
    roof.flops_per_s,
    roof.how
from run
join scenario on scenario.id = run.scenario
join machine on machine.id = run.machine
join plan on plan.run = run.id
left join roof on roof.run = run.id
where run.id = ?1
