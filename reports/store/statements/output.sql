-- What the process said to one request.
insert into output (trial, request, tokens, margins, sha256)
values (?1, ?2, ?3, ?4, ?5)
