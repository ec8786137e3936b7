-- Runs that compare, and arms named on the command line.

alter table run add column kind text not null default 'run';  -- 'run', 'ab', 'calibrate', 'gate', 'self-test'

alter table arm add column spec text not null default '';         -- as written: "main+args:--moe dense"; '': of the scenario
alter table arm add column why_invalid text not null default '';  -- why it could not be started; '': it could
