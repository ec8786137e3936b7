-- Before they are listed anew.
delete from raw_file
where trial = ?1
