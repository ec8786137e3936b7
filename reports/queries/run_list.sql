-- One row: a run of the store, newest first, with how many of its trials are valid.
with trial_count as (
    select
        arm.run,
        count(*)                                as trials,
        sum(trial.valid and trial.voided = '')  as valid_trials,
        sum(trial.voided <> '')                 as void_trials
    from trial
    join arm on arm.id = trial.arm
    group by arm.run
),
raw_size as (
    select
        arm.run,
        sum(raw_file.stored_bytes) as raw_bytes
    from raw_file
    join trial on trial.id = raw_file.trial
    join arm on arm.id = trial.arm
    group by arm.run
),
arm_count as (
    select
        run,
        count(*)  as arms
    from arm
    group by run
),
-- Runs have one arm or more; the first one's build stands for the run.
first_build as (
    select
        arm.run,
        build.commit_hash
    from arm
    join build on build.id = arm.build
    where arm.id = (select min(other.id) from arm as other where other.run = arm.run)
)
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
    scenario.name                          as scenario,
    machine.machine_class,
    machine.hostname,
    first_build.commit_hash,
    coalesce(arm_count.arms, 0)            as arms,
    coalesce(trial_count.trials, 0)        as trials,
    coalesce(trial_count.valid_trials, 0)  as valid_trials,
    coalesce(trial_count.void_trials, 0)   as void_trials,
    coalesce(raw_size.raw_bytes, 0)        as raw_bytes,
    verdict.verdict,                                          -- null: nothing was concluded
    verdict.exit_code
from run
join scenario on scenario.id = run.scenario
join machine on machine.id = run.machine
left join arm_count on arm_count.run = run.id
left join trial_count on trial_count.run = run.id
left join raw_size on raw_size.run = run.id
left join first_build on first_build.run = run.id
left join verdict on verdict.run = run.id
order by run.id desc
