-- Trials that count for nothing: their block was cut off, and runs again as a whole.

alter table trial add column voided text not null default '';  -- why; '': it counts, if it is valid
