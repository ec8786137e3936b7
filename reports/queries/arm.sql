-- One row: the arms of run ?1 with their build and model, in the order they were added.
select
    arm.id,
    arm.name,
    arm.command,
    arm.environment,
    arm.arguments,
    arm.about,
    arm.spec,
    arm.why_invalid,
    build.binary_path,
    build.binary_sha256,
    build.commit_hash,
    build.dirty_diff_sha256,
    build.compiler,
    build.flags,
    build.protocol,
    build.missing   as build_missing,
    model.name      as model_name,
    model.sha256    as model_sha256,
    model.missing   as model_missing
from arm
join build on build.id = arm.build
left join model on model.id = arm.model
where arm.run = ?1
order by arm.id
