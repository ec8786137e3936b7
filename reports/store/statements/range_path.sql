-- A place in the range tree, if it is new.
insert into range_path (path, phase)
values (?1, ?2)
on conflict (path) do nothing
