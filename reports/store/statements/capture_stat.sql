-- A capture as a whole.
insert into capture_stat (trial, records, kernel_ns, unattributed_ns)
values (?1, ?2, ?3, ?4)
