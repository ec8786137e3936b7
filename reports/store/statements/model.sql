-- The id of a model with these facts, new or known.
insert into model (facts, name, sha256, missing)
values (?1, ?2, ?3, ?4)
on conflict (facts) do update set facts = excluded.facts
returning id
