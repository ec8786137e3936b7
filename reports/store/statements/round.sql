-- The id of a round of a run, new or known.
insert into round (run, number)
values (?1, ?2)
on conflict (run, number) do update set number = excluded.number
returning id
