-- All executions of one kernel at one path in one measured rep.
insert into kernel_stat (
    trial, rep, path, kernel, role, launch_shape, registers, calls, total_ns, min_ns, max_ns,
    histogram, bytes, flops
)
values (
    ?1, ?2,
    (select id from range_path where path = ?3),
    (select id from kernel where name = ?4),
    ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
)
