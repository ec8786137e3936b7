-- The id of a build with these facts, new or known.
insert into build (
    facts, binary_path, binary_sha256, commit_hash, dirty_diff_sha256, compiler, flags, protocol,
    missing
)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
on conflict (facts) do update set facts = excluded.facts
returning id
