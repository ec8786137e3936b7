-- Raw files by their content: a file of the same size is not yet the same file.

-- Hex, of the bytes as stored. null: not recorded (stored before there was this column, or the file
-- could not be read then); such a file is checked by its size.
alter table raw_file add column sha256 text;
