-- One row: a kernel at its path in one rep of trial ?1, all its calls together.
select
    round.run,
    trial.id               as trial,
    trial.mode,
    trial.valid,
    kernel_stat.rep,
    range_path.phase,
    range_path.path,
    kernel.name            as kernel,
    kernel_stat.role,
    kernel_stat.launch_shape,
    kernel_stat.registers,
    kernel_stat.calls,
    kernel_stat.total_ns,
    kernel_stat.min_ns,
    kernel_stat.max_ns,
    kernel_stat.bytes,     -- counted, read plus written, of all calls
    kernel_stat.flops,     -- counted, of all calls
    arm.name               as arm
from kernel_stat
join range_path on range_path.id = kernel_stat.path
join kernel on kernel.id = kernel_stat.kernel
join trial on trial.id = kernel_stat.trial
join round on round.id = trial.round
join arm on arm.id = trial.arm
where kernel_stat.trial = ?1
order by kernel_stat.id
