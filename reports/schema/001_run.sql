-- What was run, on what, by whom: rows written while a run goes on, never derived.

-- One row: a machine in one state of hardware and driver.
create table machine (
    id            integer primary key,
    facts         text not null unique,      -- canonical JSON of all columns below: equal facts are one row
    machine_class text not null,             -- what baselines are kept per
    hostname      text not null,
    cpu_model     text not null,             -- as /proc/cpuinfo names it
    cores         integer not null,          -- usable by this process
    memory_bytes  integer not null,
    kernel        text not null,             -- uname -r
    gpu_name      text,                      -- null: no GPU, or not known (see missing)
    gpu_uuid      text,
    driver        text,                      -- GPU driver version
    missing       text not null              -- JSON object: column -> why it is null
) strict;

-- One row: a binary of the process under test.
create table build (
    id                integer primary key,
    facts             text not null unique,  -- canonical JSON of all columns below
    binary_path       text not null,
    binary_sha256     text not null,         -- hex
    commit_hash       text,                  -- git commit it was built from
    dirty_diff_sha256 text,                  -- null: clean, or not known (see missing)
    compiler          text,                  -- name and version
    flags             text,
    protocol          integer,               -- of the JSON lines it prints
    missing           text not null          -- JSON object: column -> why it is null
) strict;

-- One row: a checkpoint.
create table model (
    id      integer primary key,
    facts   text not null unique,            -- canonical JSON of all columns below
    name    text not null,
    sha256  text,                            -- hex, over all tensors
    missing text not null                    -- JSON object: column -> why it is null
) strict;

-- One row: a resolved scenario. Results of different sha256 are never compared.
create table scenario (
    id            integer primary key,
    sha256        text not null unique,      -- hex, of resolved_json: the identity
    name          text not null,
    resolved_json text not null,             -- all values after overrides; sorted keys, no white space
    prompt_sha256 text not null              -- hex, of the token ids
) strict;

-- One row: one invocation with its plan.
create table run (
    id              integer primary key,
    scenario        integer not null references scenario (id),
    machine         integer not null references machine (id),
    started_utc     text not null,           -- ISO 8601
    command_line    text not null,           -- JSON list: argv of the suite
    suite_commit    text not null,           -- commit of the suite that measured
    backend         text not null,           -- "cpu", "cuda"
    status          text not null check (status in ('running', 'finished', 'interrupted', 'failed')),
    note            text not null,           -- free text of the person
    pid             integer not null,        -- process that writes this run
    pid_start_ticks integer                  -- its start (/proc/<pid>/stat field 22): tells a reused pid apart
) strict;

-- One row: the plan of a run. Written with the run, never changed.
create table plan (
    run             integer primary key references run (id) on delete cascade,
    timed_rounds    integer not null,
    profiled_rounds integer not null,
    warm_up         integer not null,        -- unmeasured reps inside each trial
    reps            integer not null,        -- measured reps inside each trial
    seed            integer not null,        -- unsigned 64 bits, stored as their signed twin
    time_limit_s    real not null,           -- per trial
    json            text not null            -- the whole plan
) strict;

-- One row: one side of a comparison; a plain run has one.
create table arm (
    id          integer primary key,
    run         integer not null references run (id) on delete cascade,
    name        text not null,               -- "a"
    command     text not null,               -- JSON list: argv
    environment text not null,               -- JSON object: what was set beyond the caller's own
    build       integer not null references build (id),
    model       integer references model (id),   -- null: the command has no model we know of
    unique (run, name)
) strict;

-- One row: one turn of every arm, the unit of inference.
create table round (
    id     integer primary key,
    run    integer not null references run (id) on delete cascade,
    number integer not null,                 -- from 0
    unique (run, number)
) strict;

-- One row: one arm's process in one round.
create table trial (
    id             integer primary key,
    round          integer not null references round (id) on delete cascade,
    arm            integer not null references arm (id) on delete cascade,
    position       integer not null,         -- within the round, from 0
    mode           text not null check (mode in ('timed', 'profiled', 'counters')),
    planted        integer not null,         -- 1: a fault was planted on purpose
    process_valid  integer not null,         -- 1: the process ended as it should (the runner's word)
    process_reason text not null,            -- why not; empty when it did
    valid          integer not null,         -- 1: process_valid and every check of ingest passed
    reason         text not null,            -- why not, one line per breach; empty when valid
    exit_code      integer,                  -- null: killed by a signal, or still running
    signal         integer,                  -- null: not killed
    timed_out      integer not null,         -- 1: killed by the runner at the plan's time limit
    spawn_raw_ns   integer not null,         -- CLOCK_MONOTONIC_RAW just before the process started
    exit_raw_ns    integer not null,         -- same clock; 0 while it runs
    start_real_ns  integer not null,         -- CLOCK_REALTIME at the start
    protocol       integer,                  -- derived: as the process said; null before ingest
    timer          text                      -- derived: clock of the process's own stamps
) strict;

create index trial_by_round on trial (round);
create index trial_by_arm on trial (arm);

-- One row: a raw file of a trial, relative to the store's folder.
create table raw_file (
    trial         integer not null references trial (id) on delete cascade,
    kind          text not null,             -- "lines", "capture", "conditions", "stderr"
    path          text not null,             -- "raw/7/12.capture.zst"
    stored_bytes  integer not null,          -- on disk
    content_bytes integer not null,          -- before compression
    primary key (trial, kind)
) strict;

-- One row: what this machine can do at most, measured in the same run.
create table roof (
    run              integer primary key references run (id) on delete cascade,
    copy_bytes_per_s real,                   -- read + write, buffers larger than the last-level cache
    flops_per_s      real,                   -- float32 matrix product
    how              text not null           -- how it was measured, in words
) strict;
