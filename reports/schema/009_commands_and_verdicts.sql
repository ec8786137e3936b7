-- What foreign commands say of themselves, and what comparisons and gates found.

insert into metric (name, unit, direction, about) values
    ('process_wall_ns', 'ns', 'lower', 'from starting the process of a command to its end');

-- One row: a value that a command wrote to $TARE_RESULT_FILE. Its name, unit and direction are the
-- command's own, so they stand here and not in metric. Those of direction 'exact' are counts.
create table command_sample (
    trial     integer not null references trial (id) on delete cascade,
    name      text not null,                 -- "requests_per_s"
    unit      text not null,                 -- "1/s"
    direction text not null check (direction in ('lower', 'higher', 'none')),
    rep       integer not null,              -- from 0, in the order of the lines of that name
    value     real not null,
    primary key (trial, name, rep)
) strict;

-- One row: what a comparison or a gate concluded from a run when it ended. Derived: the same
-- trials give the same row again.
create table verdict (
    run          integer primary key references run (id) on delete cascade,
    kind         text not null check (kind in ('ab', 'gate')),
    verdict      text not null,              -- "regressed"; of a gate "passed"
    exit_code    integer not null,
    reasons      text not null,              -- JSON list, most important first
    suite_version text not null              -- of the tare that concluded
) strict;

-- One row: the verdict on one metric of a pair of arms, or one check of a gate.
create table metric_verdict (
    id        integer primary key,
    run       integer not null references verdict (run) on delete cascade,
    a         text not null,                 -- arm; of a gate ''
    b         text not null,                 -- arm held against it; of a gate '': all arms
    name      text not null,                 -- "decode.wall_ns"; of a gate "counts"
    verdict   text not null,
    ratio     real,                          -- B/A; null: not known, or none
    lo        real,                          -- interval of the ratio
    hi        real,
    level     real,                          -- of the interval: 0.95
    margin    real,                          -- share
    rounds    integer,                       -- that were looked at
    reason    text not null
) strict;

create index metric_verdict_by_run on metric_verdict (run);
