-- How well a process foretold one text.
insert into text_loss (trial, request, name, tokens, nll_sum, nll_mean, sha256)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
