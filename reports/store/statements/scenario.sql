-- The id of a scenario with this identity, new or known.
insert into scenario (sha256, name, resolved_json, prompt_sha256)
values (?1, ?2, ?3, ?4)
on conflict (sha256) do update set sha256 = excluded.sha256
returning id
