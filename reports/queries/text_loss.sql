-- One row: the most frequent loss of one text in arm ?1, and how many counted trials gave it.
with said as (
    select
        text_loss.request,
        text_loss.name,
        text_loss.tokens,
        text_loss.nll_sum,
        text_loss.nll_mean,
        text_loss.sha256,
        count(*)                        as trials,
        row_number() over (
            partition by text_loss.request
            order by count(*) desc, min(text_loss.trial)
        )                               as frequency_rank
    from _counted_trial as counted
    join text_loss on text_loss.trial = counted.trial
    where counted.arm = ?1
    group by text_loss.request, text_loss.sha256
)
select
    request,
    name,
    tokens,         -- predicted
    nll_sum,
    nll_mean,
    sha256,
    trials
from said
where frequency_rank = 1
order by request
