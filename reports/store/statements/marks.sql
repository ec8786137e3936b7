-- One row: whose file this is, how new, and whether anything is in it.
select
    (select application_id from pragma_application_id)  as owner,
    (select user_version from pragma_user_version)      as version,
    exists (select 1 from sqlite_schema)                as has_tables
