-- One observation of the machine.
insert into condition (trial, raw_ns, name, value, unit)
values (?1, ?2, ?3, ?4, ?5)
