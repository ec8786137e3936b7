-- One row: one kernel at one family of range paths (all layers together) of a phase of run ?1.
-- Times are per rep: those of the median rep, with least and most over all reps.
with per_rep as (
    select
        phase,
        family,
        kernel,
        role,
        launch_shape,
        registers,
        trial,
        rep,
        in_median_rep,
        reps,
        wall_ns,
        sum(calls)     as calls,
        sum(total_ns)  as total_ns,
        min(min_ns)    as min_ns,
        max(max_ns)    as max_ns,
        sum(bytes)     as bytes,
        sum(flops)     as flops
    from _counted_kernel
    where run = ?1
    group by phase, family, kernel, role, launch_shape, registers, trial, rep
),
-- A row that is not in every rep ran no time at all in the others.
summed as (
    select
        phase,
        family,
        kernel,
        role,
        launch_shape,
        registers,
        coalesce(max(calls) filter (where in_median_rep), 0)             as calls,
        iif(count(*) < max(reps), 0, min(calls))                         as calls_min,
        max(calls)                                                       as calls_max,
        coalesce(max(total_ns) filter (where in_median_rep), 0)          as total_ns,
        iif(count(*) < max(reps), 0, min(total_ns))                      as total_min,
        max(total_ns)                                                    as total_max,
        coalesce(
            max(total_ns * 1.0 / wall_ns) filter (where in_median_rep), 0
        )                                                                as share,
        iif(count(*) < max(reps), 0, min(total_ns * 1.0 / wall_ns))      as share_min,
        max(total_ns * 1.0 / wall_ns)                                    as share_max,
        max(total_ns * 1.0 / calls) filter (where in_median_rep)         as mean_ns,
        min(total_ns * 1.0 / calls)                                      as mean_min,
        max(total_ns * 1.0 / calls)                                      as mean_max,
        min(min_ns)                                                      as min_ns,
        max(max_ns)                                                      as max_ns,
        max(bytes) filter (where in_median_rep)                          as bytes,
        max(flops) filter (where in_median_rep)                          as flops,
        max(reps)                                                        as n
    from per_rep
    group by phase, family, kernel, role, launch_shape, registers
)
select
    summed.*,
    bytes * 1.0 / nullif(total_ns, 0)                                    as gb_per_s,
    flops / 1000.0 / nullif(total_ns, 0)                                 as tflop_per_s,
    bytes * 1e9 / nullif(total_ns, 0) / roof.copy_bytes_per_s            as copy_share,
    flops * 1e9 / nullif(total_ns, 0) / roof.flops_per_s                 as flops_share
from summed
left join roof on roof.run = ?1
order by phase, total_ns desc, family, kernel, role, launch_shape, registers
