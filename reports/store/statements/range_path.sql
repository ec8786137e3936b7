-- A place in the range tree, if it is new.
insert into range_path (path, phase, family)
values (?1, ?2, ?3)
on conflict (path) do nothing
