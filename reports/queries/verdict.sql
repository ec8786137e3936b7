-- One row: what was concluded from run ?1.
select
    kind,           -- "ab", "gate"
    verdict,
    exit_code,
    reasons,        -- JSON list
    suite_version
from verdict
where run = ?1
