-- One row: one identity of arm ?1, from the counted trial where it is furthest from holding; last,
-- whether all trials gave the same tokens to each request and the same losses to each text.
with ranked as (
    select
        identity.phase,
        identity.name,
        identity.expected,
        identity.seen,
        identity.must_hold,
        row_number() over (
            partition by identity.phase, identity.name
            order by abs(identity.expected - identity.seen) desc, identity.trial
        ) as distance_rank
    from _counted_trial as counted
    join identity on identity.trial = counted.trial
    where counted.arm = ?1
),
said as (
    select
        output.sha256,
        first_value(output.sha256) over (
            partition by output.request order by output.trial
        ) as first_sha256
    from _counted_trial as counted
    join output on output.trial = counted.trial
    where counted.arm = ?1
),
lost as (
    select
        text_loss.sha256,
        first_value(text_loss.sha256) over (
            partition by text_loss.request order by text_loss.trial
        ) as first_sha256
    from _counted_trial as counted
    join text_loss on text_loss.trial = counted.trial
    where counted.arm = ?1
)
select phase, name, expected, seen, must_hold
from ranked
where distance_rank = 1
union all
select null, 'outputs_with_the_same_tokens', count(*), sum(sha256 = first_sha256), 1
from said
having count(*) > 0
union all
select null, 'losses_with_the_same_bits', count(*), sum(sha256 = first_sha256), 1
from lost
having count(*) > 0
