-- Arms with words of their own, identities that an arm may declare not to hold, losses of texts.

-- Views are of the program, not of the file: reports/queries/views.sql.
drop view _counted_kernel;
drop view _counted_phase;
drop view _counted_trial;

alter table arm add column arguments text not null default '[]';  -- JSON list: this arm's own part of command
alter table arm add column about text not null default '';        -- one sentence

-- 0: the arm declares that the two numbers differ.
alter table identity add column must_hold integer not null default 1;

-- One row: how well a process foretold one text.
create table text_loss (
    trial    integer not null references trial (id) on delete cascade,
    request  integer not null,               -- from 0
    name     text not null,                  -- of the text; may be empty
    tokens   integer not null,               -- predicted ones: one less than the text has
    nll_sum  real not null,                  -- negative log likelihood, natural log
    nll_mean real not null,
    sha256   text not null,                  -- hex, of the values as little-endian float64
    primary key (trial, request)
) strict;
