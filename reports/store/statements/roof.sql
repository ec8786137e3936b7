-- What this machine can do, measured in this run; measured again, it replaces.
insert into roof (run, copy_bytes_per_s, flops_per_s, how)
values (?1, ?2, ?3, ?4)
on conflict (run) do update
set copy_bytes_per_s = excluded.copy_bytes_per_s,
    flops_per_s      = excluded.flops_per_s,
    how              = excluded.how
