-- A kernel, if it is new.
insert into kernel (name)
values (?1)
on conflict (name) do nothing
