-- The id of a machine with these facts, new or known.
insert into machine (
    facts, machine_class, hostname, cpu_model, cores, memory_bytes, kernel, gpu_name, gpu_uuid,
    driver, missing
)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
on conflict (facts) do update set facts = excluded.facts
returning id
