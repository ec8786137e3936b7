-- What the trials showed. Every table here is derived from raw files: `tare store rebuild` fills
-- them again.

-- One row: a quantity with a unit and the direction that is better.
create table metric (
    id        integer primary key,
    name      text not null unique,          -- "wall_ns"
    unit      text not null,                 -- "ns"
    direction text not null check (direction in ('lower', 'higher', 'exact', 'none')),
    about     text not null                  -- one sentence
) strict;

insert into metric (name, unit, direction, about) values
    ('wall_ns', 'ns', 'lower', 'time of one phase by the process''s own timer'),
    ('tokens_per_s', 'tokens/s', 'higher', 'tokens of one phase over its wall time'),
    ('cold_start_ns', 'ns', 'lower', 'from starting the process to its first token'),
    ('peak_bytes', 'bytes', 'lower', 'largest resident memory of the process');

-- One row: one value of one metric, from one rep of one trial.
create table sample (
    id     integer primary key,
    trial  integer not null references trial (id) on delete cascade,
    metric integer not null references metric (id),
    phase  text,                             -- null: of the whole process
    rep    integer,                          -- from 0; null: of the whole process
    value  real not null,                    -- in the metric's unit
    unique (trial, metric, phase, rep)
) strict;

-- One row: an observation of the machine while a trial ran. Observed, never set.
create table condition (
    id     integer primary key,
    trial  integer not null references trial (id) on delete cascade,
    raw_ns integer not null,                 -- CLOCK_MONOTONIC_RAW
    name   text not null,                    -- "load_1m"
    value  real not null,
    unit   text not null
) strict;

create index condition_by_trial on condition (trial, name);

-- One row: one phase of one measured rep. Timed trials know only the process's own timer.
create table phase_stat (
    trial                integer not null references trial (id) on delete cascade,
    phase                text not null,      -- "prefill"
    rep                  integer not null,   -- from 0
    wall_ns              integer,            -- by the process's own timer; null: it did not say
    tokens               integer,            -- processed in this phase
    range_ns             integer,            -- duration of the phase's range; null: not profiled
    busy_ns              integer,            -- union of the kernels' intervals
    sum_ns               integer,            -- sum of the kernels' durations
    gap_ns               integer,            -- holes of the union inside the phase
    launch_ns            integer,            -- part of the gap, by cause; null: no such class here
    sync_ns              integer,
    alloc_ns             integer,
    host_ns              integer,
    dispatch_ns          integer,
    unsplit_ns           integer,
    outside_ns           integer,            -- kernel time outside the phase's window (integrity b)
    records_expected     integer,            -- the process's own count (integrity c)
    records_seen         integer,            -- kernels in the capture (integrity c)
    primary key (trial, phase, rep)
) strict;

-- One row: a capture as a whole (integrity a). Kernels under a warm-up phase count as attributed.
create table capture_stat (
    trial           integer primary key references trial (id) on delete cascade,
    records         integer not null,        -- records in the file, of every kind
    kernel_ns       integer not null,        -- time of all kernels
    unattributed_ns integer not null         -- of those whose outermost range is no phase
) strict;

-- One row: a place in the range tree, shared by all trials.
create table range_path (
    id     integer primary key,
    path   text not null unique,             -- "prefill/layer.03.moe/experts.up"
    phase  text not null,                    -- first part of the path
    family text not null                     -- path without numbers: "prefill/layer.*.moe/experts.up"
) strict;

-- One row: a kernel by its base name, shared by all trials. On the CPU an op's range plays its part.
create table kernel (
    id   integer primary key,
    name text not null unique                -- "matmul_bf16"
) strict;

-- One row: all executions of one kernel at one path with one launch shape in one measured rep.
create table kernel_stat (
    id           integer primary key,
    trial        integer not null references trial (id) on delete cascade,
    rep          integer not null,           -- from 0
    path         integer not null references range_path (id),
    kernel       integer not null references kernel (id),
    role         text not null,              -- range category, else roles.toml, else "other"
    launch_shape text,                       -- "grid 132x1x1 block 256x1x1 shared 0"; null on the CPU
    registers    integer,                    -- per thread; null on the CPU
    calls        integer not null,
    total_ns     integer not null,
    min_ns       integer not null,
    max_ns       integer not null,
    histogram    blob not null,              -- durations, log buckets (reports/stats/histogram.h)
    bytes        real,                       -- counted bytes read + written; null: not declared
    flops        real,                       -- counted operations; null: not declared
    unique (trial, rep, path, kernel, launch_shape)
) strict;

-- One row: something the capture lacks. Any count above 0 makes the trial invalid.
create table loss (
    trial integer not null references trial (id) on delete cascade,
    kind  text not null,                     -- "dropped", "zero_stamps", "truncated_bytes", ...
    count integer not null,
    primary key (trial, kind)
) strict;

-- One row: two independent numbers that must be equal.
create table identity (
    id       integer primary key,
    trial    integer not null references trial (id) on delete cascade,
    phase    text,                           -- null: of the whole process
    name     text not null,                  -- "ops planned and executed"
    expected real not null,
    seen     real not null,
    unique (trial, phase, name)
) strict;

-- One row: a count of work, a metric of its own.
create table count (
    id    integer primary key,
    trial integer not null references trial (id) on delete cascade,
    phase text,                              -- null: of the whole process
    name  text not null,                     -- "ops"
    value real not null,
    unit  text not null,                     -- "1", "bytes", "rows"
    exact integer not null,                  -- 1: the same in every trial of one build, else it changed
    unique (trial, phase, name)
) strict;

-- One row: what the process said to one request.
create table output (
    trial   integer not null references trial (id) on delete cascade,
    request integer not null,                -- from 0
    tokens  text not null,                   -- JSON list of ids
    margins text not null,                   -- JSON list: top-1 minus top-2 logit
    sha256  text not null,                   -- hex, of the ids as little-endian int32
    primary key (trial, request)
) strict;
