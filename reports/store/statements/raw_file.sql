-- A raw file at rest.
insert into raw_file (trial, kind, path, stored_bytes, content_bytes, sha256)
values (?1, ?2, ?3, ?4, ?5, ?6)
