-- One row: a different answer to one request of arm ?1, and how many counted trials gave it.
select
    output.request,
    output.sha256,
    output.tokens,                      -- JSON list of ids
    min(output.margins)     as margins, -- JSON list; the same in all trials unless one is odd
    count(*)                as trials
from _counted_trial as counted
join output on output.trial = counted.trial
where counted.arm = ?1
group by output.request, output.sha256
order by output.request, count(*) desc
