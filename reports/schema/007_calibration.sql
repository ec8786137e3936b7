-- What rounds of one build against itself (A/A) showed: how small a change this machine can tell.

-- One row: a calibration of one scenario on one machine class. The newest one is used.
create table calibration (
    id                integer primary key,
    run               integer references run (id) on delete set null,  -- its rounds; null: pruned since
    machine_class     text not null,
    scenario          text not null,         -- name
    scenario_sha256   text not null,         -- identity
    backend           text not null,
    arm               text not null,         -- of the scenario, that ran against itself
    calibrated_utc    text not null,         -- ISO 8601
    commit_hash       text,                  -- of the build; null: it does not say
    dirty_diff_sha256 text,                  -- null: clean, or not known
    binary_sha256     text not null,
    rounds            integer not null,      -- timed ones that count
    profiled_rounds   integer not null,
    replaced_rounds   integer not null,
    looks             text not null,         -- JSON list: of the plan the margins are honest under
    gated             integer not null,      -- metrics that plan judges
    goal              real not null,         -- P(same | no change) that is asked for
    series            integer not null,      -- comparisons drawn
    seed              integer not null,      -- they were drawn with; unsigned 64 bits as its signed twin
    tokens_repeat     integer                -- 1: all trials gave the same; null: there are none
) strict;

create index calibration_by_scenario on calibration (machine_class, scenario_sha256, backend);

-- One row: one metric of the timed rounds.
create table calibration_metric (
    calibration      integer not null references calibration (id) on delete cascade,
    metric           text not null,          -- "decode_wall_ns", as [metrics] of a scenario has it
    name             text not null,          -- "decode.wall_ns"
    unit             text not null,
    direction        text not null,
    trials           integer not null,       -- of both arms
    median           real not null,          -- over them, in the unit
    min              real not null,
    max              real not null,
    rounds           text not null,          -- JSON list of [ln(B/A) turned so that positive is worse, A ran first, block]
    sigma            real,                   -- standard deviation of these; null: see reason
    honest_margin    real,                   -- share; null: see reason
    detected         real,                   -- slowdown as a share; null: no look can call one
    margin           real,                   -- of the scenario, as a share; null: it has none
    alarm_margin     real,                   -- false alarms were counted at this one; null: not counted
    resampled        integer,                -- comparisons with block orders drawn anew
    resampled_alarms integer,                -- of them, regressed
    whole            integer,                -- comparisons as they were run
    whole_alarms     integer,
    reason           text not null,          -- why there is no honest margin; empty when there is one
    primary key (calibration, metric)
) strict;

-- One row: one kernel of the profiled rounds, all layers together.
create table calibration_kernel (
    calibration integer not null references calibration (id) on delete cascade,
    phase       text not null,
    path        text not null,               -- with '*' for numbers
    kernel      text not null,
    rounds      integer not null,
    median_ns   real not null,               -- per rep, over all trials
    sigma       real not null,               -- standard deviation of ln(B/A)
    primary key (calibration, phase, path, kernel)
) strict;

-- One row: one count of all trials.
create table calibration_count (
    calibration integer not null references calibration (id) on delete cascade,
    name        text not null,
    unit        text not null,
    value       real,                        -- null: it varied
    primary key (calibration, name)
) strict;
